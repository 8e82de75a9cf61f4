import { compareText } from '../../domain/rules/books.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { InDoubt, Unavailable } from '../../ledger/errors.ts';
import { type Batch, type BatchWriter, RealmsLocked, type Writing } from '../../ledger/store.ts';
import { RealmCache } from '../cache.ts';
import type { ShardOf } from './citus/placement.ts';
import { type Connection, within } from './connection.ts';
import type { Database } from './database.ts';
import {
  ConnectionLost,
  isLockTimeout,
  isTransient,
  isUnavailable,
  toDomainError,
} from './errors.ts';
import { Lane } from './pools.ts';
import {
  commitBatch,
  lockedRealms,
  markedChanges,
  NotWritten,
  OutcomeUnknown,
  startSession,
  wasWritten,
} from './transaction.ts';

const PAUSE_MS = 200;
const MAX_ATTEMPTS = 4;
/** How long a batch is retried. */
const RETRY_MS = 5_000;
/** How long a batch of several realms waits for locks. */
const YIELD_MS = 1_000;
/** If more are locked, a batch like this one has locked them, which will not take long. */
const FEW_REALMS = 4;
/** Before a batch waits for a lock again: meanwhile others use the connection. */
const LOCK_PAUSE_MS = 50;

interface BatchWriterOptions {
  realmsPerBatch: number;
  /** Null unless the database is a server of a cluster. */
  shardOf: ShardOf | null;
  /** How long an unknown outcome is investigated before it is reported as in doubt. */
  settleMs: number;
  /** Whether it waits for locked realms, instead of rejecting with `RealmsLocked`. */
  isPatient: boolean;
}

/**
 * Writes batches on a connection of its own. The statements of a batch follow those of the batch
 * before without waiting for its end. The realm's row is the lock, so the writes of all nodes form
 * one order. A batch that certainly was not written is retried; one whose outcome is unknown is not
 * until the journal shows that it was not written.
 */
export class PostgresBatchWriter implements BatchWriter {
  readonly limits: BatchWriter['limits'];
  readonly #options: BatchWriterOptions;
  readonly #cache = new RealmCache();
  readonly #lane: Lane;

  constructor(database: Database, options: BatchWriterOptions) {
    // Two batches in flight keep the server busy; a third would only make batches smaller.
    this.limits = { realmsPerBatch: options.realmsPerBatch, inFlight: 2 };
    this.#lane = new Lane((last) => openWriter(database, last));
    this.#options = options;
  }

  write(batch: Batch): Writing {
    // The order in which realms are locked: any will do, as long as all nodes use the same.
    const needs = batch.needs.toSorted((a, b) => compareText(a.realmId, b.realmId));
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const done = this.#commit({ ...batch, needs }, onSent).finally(onSent);
    return { sent, done };
  }

  async #commit(batch: Batch, onSent: () => void): Promise<Decision> {
    const startedAt = performance.now();
    let settleBy: number | null = null;
    const settle = (error: unknown): Promise<Decision> => {
      if (!(error instanceof OutcomeUnknown)) throw error;
      // From the first doubt on: a server that fails again and again keeps nobody waiting.
      settleBy ??= performance.now() + this.#options.settleMs;
      return this.#settle(error, settleBy);
    };
    for (let failures = 0; ; ) {
      try {
        return await this.#attempt(batch, onSent).catch(settle);
      } catch (error) {
        if (!(error instanceof NotWritten)) throw error;
        const { cause } = error;
        const elapsedMs = performance.now() - startedAt;
        if (!isLockTimeout(cause)) assertRetryable(cause, ++failures, elapsedMs);
        else if (!this.#options.isPatient) await this.#yieldTo(batch, elapsedMs, cause);
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
    const asked = this.#lane.inTurn((connection) =>
      lockedRealms(connection, realmIds, this.#options.shardOf),
    );
    return asked.catch(() => []);
  }

  async #attempt(batch: Batch, onSent: () => void): Promise<Decision> {
    const writable = { cache: this.#cache, shardOf: this.#options.shardOf };
    try {
      return await this.#lane.inTurn((connection, passOn) =>
        commitBatch(connection, batch, writable, () => {
          passOn();
          onSent();
        }),
      );
    } catch (error) {
      for (const { realmId } of batch.needs) this.#cache.forget(realmId);
      throw error;
    }
  }

  /** Returns the decision if its batch was written. */
  async #settle(unknown: OutcomeUnknown, deadline: number): Promise<Decision> {
    const { batch, cause } = unknown;
    const { shardOf } = this.#options;
    for (const changes of markedChanges(batch.decision)) {
      const ask = () =>
        this.#lane.inTurn((connection) => wasWritten(connection, changes, batch, shardOf));
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

/** Opens a connection to write on; the session of the last one ends first. */
async function openWriter(database: Database, last: Connection | null): Promise<Connection> {
  const connection = await database.connect('writer');
  try {
    await startSession(connection, last?.session ?? null);
    return connection;
  } catch (error) {
    connection.destroy(error as Error);
    throw new NotWritten('a new connection was lost at once', { cause: error });
  }
}

/** Throws unless what kept a batch from being written may be over, and there is time to retry. */
export function assertRetryable(cause: unknown, failures: number, elapsedMs: number): void {
  const mayBeOver = isUnavailable(cause) || isTransient(cause);
  if (!mayBeOver || failures >= MAX_ATTEMPTS) throw toDomainError(cause);
  if (elapsedMs <= RETRY_MS) return;
  if (isUnavailable(cause)) throw toDomainError(cause);
  throw new Unavailable('overloaded', 'a batch was not written in time', { cause });
}

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
