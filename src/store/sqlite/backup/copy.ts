import { copyFileSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import { refuseNewer, StoreRefusal } from '../../refusal.ts';
import { verifyRealm } from '../../verification.ts';
import {
  migrate,
  migrations,
  open,
  openForScanning,
  refuseForeign,
  schemaVersion,
} from '../database.ts';
import { sqliteSnapshots } from '../inspection.ts';
import { integrityFault } from '../integrity.ts';
import { Draft } from './draft.ts';

/** 16 MB between two reports of progress. */
const PAGES_PER_STEP = 4_096;

/** How far a copy is: pages while it is copied, records while it is verified. */
export interface CopyProgress {
  step: 'copying' | 'verifying';
  done: number;
  total: number;
}

export type OnCopyProgress = (progress: CopyProgress) => void;

/** The end of a realm's journal. */
export interface RealmEnd {
  realmId: string;
  records: number;
  head: string;
}

interface FileVerdict {
  realms: RealmEnd[];
  /** The first fault; null if there is none. */
  fault: string | null;
}

/**
 * Copies a database, as it is now, into an empty file; others may write meanwhile. SQLite's backup
 * starts again whenever somebody else has written, unless its connection is in a transaction: then
 * it copies what that transaction sees.
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress: OnCopyProgress,
): Promise<void> {
  using source = openForScanning(from);
  source.exec('BEGIN');
  requireOwn(source);
  await backup(source, to, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages: total, remainingPages }) =>
      onProgress({ step: 'copying', done: total - remainingPages, total }),
  });
  // One file that needs no log beside it, and can be read where nothing may be written.
  open(to, 'PRAGMA journal_mode = DELETE').close();
}

/** Refuses a file that has nothing of Realmkeep, or is of a later version. */
export function requireOwn(db: DatabaseSync): void {
  refuseForeign(db);
  const version = schemaVersion(db);
  if (version === 0) throw new StoreRefusal('nothing-to-copy', 'it is empty');
  refuseNewer(version, migrations.length);
}

/**
 * Checks the file, and the journal and the tables of every realm. Only the current schema can be
 * checked, so of an older file a copy is migrated and checked, and the file stays as it is.
 */
export async function verifyFile(
  path: string,
  onProgress: OnCopyProgress,
  all = migrations,
): Promise<FileVerdict> {
  const damage = integrityFault(path);
  if (damage !== null) return { realms: [], fault: damage };
  if (versionOf(path) === all.length) return verifyRealms(path, onProgress);
  using copy = new Draft(path);
  copyFileSync(path, copy.path);
  migrateFile(copy.path, all);
  return await verifyRealms(copy.path, onProgress);
}

function versionOf(path: string): number {
  using db = openForScanning(path);
  return schemaVersion(db);
}

/** Migrates a file that nobody else has open. */
export function migrateFile(path: string, all = migrations): void {
  using db = open(path, '');
  migrate(db, all);
}

async function verifyRealms(path: string, onProgress: OnCopyProgress): Promise<FileVerdict> {
  const realms = realmsIn(path);
  const total = realms.reduce((sum, { records }) => sum + records, 0);
  const inSnapshot = sqliteSnapshots(path);
  let before = 0;
  for (const { realmId, records } of realms) {
    const verdict = await inSnapshot((run) =>
      verifyRealm(run, realmId, (step, checked) => {
        const done = before + (step === 'journal' ? checked : records);
        onProgress({ step: 'verifying', done, total });
      }),
    );
    if (!verdict?.ok) {
      const fault = verdict?.fault.detail ?? 'it is missing';
      return { realms, fault: `realm ${realmId}: ${fault}` };
    }
    before += records;
  }
  return { realms, fault: null };
}

function realmsIn(path: string): RealmEnd[] {
  using db = openForScanning(path);
  const rows = db.prepare(
    `SELECT realm_id, seq, lower(hex(head)) AS head FROM realms WHERE deleted_at IS NULL`,
  );
  return rows.all().map(({ realm_id, seq, head }) => ({
    realmId: String(realm_id),
    records: Number(seq),
    head: String(head),
  }));
}
