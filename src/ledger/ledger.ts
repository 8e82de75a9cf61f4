import type { AnswerTo, CommandName, CommandOf, Outcome } from '../domain/commands.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import type { Verdict, Verification } from '../domain/rules/audit.ts';
import { Unavailable } from './errors.ts';
import type { Housekeeping, WrittenListener } from './store.ts';

/** Where an answer goes. Nothing more is done for a caller that has disconnected. */
export interface Caller {
  readonly destroyed: boolean;
}

/** The engine as everything above sees it: executes commands and answers queries. */
export interface Ledger {
  /** Resolves once the outcome is durable. Rejects with `Unavailable` or `InDoubt`. */
  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>>;
  /** Rejects with `Unavailable` if there is too much to do, or the caller has disconnected. */
  query<N extends QueryName>(
    name: N,
    params: QueryParams<N>,
    caller?: Caller,
  ): Promise<QueryResult<N>>;
  /**
   * Calls the listener with realms whose journals have grown: at once if this process has written
   * to them, and if another one has where the storage passes that on; null for any realm. What a
   * failure hides is not reported, so it is a hint, and the journal has to be read now and then.
   */
  onWritten(listener: WrittenListener): void;
  housekeeping: Housekeeping;
  /** Completes everything already accepted, then closes the storage. */
  close(): Promise<void>;
}

/** A ledger that executes commands, and nothing else. */
export type Executor = Pick<Ledger, 'execute'>;

/** The pauses between two looks at a check: short at first, since most realms are small. */
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 200;

/**
 * Starts a check of a realm and waits for its end, in short calls: no thread and no connection is
 * occupied meanwhile. `onProgress` may throw to stop waiting; the check goes on. Returns null if
 * there is no such realm.
 */
export async function followVerification(
  ledger: Ledger,
  realmId: string,
  onProgress: (check: Verification) => void,
): Promise<Verdict | null> {
  const realm = await ledger.query('realm', { realmId });
  if (realm === null) return null;
  const { createdAt } = realm;
  let check: Verification | null = await ledger.query('startVerification', { realmId, createdAt });
  const { id } = check;
  let pauseMs = FIRST_PAUSE_MS;
  while (check?.status === 'queued' || check?.status === 'running') {
    onProgress(check);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    check = await ledger.query('verification', { realmId, createdAt, id });
  }
  if (check?.status === 'done') return check.result;
  throw new Unavailable('storage-unavailable', 'the check could not be completed');
}
