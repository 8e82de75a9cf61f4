import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointerData } from './checkpointer.ts';

/** The entry of the thread of a Checkpointer. */
const CHECK_MS = 50;

const { path, pages } = workerData as CheckpointerData;
const db = new DatabaseSync(path, { timeout: 0 });
// The file is synchronised before its log may begin anew. Pages pass through without being cached.
db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -1024');
const length = db.prepare('PRAGMA wal_checkpoint(NOOP)');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

type LengthRow = { log: number; checkpointed: number };

function check(): void {
  try {
    const { log, checkpointed } = length.get() as LengthRow;
    if (log - checkpointed >= pages) checkpoint.get();
  } catch {
    // The writer finds out whether the disk is full or broken.
  }
}

const timer = setInterval(check, CHECK_MS);
parentPort?.once('message', () => {
  clearInterval(timer);
  db.close();
  parentPort?.close();
});
