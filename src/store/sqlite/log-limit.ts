import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

const PAGE_BYTES = 4_096;
const MIN_PAGES = 32;
/** The part of the free space that a log may take. */
const SHARE = 8;
const CHECK_MS = 1_000;

/**
 * Bounds the write-ahead log of a file by the free space of its disk, for as long as the file is
 * open. All that the log holds has to fit into the file before the log can begin anew, so a log
 * that fills the disk would never end. `mostPages` is the limit where there is enough space.
 */
export function limitLog(db: DatabaseSync, path: string, mostPages: number): void {
  let current = 0;
  const adjust = (): void => {
    const pages = Math.max(MIN_PAGES, Math.min(pagesFor(path), mostPages));
    if (pages === current) return;
    current = pages;
    // The second limit shortens a log that has begun anew to what it may take now.
    db.exec(
      `PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * PAGE_BYTES}`,
    );
  };
  adjust();
  // Not at each commit, which would wait for it.
  const timer = setInterval(() => (db.isOpen ? adjust() : clearInterval(timer)), CHECK_MS).unref();
}

/** By what the log has and what it could have; no bound if that cannot be found out. */
function pagesFor(path: string): number {
  if (path === ':memory:') return Number.POSITIVE_INFINITY;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    return Math.floor((bavail * bsize + (log?.size ?? 0)) / SHARE / PAGE_BYTES);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
