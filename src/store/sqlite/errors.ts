import { Unavailable, type UnavailableReason } from '../../ledger/errors.ts';

const SQLITE = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** The index of a log could not grow. SQLite calls that an I/O error, but it is a full disk. */
const IOERR_SHMSIZE = 4_874;

/** SQLite's code of an error, which is the lowest byte of the extended code; 0 if it has none. */
const codeOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256;

/** The code of an error of the file system, such as `ENOSPC`. */
const systemCodeOf = (error: unknown): string => String((error as { code?: unknown }).code);

export const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE.BUSY;

/** Whether the file is not as SQLite would have written it. */
export const isDamaged = (error: unknown): boolean =>
  codeOf(error) === SQLITE.CORRUPT || isNoDatabase(error);

export const isNoDatabase = (error: unknown): boolean => codeOf(error) === SQLITE.NOTADB;

/** An extended code of our own, which survives the way between threads. */
const FOREIGN = SQLITE.NOTADB + 256;

/** An error that is handled like a file that is no database at all: it is the wrong file. */
export const foreignDatabase = (): Error =>
  Object.assign(new Error('it is a database of another program'), { errcode: FOREIGN });

export const isForeign = (error: unknown): boolean =>
  (error as { errcode?: number }).errcode === FOREIGN;

/** Whether no space is left on the disk, or none that the user may take. */
export const isFull = (error: unknown): boolean =>
  codeOf(error) === SQLITE.FULL ||
  (error as { errcode?: number }).errcode === IOERR_SHMSIZE ||
  /^(ENOSPC|EDQUOT)$/.test(systemCodeOf(error));

export const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === SQLITE.READONLY || /^(EACCES|EPERM|EROFS)$/.test(systemCodeOf(error));

/** Whether the disk failed to read or write, such as by a failed fsync. */
export const isDiskError = (error: unknown): boolean => codeOf(error) === SQLITE.IOERR;

/** Whether the file is no database, is of another program, or cannot be opened or created. */
export const isPathError = (error: unknown): boolean =>
  codeOf(error) === SQLITE.CANTOPEN ||
  isNoDatabase(error) ||
  /^E(NOENT|NOTDIR|ISDIR|LOOP|NAMETOOLONG)$/.test(systemCodeOf(error));

/** Whether the disk is to blame: it is full, fails, or cannot be written. */
const isDiskFailure = (error: unknown): boolean =>
  isFull(error) || isDiskError(error) || isReadOnly(error) || codeOf(error) === SQLITE.CANTOPEN;

/** An error as the engine understands it: what is the disk's fault can be tried again later. */
export function toDomainError(error: unknown): unknown {
  const reason = reasonOf(error);
  if (reason === null) return error;
  return new Unavailable(reason, (error as Error).message, { cause: error });
}

function reasonOf(error: unknown): UnavailableReason | null {
  if (isDamaged(error)) return 'storage-damaged';
  if (isFull(error)) return 'storage-full';
  return isDiskFailure(error) ? 'storage-unavailable' : null;
}
