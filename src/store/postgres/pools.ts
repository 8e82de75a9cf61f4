import { Unavailable } from '../../ledger/errors.ts';
import type { Operation } from '../statement.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { runAfter, runOn } from './driver.ts';
import { isTransient, isUnavailable, toDomainError } from './errors.ts';
import { statement } from './statement.ts';
import { BEGIN } from './transaction.ts';

const MAX_WAITING = 1_000;

const begin = statement<never, []>(BEGIN);

/** Runs idempotent work; if its connection drops or the failure is transient, once more. */
async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error) && !isTransient(error)) throw toDomainError(error);
  }
  return work().catch((error) => {
    throw toDomainError(error);
  });
}

/** Connections that readers share: each carries several requests at a time, in order. */
export class ReaderPool {
  readonly #database: Database;
  readonly #size: number;
  #open: Connection[] = [];
  #opening: Promise<Connection> | null = null;

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
  }

  /** Runs an operation that only reads. */
  run<T>(operation: () => Operation<T>): Promise<T> {
    return this.use((connection) => runOn(connection, operation()));
  }

  use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return repeatedly(async () => {
      const connection = await this.#leastBusy();
      try {
        return await work(connection);
      } catch (error) {
        // The driver reports a server's shutdown before it reports the connection as closed.
        if (isUnavailable(error) && !connection.isLost) connection.destroy(error as Error);
        throw error;
      }
    });
  }

  async #leastBusy(): Promise<Connection> {
    if (this.#open.some(({ isLost }) => isLost)) {
      this.#open = this.#open.filter(({ isLost }) => !isLost);
    }
    const least = this.#open.reduce<Connection | null>(
      (best, one) => (best === null || one.pending < best.pending ? one : best),
      null,
    );
    if (least && (least.pending === 0 || this.#open.length >= this.#size)) return least;
    const opening = this.#openAnother();
    if (!least) return opening;
    // A further connection serves later callers; this one need not wait for it.
    opening.catch(() => undefined);
    return least;
  }

  /** Opens one at a time. */
  #openAnother(): Promise<Connection> {
    this.#opening ??= this.#database
      .connect('reader')
      .then(async (connection) => {
        // What an operation asks at once is then of one instant.
        await connection.run("SET default_transaction_isolation = 'repeatable read'");
        this.#open.push(connection);
        return connection;
      })
      .finally(() => {
        this.#opening = null;
      });
    return this.#opening;
  }
}

/** Connections for transactions outside the commit queue, each for one at a time. */
export class TransactionPool {
  readonly #database: Database;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #inUse = 0;

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
    database.outage.onUnavailable((cause) => {
      for (const { reject } of this.#waiting.splice(0)) reject(cause);
    });
  }

  /** Runs an idempotent operation in a transaction. */
  run<T>(operation: () => Operation<T>): Promise<T> {
    return repeatedly(async () => {
      await this.#acquire();
      let connection: Connection | undefined;
      try {
        connection = await this.#connection();
        return await inTransaction(connection, operation());
      } finally {
        if (connection && !connection.isLost) this.#idle.push(connection);
        this.#release();
      }
    });
  }

  async #acquire(): Promise<void> {
    if (this.#inUse < this.#size) {
      this.#inUse += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new Unavailable('overloaded', 'too many callers wait for a connection');
    }
    const waiter = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    await waiter.promise;
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#inUse -= 1;
  }

  async #connection(): Promise<Connection> {
    let idle = this.#idle.pop();
    while (idle?.isLost) idle = this.#idle.pop();
    return idle ?? this.#database.connect('housekeeping');
  }
}

/** A connection on which it failed is cut, which rolls back whatever was sent. */
async function inTransaction<T>(connection: Connection, operation: Operation<T>): Promise<T> {
  try {
    const result = await runAfter(connection, [begin], operation);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return result;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
