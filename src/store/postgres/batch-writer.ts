import type { RealmChanges } from '../../domain/facts.ts';
import { compareText } from '../../domain/rules/books.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { InDoubt } from '../../engine/errors.ts';
import {
  type Batch,
  type BatchWriter,
  type Patience,
  RealmsLocked,
  type Writing,
} from '../../engine/store.ts';
import { RealmCache } from '../realm-cache.ts';
import { within } from './connection.ts';
import type { Database } from './database.ts';
import { ConnectionLost, isLockTimeout, toDomainError } from './errors.ts';
import { markedChanges, wasWritten } from './in-doubt.ts';
import { Lane } from './lane.ts';
import { commitUnderLock } from './locked-commit.ts';
import { lockedRealms } from './locked-realms.ts';
import { commitOptimistically } from './optimistic-commit.ts';
import { assertRetryable, RETRY_MS } from './retries.ts';
import { NotWritten, OutcomeUnknown } from './transaction.ts';

const PAUSE_MS = 200;
/** How long a batch of several realms waits for locks. */
const YIELD_MS = 1_000;
/** If more are locked, a batch like this one has locked them, which will not take long. */
const FEW_REALMS = 4;
/** Before a batch waits for a lock again: meanwhile others use the connection. */
const LOCK_PAUSE_MS = 50;

interface BatchWriterOptions {
  realmsPerBatch: number;
  /** Whether batches are decided from cached facts where possible. */
  isOptimistic: boolean;
  onWritten: (changes: RealmChanges) => void;
  /** How long an unknown outcome is investigated before it is reported as in doubt. */
  settleMs: number;
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
  readonly #settleMs: number;
  readonly #cache: RealmCache | null;
  readonly #lanes: Record<Patience, Lane>;

  constructor(database: Database, options: BatchWriterOptions) {
    const { realmsPerBatch, isOptimistic, onWritten, settleMs, apart } = options;
    // Two batches in flight keep the server busy; a third would only make batches smaller.
    this.limits = { realmsPerBatch, inFlight: 2 };
    this.#lanes = { yield: new Lane(database), persist: apart };
    this.#cache = isOptimistic ? new RealmCache() : null;
    this.#onWritten = onWritten;
    this.#settleMs = settleMs;
  }

  write(batch: Batch, patience: Patience): Writing {
    // The order in which realms are locked: any will do, as long as all nodes use the same.
    const needs = batch.needs.toSorted((a, b) => compareText(a.realmId, b.realmId));
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const done = this.#commit({ ...batch, needs }, patience, onSent).finally(onSent);
    return { sent, done };
  }

  async #commit(batch: Batch, patience: Patience, onSent: () => void): Promise<Decision> {
    const startedAt = performance.now();
    let settleBy: number | null = null;
    const settle = (error: unknown): Promise<Decision> => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      // From the first doubt on: a server that fails again and again keeps nobody waiting.
      settleBy ??= performance.now() + this.#settleMs;
      return this.#settle(error, this.#lanes[patience], settleBy);
    };
    for (let failures = 0; ; ) {
      try {
        const decision = await this.#attempt(batch, patience, onSent).catch(settle);
        decision.changes.forEach(this.#onWritten);
        return decision;
      } catch (error) {
        if (!(error instanceof NotWritten)) throw error;
        const { cause } = error;
        const elapsedMs = performance.now() - startedAt;
        if (!isLockTimeout(cause)) assertRetryable(cause, ++failures, elapsedMs);
        else if (patience === 'yield') await this.#yieldTo(batch, elapsedMs, cause);
        else if (elapsedMs > RETRY_MS) throw toDomainError(cause);
        else await pause(LOCK_PAUSE_MS);
      }
    }
  }

  /** Throws `RealmsLocked`, unless the locks are likely to be gone. */
  async #yieldTo({ needs }: Batch, elapsedMs: number, cause: unknown): Promise<void> {
    const all = needs.map(({ realmId }) => realmId);
    const locked = all.length === 1 ? all : await this.#lockedOf(all);
    const isFew = locked.length > 0 && locked.length <= FEW_REALMS;
    if (!isFew && elapsedMs < YIELD_MS) return;
    throw new RealmsLocked(locked.length > 0 ? locked : all, { cause });
  }

  /** None if the server does not answer: then it does not answer the next attempt either. */
  #lockedOf(realmIds: string[]): Promise<string[]> {
    const asked = this.#lanes.yield.inTurn((connection) => lockedRealms(connection, realmIds));
    return asked.catch(() => []);
  }

  async #attempt(batch: Batch, patience: Patience, onSent: () => void): Promise<Decision> {
    try {
      return await this.#lanes[patience].inTurn(async (connection, passOn) => {
        const attempt = {
          ...batch,
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
      throw error;
    }
  }

  /** Returns the decision if its batch was written. */
  async #settle(unknown: OutcomeUnknown, lane: Lane, deadline: number): Promise<Decision> {
    const { batch, cause } = unknown;
    for (const changes of markedChanges(batch.decision)) {
      const ask = () => lane.inTurn((connection) => wasWritten(connection, changes, batch));
      const isWritten = await answerBy(deadline, ask);
      if (isWritten === true) return batch.decision;
      if (isWritten === false) {
        const lost = new ConnectionLost('a batch was lost with its connection', { cause });
        throw new NotWritten(lost.message, { cause: lost });
      }
    }
    // Only challenges or answers were stored, which leave no record, or the realms are deleted.
    throw new InDoubt('the connection was lost', { cause });
  }
}

/** Asks again while the database does not answer. */
async function answerBy<T>(deadline: number, ask: () => Promise<T>): Promise<T> {
  let cause: unknown;
  for (;;) {
    const answer = ask().then(
      (value) => ({ value }),
      (error) => {
        cause = error;
        return null;
      },
    );
    const inTime = await within(msUntil(deadline), answer, null);
    if (inTime) return inTime.value;
    const left = msUntil(deadline);
    if (left === 0) throw new InDoubt('the database did not come back', { cause });
    await pause(Math.min(PAUSE_MS, left));
  }
}

const msUntil = (deadline: number): number => Math.max(0, deadline - performance.now());

const pause = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));
