import { fork } from 'node:child_process';
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { refuseNewer, StoreRefusal, type StoreRefusalReason } from '../../refusal.ts';
import { verifyRealm } from '../../verification.ts';
import {
  createFolder,
  migrate,
  migrations,
  open,
  openForScanning,
  type RealmEnd,
  realmEnds,
  refuseForeign,
  schemaVersion,
} from '../database.ts';
import { requireSpace, sizeOf } from '../disk.ts';
import { integrityFault } from '../integrity.ts';
import { sqliteSnapshots } from '../store.ts';
import { Draft, removeAbandonedDrafts } from './files.ts';

/** 16 MB between two reports of progress. */
const PAGES_PER_STEP = 4_096;

/** How far a copy is: pages while it is copied, records while it is verified. */
export interface CopyProgress {
  step: 'copying' | 'verifying';
  done: number;
  total: number;
}

export type OnCopyProgress = (progress: CopyProgress) => void;

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
  using db = openForScanning(path);
  const realms = realmEnds(db);
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

export interface Backup {
  path: string;
  bytes: number;
  realms: RealmEnd[];
}

/** The backup appears under its name when it is complete, verified and on disk. */
async function backUp(from: string, to: string, onProgress: OnCopyProgress): Promise<Backup> {
  createFolder(dirname(to));
  removeAbandonedDrafts(dirname(to));
  if (existsSync(to)) throw new StoreRefusal('backup-exists', to);
  requireSpace(dirname(to), sizeOf(from));
  using draft = new Draft(to);
  await copyDatabase(from, draft.path, onProgress);
  const { realms, fault } = await verifyFile(draft.path, onProgress);
  if (fault !== null) throw new StoreRefusal('copy-faulty', fault);
  const { size: bytes } = statSync(draft.path);
  draft.publish();
  return { path: to, bytes, realms };
}

export interface BackupWatch {
  onProgress?: OnCopyProgress;
  /** Ends the backup, of which nothing is left. */
  signal?: AbortSignal;
}

/** What an error has to say beyond its message, once it has crossed to another process. */
interface Failure {
  message: string;
  reason?: StoreRefusalReason;
  code?: string;
  errcode?: number;
}

type Message = { progress: CopyProgress } | { backup: Backup } | { failure: Failure };

/**
 * Backs up in a process of its own, which yields to the service on a busy machine: to verify a
 * journal takes the processor for long, and SQLite's check of a file cannot be interrupted.
 */
export function backUpInProcess(from: string, to: string, watch: BackupWatch): Promise<Backup> {
  const { promise, resolve, reject } = Promise.withResolvers<Backup>();
  const child = fork(import.meta.filename, [from, to], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    killSignal: 'SIGKILL',
    ...(watch.signal && { signal: watch.signal }),
  });
  let settle = (): void => undefined;
  child.on('message', (message: Message) => {
    if ('progress' in message) watch.onProgress?.(message.progress);
    else if ('backup' in message) settle = () => resolve(message.backup);
    else settle = () => reject(revived(message.failure));
  });
  // An aborted process is killed, and has yet to end.
  child.on('error', (error) => (child.pid === undefined ? reject(error) : undefined));
  child.on('close', (code, signal) => {
    removeAbandonedDrafts(dirname(to));
    settle();
    reject(new Error(`the process that makes it ended with ${signal ?? code}`));
  });
  return promise;
}

function revived({ message, reason, ...codes }: Failure): Error {
  return reason ? new StoreRefusal(reason, message) : Object.assign(new Error(message), codes);
}

const [, entry, from, to] = process.argv;
if (entry === import.meta.filename && from !== undefined && to !== undefined) {
  // Nobody would learn of the backup, and the next one would run beside it.
  process.on('disconnect', () => process.exit());
  setPriority(constants.priority.PRIORITY_LOW);
  const send = (message: Message): boolean | undefined => process.send?.(message);
  await backUp(from, to, (progress) => send({ progress })).then(
    (backup) => send({ backup }),
    ({ message, reason, code, errcode }) => send({ failure: { message, reason, code, errcode } }),
  );
  process.disconnect?.();
}
