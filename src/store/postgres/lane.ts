import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { startSession } from './in-doubt.ts';
import { NotWritten } from './transaction.ts';

/** A connection that batches are written on, opened when it is needed. */
export class Lane {
  readonly #database: Database;
  #connection: Connection | null = null;
  /** Resolves when the last transaction has sent all of its statements. */
  #lastSent: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Batches use the connection one after another; `passOn` lets the next one send before this one
   * is answered.
   */
  async inTurn<T>(work: (connection: Connection, passOn: () => void) => Promise<T>): Promise<T> {
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
    const last = this.#connection;
    if (last && !last.isLost) return last;
    const connection = await this.#database.connect('writer');
    try {
      await startSession(connection, last?.session ?? null);
      this.#connection = connection;
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw new NotWritten('a new connection was lost at once', { cause: error });
    }
  }
}
