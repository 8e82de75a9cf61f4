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
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import {
  ConnectionLost,
  isLockTimeout,
  isTransient,
  isUnavailable,
  toDomainError,
} from './errors.ts';
import { markedChanges, markSession, wasWritten } from './in-doubt.ts';
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
}

/**
 * Writes batches on a connection of its own. The statements of a batch follow those of the batch
 * before without waiting for its end. The realm's row is the lock, so the writes of all nodes form
 * one order. A batch that certainly was not written is retried; one whose outcome is unknown is not
 * until the journal shows that it was not written.
 */
export class PostgresBatchWriter implements BatchWriter {
  readonly limits: BatchWriter['limits'];
  readonly #database: Database;
  readonly #onWritten: (changes: RealmChanges) => void;
  readonly #cache: RealmCache | null;
  #connection: Connection | null = null;
  /** Resolves when the last transaction has sent all of its statements. */
  #lastSent: Promise<void> = Promise.resolve();

  constructor(database: Database, { realmsPerBatch, isOptimistic, onWritten }: BatchWriterOptions) {
    // Two batches in flight keep the server busy; a third would only make batches smaller.
    this.limits = { realmsPerBatch, inFlight: 2 };
    this.#database = database;
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
      return await this.#inTurn(async (connection, passOn) => {
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
      if (await this.#wasWritten(error)) return error.batch.decision;
      const cause = new ConnectionLost('a batch was lost with its connection', { cause: error });
      throw new NotWritten(cause.message, { cause });
    }
  }

  /**
   * Batches use the connection one after another; `passOn` lets the next one send before this one
   * is answered.
   */
  async #inTurn<T>(work: (connection: Connection, passOn: () => void) => Promise<T>): Promise<T> {
    const lastSent = this.#lastSent;
    const { promise, resolve: passOn } = Promise.withResolvers<void>();
    this.#lastSent = promise;
    await lastSent;
    try {
      return await work(await this.#connected(), passOn);
    } finally {
      passOn();
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    const connection = await this.#database.connect('writer');
    this.#connection = connection;
    try {
      await markSession(connection);
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw new NotWritten('a new connection was lost at once', { cause: error });
    }
  }

  async #wasWritten(unknown: OutcomeUnknown): Promise<boolean> {
    const marked = markedChanges(unknown.batch.decision);
    // Only challenges or answers were stored, which leave no record.
    if (!marked) throw new InDoubt('the connection was lost', { cause: unknown.cause });
    const deadline = performance.now() + SETTLE_MS;
    for (;;) {
      try {
        return await this.#inTurn((connection) => wasWritten(connection, marked, unknown));
      } catch (error) {
        if (performance.now() > deadline) {
          throw new InDoubt('the database did not come back', { cause: error });
        }
        await pause();
      }
    }
  }
}

const pause = (): Promise<void> => new Promise((next) => setTimeout(next, PAUSE_MS));
