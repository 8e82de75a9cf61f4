import { Unavailable } from '../../ledger/errors.ts';
import type { Operation } from '../statement.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { runOn } from './driver.ts';
import { isTransient, isUnavailable, toDomainError } from './errors.ts';
import type { Request } from './pipeline.ts';
import { begin } from './transaction.ts';

/** Of one lane. */
const MAX_USERS = 500;

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
  run<T>(operation: () => Operation<T>, before: readonly Request[] = []): Promise<T> {
    return this.use((connection) => runOn(connection, operation(), { before }));
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

/** A connection that is opened when it is needed, and that several use one after another. */
export class Lane {
  readonly #open: (last: Connection | null) => Promise<Connection>;
  #connection: Connection | null = null;
  /** Resolves when the next one may send. */
  #lastSent: Promise<void> = Promise.resolve();
  /** How many use it or wait for it. */
  users = 0;

  /** `open` gets the connection before, which was lost. */
  constructor(open: (last: Connection | null) => Promise<Connection>) {
    this.#open = open;
  }

  /** `passOn` lets the next one send before this one is answered. */
  async inTurn<T>(work: (connection: Connection, passOn: () => void) => Promise<T>): Promise<T> {
    const lastSent = this.#lastSent;
    const { promise, resolve: passOn } = Promise.withResolvers<void>();
    this.#lastSent = promise;
    this.users += 1;
    try {
      await lastSent;
      if (!this.#connection || this.#connection.isLost) {
        this.#connection = await this.#open(this.#connection);
      }
      return await work(this.#connection, passOn);
    } finally {
      this.users -= 1;
      passOn();
    }
  }
}

/** Connections for transactions outside the commit queue, each for one at a time. */
export class TransactionPool {
  readonly #lanes: Lane[];

  constructor(database: Database, size: number) {
    this.#lanes = Array.from(
      { length: size },
      () => new Lane(() => database.connect('housekeeping')),
    );
  }

  /** Runs an idempotent operation in a transaction. */
  async run<T>(operation: () => Operation<T>, before: readonly Request[] = []): Promise<T> {
    const lane = this.#lanes.reduce((best, one) => (one.users < best.users ? one : best));
    if (lane.users >= MAX_USERS) {
      throw new Unavailable('overloaded', 'too many callers wait for a connection');
    }
    return repeatedly(() =>
      lane.inTurn((connection) => inTransaction(connection, operation(), before)),
    );
  }
}

/** A connection on which it failed is cut, which rolls back whatever was sent. */
async function inTransaction<T>(
  connection: Connection,
  operation: Operation<T>,
  before: readonly Request[],
): Promise<T> {
  try {
    const result = await runOn(connection, operation, { before: [begin, ...before] });
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return result;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
