import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { Integrity } from '../../ledger/store.ts';
import { firstRealms, quickFault } from '../inspection.ts';
import { migrations, openForScanning, schemaVersion } from './database.ts';
import { SqliteDriver } from './driver.ts';
import { isDamaged, isNoDatabase } from './errors.ts';

/**
 * Larger files are not read as a whole at the start: with a cold cache that takes a second for
 * every few hundred megabytes. The check in the background reads them.
 */
const QUICK_CHECK_BYTES = 256 * 1024 * 1024;
const REALMS_LOOKED_AT = 100;

/** The first fault that a look at a file before its use finds; null if there is none. */
export function startFault(path: string, open = openForScanning): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > QUICK_CHECK_BYTES) return null;
  // A file that is no database at all is more likely the wrong file.
  const isFault = (error: unknown) => isDamaged(error) && !isNoDatabase(error);
  return faultOf(
    () => open(path),
    (db) => checkFault(db, 'quick_check'),
    isFault,
  );
}

/** The first fault that a complete check of a file finds; null if there is none. */
export const integrityFault = (path: string): string | null =>
  existsSync(path)
    ? faultOf(
        () => openForScanning(path),
        (db) => checkFault(db, 'integrity_check'),
      )
    : null;

function faultOf(
  open: () => DatabaseSync,
  check: (db: DatabaseSync) => string | null,
  isFault: (error: unknown) => boolean = isDamaged,
): string | null {
  try {
    using db = open();
    return check(db);
  } catch (error) {
    if (isFault(error)) return (error as Error).message;
    throw error;
  }
}

function checkFault(db: DatabaseSync, pragma: 'quick_check' | 'integrity_check'): string | null {
  const [result] = Object.values(db.prepare(`PRAGMA ${pragma}(1)`).get() ?? {});
  return result === 'ok' ? null : String(result).replaceAll(/\s+/g, ' ');
}

/** What a look at the first realms of a file finds, unless it is yet to be migrated. */
export const realmFault = (path: string): string | null =>
  existsSync(path) ? faultOf(() => openForScanning(path), firstRealmFault) : null;

function firstRealmFault(db: DatabaseSync): string | null {
  if (schemaVersion(db) !== migrations.length) return null;
  db.exec('BEGIN');
  const driver = new SqliteDriver(db);
  for (const realm of driver.run(firstRealms(REALMS_LOOKED_AT))) {
    const fault = driver.run(quickFault(realm));
    if (fault !== null) return `in realm ${realm.id} ${fault}`;
  }
  return null;
}

/**
 * Checks the file completely. That reads all of it and cannot be interrupted, so it has a process
 * of its own, which a stop can kill and which yields to the service on a busy machine.
 */
export function checkFile(path: string, signal?: AbortSignal): Promise<Integrity> {
  return new Promise((resolve, reject) => {
    const args = [import.meta.filename, path];
    const options = { signal, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, args, options, (error, stdout) => {
      if (error) reject(error);
      else resolve(JSON.parse(stdout));
    });
  });
}

const [, entry, path] = process.argv;
if (entry === import.meta.filename && path !== undefined) {
  setPriority(constants.priority.PRIORITY_LOW);
  const integrity: Integrity = { fault: integrityFault(path) };
  process.stdout.write(JSON.stringify(integrity));
}
