import type { RealmChanges } from '../../domain/facts.ts';
import { compareText } from '../../domain/rules/books.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { InDoubt } from '../../engine/errors.ts';
import {
  type Batch,
  type BatchWriter,
  type Patience,
  RealmLocked,
  type Writing,
} from '../../engine/store.ts';
import { RealmCache } from '../realm-cache.ts';
import type { Database } from './database.ts';
import {
  ConnectionLost,
  isLockTimeout,
  isTransient,
  isUnavailable,
  toDomainError,
} from './errors.ts';
import { markedChanges, wasWritten } from './in-doubt.ts';
import { Lane } from './lane.ts';
import { commitUnderLock } from './locked-commit.ts';
import { commitOptimistically } from './optimistic-commit.ts';
import { NotWritten, OutcomeUnknown } from './transaction.ts';

const MAX_ATTEMPTS = 4;
/** How long a batch is retried. */
const RETRY_MS = 5_000;
/** How long an unknown outcome is investigated before it is reported as in doubt. */
const SETTLE_MS = 5_000;
const PAUSE_MS = 200;

/** What happens to a batch that was certainly not written. */
function actionOn(
  cause: unknown,
  patience: Patience,
): 'set apart' | 'retry later' | 'retry' | 'give up' {
  if (isLockTimeout(cause)) return patience === 'yield' ? 'set apart' : 'retry later';
  return isUnavailable(cause) || isTransient(cause) ? 'retry' : 'give up';
}

interface BatchWriterOptions {
  realmsPerBatch: number;
  /** Whether batches are decided from cached facts where possible. */
  isOptimistic: boolean;
  onWritten: (changes: RealmChanges) => void;
  /** For the batches of realms that are set apart, which take long or wait for a lock. */
  apart: Lane;
}

/**
 * Writes batches on connections of its own. The statements of a batch follow those of the batch
 * before without waiting for its end. The realm's row is the lock, so the writes of all nodes form
 * one order. A batch that certainly was not written is retried; one whose outcome is unknown is not
 * until the journal shows that it was not written.
 */
export class PostgresBatchWriter implements BatchWriter {
  readonly limits: BatchWriter['limits'];
  readonly #onWritten: (changes: RealmChanges) => void;
  readonly #cache: RealmCache | null;
  readonly #lanes: Record<Patience, Lane>;

  constructor(database: Database, options: BatchWriterOptions) {
    const { realmsPerBatch, isOptimistic, onWritten, apart } = options;
    // Two batches in flight keep the server busy; a third would only make batches smaller.
    this.limits = { realmsPerBatch, inFlight: 2 };
    this.#lanes = { yield: new Lane(database), persist: apart };
    this.#cache = isOptimistic ? new RealmCache() : null;
    this.#onWritten = onWritten;
  }

  write(batch: Batch, patience: Patience): Writing {
    // The order in which realms are locked: any will do, as long as all nodes use the same.
    const needs = batch.needs.toSorted((a, b) => compareText(a.realmId, b.realmId));
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const done = this.#commit({ ...batch, needs }, patience, onSent).finally(onSent);
    return { sent, done };
  }

  async #commit(batch: Batch, patience: Patience, onSent: () => void): Promise<Decision> {
    const deadline = performance.now() + RETRY_MS;
    for (let attempts = 1; ; ) {
      try {
        const decision = await this.#attempt(batch, patience, onSent);
        decision.changes.forEach(this.#onWritten);
        return decision;
      } catch (error) {
        if (!(error instanceof NotWritten)) throw error;
        const { cause } = error;
        const action = actionOn(cause, patience);
        if (action === 'set apart') throw new RealmLocked('a realm is locked elsewhere', { cause });
        const isSpent = action === 'retry' && attempts >= MAX_ATTEMPTS;
        if (action === 'give up' || isSpent || performance.now() > deadline) {
          throw toDomainError(cause);
        }
        if (action === 'retry later') await pause();
        else attempts += 1;
      }
    }
  }

  async #attempt(batch: Batch, patience: Patience, onSent: () => void): Promise<Decision> {
    try {
      return await this.#lanes[patience].inTurn(async (connection, passOn) => {
        const attempt = {
          ...batch,
          patience,
          cache: this.#cache,
          onSent: () => {
            passOn();
            onSent();
          },
        };
        const decision = await commitOptimistically(connection, attempt);
        return decision ?? (await commitUnderLock(connection, attempt));
      });
    } catch (error) {
      this.#cache?.forget(batch.needs);
      if (!(error instanceof OutcomeUnknown)) throw error;
      if (await this.#wasWritten(error, this.#lanes[patience])) return error.batch.decision;
      const cause = new ConnectionLost('a batch was lost with its connection', { cause: error });
      throw new NotWritten(cause.message, { cause });
    }
  }

  async #wasWritten(unknown: OutcomeUnknown, lane: Lane): Promise<boolean> {
    const deadline = performance.now() + SETTLE_MS;
    for (const changes of markedChanges(unknown.batch.decision)) {
      const ask = () => lane.inTurn((connection) => wasWritten(connection, changes, unknown));
      const answer = await answerBy(deadline, ask);
      if (answer !== null) return answer;
    }
    // Only challenges or answers were stored, which leave no record, or the realms are deleted.
    throw new InDoubt('the connection was lost', { cause: unknown.cause });
  }
}

/** Asks again while the database does not answer. */
async function answerBy<T>(deadline: number, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) {
        throw new InDoubt('the database did not come back', { cause: error });
      }
      await pause();
    }
  }
}

const pause = (): Promise<void> => new Promise((next) => setTimeout(next, PAUSE_MS));
