import { ConfigError } from '../config.ts';
import { ProblemError, problemBody } from '../contract/problems.ts';
import { StartError } from '../service.ts';
import { UsageError } from './command.ts';

/** What shells say of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;

export interface Failure {
  exitCode: 1 | 2 | typeof INTERRUPTED;
  code: string;
  /** One line for people. */
  detail: string;
  extra?: Record<string, unknown>;
}

/** Where the API advises a call, a command does the same here. */
function detailOf({ code, extra }: ProblemError): string {
  if (code !== 'realm-not-found') return problemBody(code, extra, '').detail;
  const name = typeof extra.realmId === 'string' ? `realm "${extra.realmId}"` : 'such realm';
  return `There is no ${name}. "realmkeep verify" lists those that there are.`;
}

/** What went wrong, for people and programs: 2 for what was typed or set, 1 for most others. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { exitCode: 2, code: 'invalid-arguments', detail: error.message };
  }
  if (error instanceof ConfigError) {
    const detail = `Correct these settings: ${error.message}.`;
    return { exitCode: 2, code: 'invalid-settings', detail };
  }
  if (error instanceof StartError) {
    const { code, message: detail } = error;
    return { exitCode: code === 'interrupted' ? INTERRUPTED : 1, code, detail };
  }
  if (error instanceof ProblemError) {
    const { code, extra } = error;
    return { exitCode: 1, code, detail: detailOf(error), extra };
  }
  return unexpected(error);
}

/** The system's own words are clear enough; anything else is a fault of ours, told in full. */
function unexpected(error: unknown): Failure {
  const { code, message, stack, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { exitCode: 1, code: 'no-such-file', detail: missing(path) };
  const isOfTheSystem = typeof code === 'string' && /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code);
  const detail = isOfTheSystem ? `${message}.` : `This is a fault of Realmkeep: ${stack ?? error}`;
  return { exitCode: 1, code: 'internal', detail };
}

const missing = (path: string | undefined): string =>
  `There is no file ${path ?? 'of that name'}. Check the path.`;
