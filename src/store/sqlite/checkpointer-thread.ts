import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointerData } from './log-limit.ts';

/** The entry of the thread of a Checkpointer. */
const CHECK_MS = 50;
/** After a failure: with a full disk, every attempt would write the same pages again. */
const PAUSE_MS = 2_000;
/**
 * What commits add to the log while it is moved is left to the next pass, which is shorter. Only
 * one that leaves nothing synchronises the file and lets the log begin anew.
 */
const PASSES = 10;

const { path, pages } = workerData as CheckpointerData;
const db = new DatabaseSync(path, { timeout: 0 });
// The file is synchronised before its log may begin anew. Pages pass through without being cached.
db.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -1024');
const length = db.prepare('PRAGMA wal_checkpoint(NOOP)');
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

type LengthRow = { log: number; checkpointed: number };

let pausedUntil = 0;

function check(): void {
  if (performance.now() < pausedUntil) return;
  try {
    moveIfLong();
  } catch {
    // The writer finds out whether the disk is full or broken.
    pausedUntil = performance.now() + PAUSE_MS;
  }
}

/** As long as somebody reads from the log it cannot begin anew: then a quarter is worth a pass. */
function moveIfLong(): void {
  let { log, checkpointed } = length.get() as LengthRow;
  if (log < pages || log - checkpointed < pages / 4) return;
  for (let pass = 0; pass < PASSES && checkpointed < log; pass++) {
    ({ log, checkpointed } = checkpoint.get() as LengthRow);
  }
}

const timer = setInterval(check, CHECK_MS);
parentPort?.once('message', () => {
  clearInterval(timer);
  db.close();
  parentPort?.close();
});
