import { statfsSync, statSync } from 'node:fs';
import { StoreRefusal } from '../refusal.ts';

/** What stays free for a service on the same disk, whose writes would be refused otherwise. */
const MARGIN = 16_000_000;

/** What a copy of a database takes: its file, and what is only in its log yet. */
export const sizeOf = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (bytes, file) => bytes + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** What is missing in a folder for this many bytes, in words; null if they fit. */
export function lackOfSpace(folder: string, bytes: number): string | null {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes + MARGIN) return null;
  return `${megabytes(bytes + MARGIN)} are needed in ${folder}, and ${megabytes(free)} are free`;
}

/** Refuses what would fill the disk, before it does. */
export function requireSpace(folder: string, bytes: number): void {
  const lack = lackOfSpace(folder, bytes);
  if (lack !== null) throw new StoreRefusal('no-space', lack);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
