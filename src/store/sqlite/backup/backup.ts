import { fork } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { StoreRefusal, type StoreRefusalReason } from '../../refusal.ts';
import { createFolder } from '../database.ts';
import { requireSpace, sizeOf } from '../space.ts';
import {
  type CopyProgress,
  copyDatabase,
  type OnCopyProgress,
  type RealmEnd,
  verifyFile,
} from './copy.ts';
import { Draft, removeAbandonedDrafts } from './draft.ts';

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
