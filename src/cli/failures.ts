import { ConfigError } from '../config.ts';
import { ProblemError, problemBody } from '../contract/problems.ts';
import { StartError } from '../service.ts';
import { UsageError } from './command.ts';

export interface Failure {
  exitCode: 1 | 2;
  code: string;
  /** One line for people. */
  detail: string;
  extra?: Record<string, unknown>;
}

/** What went wrong, for people and programs: 2 for what was typed or set, 1 for the rest. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { exitCode: 2, code: 'invalid-arguments', detail: error.message };
  }
  if (error instanceof ConfigError) {
    const detail = `Correct these settings: ${error.message}.`;
    return { exitCode: 2, code: 'invalid-settings', detail };
  }
  if (error instanceof StartError) return { exitCode: 1, code: error.code, detail: error.message };
  if (error instanceof ProblemError) {
    const { detail } = problemBody(error.code, error.extra, '');
    return { exitCode: 1, code: error.code, detail, extra: error.extra };
  }
  return unexpected(error);
}

/** The system's own words are clear enough; anything else is a fault of ours, told in full. */
function unexpected(error: unknown): Failure {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  const isOfTheSystem = typeof code === 'string' && /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code);
  const detail = isOfTheSystem ? `${message}.` : `This is a fault of Realmkeep: ${stack ?? error}`;
  return { exitCode: 1, code: 'internal', detail };
}
