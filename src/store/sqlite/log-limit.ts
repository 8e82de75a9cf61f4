import { realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

const CHECKPOINTER = import.meta.filename.endsWith('.ts')
  ? './checkpointer-thread.ts'
  : './checkpointer-thread.js';

const PAGE_BYTES = 4_096;
const MIN_PAGES = 32;
/** The part of the free space that a log may take. */
const SHARE = 8;
const CHECK_MS = 1_000;
/** How many times the length at which it is moved in the background commits let a log grow. */
const MAX_GROWTH = 1.5;
/** How many times its limit a log may have before it has to begin anew. */
const TOO_LONG = 2;
/** How long a log that is too long waits for readers to let it begin anew. */
const RESTART_MS = 20;

/**
 * 256 MB. A checkpoint copies pages that change often less often if it runs every few seconds under
 * full load instead of every second, which was worth 7 % of the transfers.
 */
const MOST_PAGES = 64_000;

/**
 * Bounds the write-ahead log of a file by the free space of its disk, for as long as the file is
 * open. All that the log holds has to fit into the file before the log can begin anew, so a log
 * that fills the disk would never end. Where there is enough space, a thread moves a long log,
 * which the caller has to stop before closing the file; commits do it only if the log becomes half
 * as long again.
 */
export function limitLog(db: DatabaseSync, path: string, most = MOST_PAGES): Checkpointer {
  const file = fileOf(path);
  const checkpointer = new Checkpointer(file, most);
  const longest = most * MAX_GROWTH;
  const limit = (): number => {
    const pages = pagesFor(file);
    return pages < longest ? Math.max(MIN_PAGES, Math.min(pages, most)) : longest;
  };
  keepLimit(db, file, limit, () => {
    if (logBytes(file) > (most * PAGE_BYTES) / 2) checkpointer.start();
  });
  return checkpointer;
}

/** `onChecked` is called every second, but not at the start, which many short commands have. */
function keepLimit(
  db: DatabaseSync,
  file: string,
  limit: () => number,
  onChecked: () => void,
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

/**
 * Moves a long log into its file while commits go on, in a thread of its own: SQLite itself does it
 * at the end of a commit, and all callers wait for up to 0.6 s meanwhile. If there can be no
 * thread, that is what happens.
 */
class Checkpointer {
  readonly #path: string;
  readonly #pages: number;
  #isStarted = false;
  #worker: Worker | null = null;
  #exited: Promise<void> | null = null;

  constructor(path: string, pages: number) {
    this.#path = path;
    this.#pages = pages;
  }

  /** Most services never need it: they write too little. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const workerData: CheckpointerData = { path: this.#path, pages: this.#pages };
    try {
      const worker = new Worker(new URL(CHECKPOINTER, import.meta.url), { workerData });
      worker.on('error', () => {}).unref();
      this.#worker = worker;
      this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    } catch {
      // The system may refuse another thread.
    }
  }

  /** It has closed the file then, so that whoever closes it last removes the log. */
  async stop(): Promise<void> {
    this.#worker?.ref();
    this.#worker?.postMessage('stop');
    await this.#exited;
  }
}

export interface CheckpointerData {
  path: string;
  /** The length of a log that is moved. */
  pages: number;
}
