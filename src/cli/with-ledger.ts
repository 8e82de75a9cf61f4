import { readConfig } from '../config.ts';
import type { Operation } from '../contract/operation.ts';
import { ProblemError, type RequestFault } from '../contract/problems.ts';
import { type RequestParts, requestCheck } from '../contract/validation.ts';
import type { AnswerTo, CommandName, CommandOf, Envelope } from '../domain/commands.ts';
import type { ApiKey } from '../domain/model.ts';
import type { Ledger } from '../engine/ledger.ts';
import { databaseExists, openLedger, StartError } from '../service.ts';
import { UsageError } from './command.ts';
import { instant, instantOrNull } from './table.ts';

/** Works on the database of the settings, also while a server runs on it. */
export async function withLedger<T>(
  work: (ledger: Ledger) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const config = readConfig();
  // A command typed in the wrong folder should say so, not leave an empty database there.
  if (!create && !(await databaseExists(config))) {
    throw new StartError(
      'database-unusable',
      `There is no database ${config.database.shown}. Set DATABASE_URL, or create a realm first.`,
    );
  }
  const ledger = await openLedger(config);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

export const asCli = (realmId: string): Envelope => ({ realmId, actor: 'cli', idempotency: null });

/** Carries out a command, or throws the problem that its refusal is. */
export async function carryOut<N extends CommandName>(
  ledger: Ledger,
  command: CommandOf<N>,
): Promise<AnswerTo<N>> {
  const outcome = await ledger.execute(command);
  if ('answer' in outcome) return outcome.answer;
  if ('refusal' in outcome) throw new ProblemError(outcome.refusal.code, outcome.refusal.extra);
  throw new Error(outcome.fault);
}

/** Checks arguments as the API checks the same request. `names` says what each place is here. */
export function checkArguments(
  operation: Operation,
  parts: Partial<RequestParts>,
  names: Record<string, string>,
): void {
  try {
    requestCheck(operation)({ params: {}, query: {}, headers: {}, body: undefined, ...parts });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const faults = (error.extra.errors ?? []) as RequestFault[];
    const sentences = faults.map(({ pointer, detail }) => {
      const place = Object.keys(names).find((each) => `${pointer}/`.startsWith(`${each}/`));
      // Nobody writes JSON on a command line.
      return `${names[place ?? ''] ?? pointer} ${detail.replace('a JSON integer', 'an integer')}`;
    });
    throw new UsageError(`${[...new Set(sentences)].join('; ')}.`);
  }
}

/** A key as the API shows it. */
export const keyView = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  scopes,
  createdAt: instant(createdAt),
  expiresAt: instantOrNull(expiresAt),
  lastUsedAt: instantOrNull(lastUsedAt),
});
