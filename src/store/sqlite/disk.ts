import { randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../refusal.ts';
import { isFull } from './errors.ts';

const PAGE_BYTES = 4_096;
const MIN_PAGES = 32;
/** 64 MB. The commit that moves it takes 0.2 s; a shorter log is moved more often. */
const MAX_PAGES = 16_000;
/** The part of the free space that a log may take. */
const SHARE = 8;
const CHECK_MS = 1_000;
/** How many times its limit a log may have before it has to begin anew. */
const TOO_LONG = 2;
/** How long a log that is too long waits for readers to let it begin anew. */
const RESTART_MS = 20;

/**
 * Bounds the write-ahead log of a file by the free space of its disk, for as long as the file is
 * open. All that the log holds has to fit into the file before the log can begin anew, so a log
 * that fills the disk would never end.
 */
export function limitLog(db: DatabaseSync, path: string, maxPages = MAX_PAGES): void {
  // The log of a file that is reached by a link is beside the file.
  const file = path === ':memory:' ? path : realpathSync(path);
  let limit = 0;
  const adjust = (): void => {
    const pages = Math.max(MIN_PAGES, Math.min(pagesFor(file), maxPages));
    if (pages === limit) return;
    limit = pages;
    // The second setting shortens a log that has begun anew to what it may take now.
    db.exec(
      `PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * PAGE_BYTES}`,
    );
  };
  const check = (): void => {
    adjust();
    if (bytesOf(`${file}-wal`) > TOO_LONG * limit * PAGE_BYTES) restart(db);
  };
  adjust();
  // Not at each commit, which would wait for it.
  const timer = setInterval(() => (db.isOpen ? check() : clearInterval(timer)), CHECK_MS).unref();
}

/** By what the log has and what it could have; no bound if that cannot be found out. */
function pagesFor(file: string): number {
  if (file === ':memory:') return Number.POSITIVE_INFINITY;
  try {
    return Math.floor((freeIn(dirname(file)) + bytesOf(`${file}-wal`)) / SHARE / PAGE_BYTES);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * A log begins anew only when nobody reads from it, which need not happen while readers come and
 * go. This waits for them, but not for one that reads for long.
 */
function restart(db: DatabaseSync): void {
  const timeout = db.prepare('PRAGMA busy_timeout').get()?.timeout;
  try {
    db.exec(`PRAGMA busy_timeout = ${RESTART_MS}; PRAGMA wal_checkpoint(RESTART)`);
  } catch {
    // The log goes on where it is.
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

/** Room for the index of the log and for a few writes. */
const RESERVE_BYTES = 256 * 1024;

/**
 * A file that only takes space beside the database. On a full disk SQLite cannot even open a file
 * to read it, since the index of the log needs 32 kB; then the reserve is given up for that.
 */
export class Reserve {
  readonly #path: string | null;

  constructor(databasePath: string) {
    this.#path = databasePath === ':memory:' ? null : `${databasePath}-reserve`;
  }

  /** Opens a file, with the space of the reserve if there is no other. */
  opening<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      if (!isFull(error) || !this.#exists()) throw error;
      this.giveUp();
      return open();
    }
  }

  giveUp(): void {
    if (this.#path !== null) rmSync(this.#path, { force: true });
  }

  /** Creates the reserve unless it exists or there is no space. */
  restore(): void {
    if (this.#exists()) return;
    try {
      this.renew();
    } catch {
      // A probe renews it when there is space.
    }
  }

  /** Replaces the reserve by a new one; throws if there is no space for that. */
  renew(): void {
    if (this.#path === null) return;
    const path = `${this.#path}.${process.pid}`;
    try {
      // Random, since some file systems compress.
      writeFileSync(path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      renameSync(path, this.#path);
    } catch (error) {
      rmSync(path, { force: true });
      // A folder that is not writable does not keep SQLite from writing to files that are open.
      if (isFull(error)) throw error;
    }
  }

  #exists(): boolean {
    return this.#path !== null && statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
  }
}

/** What stays free for a service on the same disk, whose writes would be refused otherwise. */
const MARGIN = 16_000_000;

/** What a copy of a database takes: its file, and what is only in its log yet. */
export const sizeOf = (path: string): number => bytesOf(path) + bytesOf(`${path}-wal`);

/** What is missing in a folder for this many bytes, in words; null if they fit. */
export function lackOfSpace(folder: string, bytes: number): string | null {
  const free = freeIn(folder);
  if (free >= bytes + MARGIN) return null;
  return `${megabytes(bytes + MARGIN)} are needed in ${folder}, and ${megabytes(free)} are free`;
}

export function requireSpace(folder: string, bytes: number): void {
  const lack = lackOfSpace(folder, bytes);
  if (lack !== null) throw new StoreRefusal('no-space', lack);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
