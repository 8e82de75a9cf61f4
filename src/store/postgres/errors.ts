/** The connection broke; what was asked on it may or may not have happened. */
export class ConnectionLost extends Error {}

/** There is a server, but it only follows another one. */
export class Standby extends ConnectionLost {}

/** A batch was decided by memory, and it was wrong. */
export class StaleCache extends Error {}

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

const GONE =
  /^(08...|57P0[1-5]|25006|ECONN\w+|E(HOST|NET)UNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+)$/;

/**
 * Whether the server itself is gone, going or not yet there, rather than one statement being wrong:
 * shutting down, starting up, read-only after a change of roles, or not to be reached at all.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return GONE.test(codeOf(error));
}

/**
 * Nothing was written, and it may be tried again at once: a wrong memory, a deadlock, two of one
 * new key, or a statement that is no longer prepared as it was, and will be.
 */
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof StaleCache ||
  ['40001', '40P01', '23505', '26000'].includes(codeOf(error)) ||
  isOutdated(error) ||
  isTwice(error);

/** Citus tells of a new key that another server has already as of a fault of its own. */
const isTwice = (error: unknown): boolean =>
  codeOf(error) === 'XX000' && /^duplicate key value/.test((error as Error).message);

/** A table was changed since the statement was prepared. */
const isOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test((error as Error).message);

/** Somebody else keeps a lock for longer than we wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** The transaction was undone because the server has too much to do. */
export const isBusy = (error: unknown): boolean => /^(55P03|57014|53...)$/.test(codeOf(error));

const NOT_FOUND =
  /^(25006|28...|3D000|ECONNREFUSED|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_\w+)$/;
/** What the driver says without a code, and what is said of certificates. */
const NOT_MET = /^timeout expired|^SASL:|\bSSL\b|certificate|permission denied for database/;

/** Whether the address or the login is at fault, rather than what was found there. */
export function isAddressError(error: unknown): boolean {
  if (error instanceof Standby || NOT_FOUND.test(codeOf(error))) return true;
  return error instanceof Error && NOT_MET.test(error.message);
}

/** The user may log in but not make tables. */
export const lacksSchema = (error: unknown): boolean =>
  codeOf(error) === '42501' && /for schema/.test((error as Error).message);
