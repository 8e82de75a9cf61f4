import { Unavailable, type UnavailableReason } from '../../ledger/errors.ts';

/** The connection dropped; what was sent on it may or may not have been executed. */
export class ConnectionLost extends Error {}

/** The server is a standby, which cannot be written. */
export class Standby extends ConnectionLost {}

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

const UNAVAILABLE =
  /^(08...|57P0[1-5]|25006|ECONN\w+|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+)$/;

/**
 * Whether the server itself is unavailable, rather than one statement at fault: it is shutting
 * down, starting up, read-only after a failover, or cannot be reached.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ConnectionLost || UNAVAILABLE.test(codeOf(error));

/** A serialisation failure, a deadlock, a duplicate key, or a statement that is not prepared. */
const TRANSIENT = /^(40001|40P01|23505|26000)$/;

/** Nothing was written, and the same work may succeed at once. */
export const isTransient = (error: unknown): boolean =>
  TRANSIENT.test(codeOf(error)) || isOutdatedPlan(error);

/** A table was altered since the statement was prepared. */
const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test((error as Error).message);

/** Another transaction keeps a lock for longer than this one waits. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** A statement before it in the same transaction failed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02';

/** An error as the engine understands it: what is not our fault can be tried again later. */
export function toDomainError(error: unknown): unknown {
  const reason = reasonOf(error);
  return reason ? new Unavailable(reason, (error as Error).message, { cause: error }) : error;
}

function reasonOf(error: unknown): UnavailableReason | null {
  const code = codeOf(error);
  if (code === DISK_FULL) return 'storage-full';
  if (isUnavailable(error) || DISK_FAILS.test(code)) return 'storage-unavailable';
  return OVERLOADED.test(code) ? 'overloaded' : null;
}

const DISK_FULL = '53100';
const DISK_FAILS = /^58...$/;
/** The server undid the transaction. */
const OVERLOADED = /^(55P03|57014|53...)$/;

const UNREACHABLE =
  /^(25006|28...|3D000|ECONNREFUSED|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_\w+)$/;
/** Messages of the driver, which have no code, and those about certificates. */
const UNREACHABLE_MESSAGE =
  /^timeout expired|^SASL:|\bSSL\b|certificate|permission denied for database/;

/** Whether the address or the credentials are wrong, rather than the database behind them. */
export function isAddressError(error: unknown): boolean {
  if (error instanceof Standby || UNREACHABLE.test(codeOf(error))) return true;
  return error instanceof Error && UNREACHABLE_MESSAGE.test(error.message);
}

/** The role may log in but not create tables. */
export const lacksSchema = (error: unknown): boolean =>
  codeOf(error) === '42501' && /for schema/.test((error as Error).message);
