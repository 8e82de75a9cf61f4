import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreRefusal } from '../refusal.ts';
import { open } from './database.ts';
import { isBusy } from './errors.ts';
import { projectionsPath } from './projections/database.ts';
import { requireSpace, sizeOf } from './space.ts';

/** Writers that are faster than this let the rewriting begin. */
const TIMEOUT_MS = 30_000;

/**
 * Writes both files anew, without what deleted and changed rows leave behind, and empties their
 * logs. Works while a service runs, whose writes wait meanwhile. Returns the size of the files.
 */
export function vacuum(path: string): number {
  const files = [path, projectionsPath(path)].filter((file) => existsSync(file));
  const folder = dirname(resolve(path));
  // Each once in a temporary file, and once more in the log.
  requireSpace(folder, 2 * Math.max(...files.map(sizeOf)));
  for (const file of files) {
    using db = open(file, '', undefined, TIMEOUT_MS);
    try {
      // In a container, the usual folder for temporary files is in memory.
      db.exec(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'; VACUUM`);
      emptyLog(db);
    } catch (error) {
      throw isBusy(error) ? inUse(error) : error;
    }
  }
  return files.reduce((bytes, file) => bytes + statSync(file).size, 0);
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
