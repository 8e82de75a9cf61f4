import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Checkpointer } from './checkpointer.ts';

const PAGE_BYTES = 4_096;
const MIN_PAGES = 32;
/** The part of the free space that a log may take. */
const SHARE = 8;
const CHECK_MS = 1_000;
/** How many times the length at which it is moved in the background commits let a log grow. */
const BACKGROUND = 1.5;
/** How many times its limit a log may have before it has to begin anew. */
const TOO_LONG = 2;
/** How long a log that is too long waits for readers to let it begin anew. */
const RESTART_MS = 20;

/**
 * Bounds the write-ahead log of a file by the free space of its disk, for as long as the file is
 * open. All that the log holds has to fit into the file before the log can begin anew, so a log
 * that fills the disk would never end. `mostPages` is the limit where there is enough space.
 */
export function limitLog(db: DatabaseSync, path: string, mostPages: number): void {
  const file = fileOf(path);
  keepLimit(db, file, () => limitFor(file, mostPages));
}

/**
 * The same, but where there is enough space a thread moves a log of `mostPages`. The caller has to
 * stop it before closing the file. Commits do it only if the log becomes half as long again.
 */
export function limitLogInBackground(
  db: DatabaseSync,
  path: string,
  mostPages: number,
): Checkpointer {
  const file = fileOf(path);
  const checkpointer = new Checkpointer(file, mostPages);
  const longest = mostPages * BACKGROUND;
  const limit = () => (pagesFor(file) < longest ? limitFor(file, mostPages) : longest);
  keepLimit(db, file, limit, () => {
    if (logBytes(file) > (mostPages * PAGE_BYTES) / 2) checkpointer.start();
  });
  return checkpointer;
}

/** `onChecked` is called every second, but not at the start, which many short commands have. */
function keepLimit(
  db: DatabaseSync,
  file: string,
  limit: () => number,
  onChecked = () => {},
): void {
  let current = 0;
  const adjust = (): void => {
    const pages = limit();
    if (pages !== current) setLimit(db, pages);
    current = pages;
  };
  const check = (): void => {
    adjust();
    if (logBytes(file) > TOO_LONG * current * PAGE_BYTES) restart(db);
    onChecked();
  };
  adjust();
  // Not at each commit, which would wait for it.
  const timer = setInterval(() => (db.isOpen ? check() : clearInterval(timer)), CHECK_MS).unref();
}

function setLimit(db: DatabaseSync, pages: number): void {
  // The second limit shortens a log that has begun anew to what it may take now.
  db.exec(
    `PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = ${pages * PAGE_BYTES}`,
  );
}

/** The log of a file that is reached by a link is beside the file. */
const fileOf = (path: string): string => (path === ':memory:' ? path : realpathSync(path));

const limitFor = (path: string, mostPages: number): number =>
  Math.max(MIN_PAGES, Math.min(pagesFor(path), mostPages));

/**
 * A log begins anew only when nobody reads from it, which need not happen while readers come and
 * go. This waits for them, but not for one that reads for long.
 */
function restart(db: DatabaseSync): void {
  const [{ timeout } = { timeout: 0 }] = db.prepare('PRAGMA busy_timeout').all() as TimeoutRow[];
  try {
    db.exec(`PRAGMA busy_timeout = ${RESTART_MS}; PRAGMA wal_checkpoint(RESTART)`);
  } catch {
    // The log goes on where it is.
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

type TimeoutRow = { timeout: number };

/** By what the log has and what it could have; no bound if that cannot be found out. */
function pagesFor(path: string): number {
  if (path === ':memory:') return Number.POSITIVE_INFINITY;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return Math.floor((bavail * bsize + logBytes(path)) / SHARE / PAGE_BYTES);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const logBytes = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
