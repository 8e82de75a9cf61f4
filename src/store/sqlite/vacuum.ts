import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../refusal.ts';
import { open } from './database.ts';
import { isBusy } from './errors.ts';
import { requireSpace, sizeOf } from './space.ts';

/** Writers that are faster than this let the rewriting begin. */
const TIMEOUT_MS = 30_000;

/**
 * Writes the file anew, without what deleted and changed rows leave behind, and empties its log.
 * Works while a service runs, whose writes wait meanwhile. Returns the size of the file.
 */
export function vacuum(path: string): number {
  const folder = dirname(resolve(path));
  // Once in a temporary file, and once more in the log.
  requireSpace(folder, 2 * sizeOf(path));
  using db = open(path, '', undefined, TIMEOUT_MS);
  try {
    // In a container, the usual folder for temporary files is in memory.
    db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'; VACUUM`);
    emptyLog(db);
  } catch (error) {
    throw isBusy(error) ? inUse(error) : error;
  }
  return statSync(path).size;
}

/** Everything was written to the log first; before it lie the old pages. */
function emptyLog(db: DatabaseSync): void {
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy === 1) throw inUse();
}

const inUse = (cause?: unknown): StoreRefusal =>
  new StoreRefusal('database-in-use', 'another process uses it without a pause. Try again', {
    cause,
  });
