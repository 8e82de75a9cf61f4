import { readConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { ConfigError } from '../config/parsers.ts';
import type { Extra } from '../contract/messages.ts';
import { type ProblemCode, ProblemError, problemBody } from '../contract/problems.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../ledger/errors.ts';
import { UsageError } from './command.ts';

/** The exit code that shells report for a program ended by Ctrl-C. */
export const INTERRUPTED = 130;

interface Failure {
  exitCode: 1 | 2 | typeof INTERRUPTED;
  code: string;
  /** One line, for people. */
  detail: string;
  extra?: Record<string, unknown>;
}

/** Where the API's sentence advises an API call, the command line advises a command or option. */
const sentences: Partial<Record<ProblemCode, (extra: Extra) => string>> = {
  'realm-not-found': ({ realmId }) => {
    const name = typeof realmId === 'string' ? `realm "${realmId}"` : 'such realm';
    const { shown } = readConfig().database;
    return `There is no ${name} in ${shown}. "npx realmkeep realm list" lists those it has.`;
  },
  'member-not-found': ({ memberId }) =>
    `This realm has no member ${memberId}. "npx realmkeep member list <realm>" lists all.`,
  'balance-not-zero': ({ memberId, balance, realmPointId }) =>
    `Member ${memberId} still has ${balance} of "${realmPointId}". Move these points first, or ` +
    'give them up with --forfeit.',
};

const detailOf = ({ code, extra }: ProblemError): string =>
  sentences[code]?.(extra) ?? problemBody(code, extra, '').detail;

export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return failed('invalid-arguments', error.message, 2);
  if (error instanceof ConfigError) {
    return failed('invalid-settings', `Invalid settings: ${error.message}.`, 2);
  }
  if (error instanceof OperatorError) {
    return failed(error.code, error.message, error.code === 'interrupted' ? INTERRUPTED : 1);
  }
  if (error instanceof ProblemError) {
    return { ...failed(error.code, detailOf(error)), extra: error.extra };
  }
  if (error instanceof Unavailable) {
    const { reason, message } = error;
    return failed(reason, `The database failed: ${message}. ${advice[reason]}`);
  }
  if (error instanceof InDoubt) {
    const found = `The database failed during the write: ${error.message}.`;
    const then = 'The change may have been made: look before you run it again.';
    return failed('outcome-unknown', `${found} ${then}`);
  }
  return unexpected(error);
}

const failed = (code: string, detail: string, exitCode: Failure['exitCode'] = 1): Failure => ({
  exitCode,
  code,
  detail,
});

const advice: Record<UnavailableReason, string> = {
  overloaded: 'Run it again in a minute.',
  'storage-full': 'Free some space on its disk, then run it again.',
  'storage-unavailable': 'Run it again when the database is back.',
  'storage-damaged': 'Stop the service and restore a backup (docs/backup.md).',
};

/** The system's own messages are clear enough; anything else is a bug, reported in full. */
function unexpected(error: unknown): Failure {
  const { code, message, stack, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return failed('no-such-file', `There is no file ${path ?? 'of that name'}. Check the path.`);
  }
  const isSystemError = typeof code === 'string' && /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code);
  const detail = isSystemError ? `${message}.` : `This is a bug in Realmkeep: ${stack ?? error}`;
  return failed('internal', detail);
}
