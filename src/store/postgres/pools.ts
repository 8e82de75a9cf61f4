import { Unavailable } from '../../engine/errors.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { isTransient, isUnavailable, toDomainError } from './errors.ts';

const MAX_WAITING = 1_000;

/** Connections that callers share: each carries several requests at a time, in order. */
export class SharedPool {
  readonly #database: Database;
  readonly #size: number;
  #open: Connection[] = [];
  #opening = 0;
  #first: Promise<Connection> | null = null;

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
  }

  /** Runs idempotent work; if its connection drops or the failure is transient, once more. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (!isUnavailable(error) && !isTransient(error)) throw toDomainError(error);
    }
    return this.#attempt(work).catch((error) => {
      throw toDomainError(error);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((connection) => connection.close()));
  }

  async #attempt<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#leastBusy();
    try {
      return await work(connection);
    } catch (error) {
      // The driver reports a server's shutdown before it reports the connection as closed.
      if (isUnavailable(error) && !connection.isLost) connection.destroy(error as Error);
      throw error;
    }
  }

  async #leastBusy(): Promise<Connection> {
    if (this.#open.some(({ isLost }) => isLost)) {
      this.#open = this.#open.filter(({ isLost }) => !isLost);
    }
    const least = this.#open.reduce<Connection | null>(
      (best, one) => (best === null || one.pending < best.pending ? one : best),
      null,
    );
    if (!least) {
      this.#first ??= this.#openAnother().finally(() => {
        this.#first = null;
      });
      return this.#first;
    }
    // A further connection serves later callers; this one need not wait for it.
    const isFull = this.#open.length + this.#opening >= this.#size;
    if (least.pending > 0 && !isFull && this.#opening === 0) {
      this.#openAnother().catch(() => undefined);
    }
    return least;
  }

  async #openAnother(): Promise<Connection> {
    this.#opening += 1;
    try {
      const connection = await this.#database.connect('reader');
      this.#open.push(connection);
      return connection;
    } finally {
      this.#opening -= 1;
    }
  }
}

/** Connections that serve one caller at a time. */
export class ExclusivePool {
  readonly #database: Database;
  readonly #purpose: string;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: { start: () => void; reject: (error: Error) => void }[] = [];
  #inUse = 0;

  constructor(database: Database, purpose: string, size: number) {
    this.#database = database;
    this.#purpose = purpose;
    this.#size = size;
    database.onUnavailable(() => {
      const error = new Unavailable('storage-unavailable', 'the database is unavailable');
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.#acquire();
    let connection: Connection | undefined;
    try {
      connection = await this.#connection();
      return await work(connection);
    } finally {
      if (connection && !connection.isLost) this.#idle.push(connection);
      this.#release();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #acquire(): Promise<void> {
    if (this.#inUse < this.#size) {
      this.#inUse += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new Unavailable('overloaded', 'too many callers wait for a connection');
    }
    await new Promise<void>((start, reject) => this.#waiting.push({ start, reject }));
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#inUse -= 1;
  }

  async #connection(): Promise<Connection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle) return this.#database.connect(this.#purpose);
      if (!idle.isLost) return idle;
    }
  }
}
