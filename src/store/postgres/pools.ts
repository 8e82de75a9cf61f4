import { Unavailable } from '../../engine/errors.ts';
import { Turns, type Waiting } from '../../engine/turns.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { isTransient, isUnavailable, toDomainError } from './errors.ts';
import type { Sql, Statement } from './statement.ts';

const MAX_WAITING = 1_000;

/** Connections that callers share: each carries several requests at a time, in order. */
export class SharedPool {
  readonly #database: Database;
  readonly #size: number;
  #open: Connection[] = [];
  #opening: Promise<Connection> | null = null;

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

  query<Row, Args extends Sql[]>(which: Statement<Row, Args>, ...args: Args): Promise<Row[]> {
    return this.use((connection) => connection.query(which, ...args));
  }

  async first<Row, Args extends Sql[]>(
    which: Statement<Row, Args>,
    ...args: Args
  ): Promise<Row | null> {
    return (await this.query(which, ...args))[0] ?? null;
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
      .then((connection) => {
        this.#open.push(connection);
        return connection;
      })
      .finally(() => {
        this.#opening = null;
      });
    return this.#opening;
  }
}

/** In what turn work gets a connection: those of realms with little to do come first. */
type Turn = Pick<Waiting, 'line' | 'cost'>;

/** Of work that nobody waits for. */
const BACKGROUND: Turn = { line: '', cost: 2_000 };

const UNLIMITED = { perLine: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

interface Waiter extends Waiting, PromiseWithResolvers<void> {}

/** Connections that each project for one caller at a time. */
export class ExclusivePool {
  readonly #database: Database;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #waiting = new Turns<Waiter>(UNLIMITED);
  #inUse = 0;
  #background: Promise<unknown> = Promise.resolve();

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
    database.onUnavailable(() => {
      const error = new Unavailable('storage-unavailable', 'the database is unavailable');
      for (const { reject } of this.#waiting.takeAll()) reject(error);
    });
  }

  /** Does work that nobody waits for, one at a time: the other connections are for readers. */
  useInBackground<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const used = this.#background.then(() => this.use(work, BACKGROUND));
    this.#background = used.catch(() => undefined);
    return used;
  }

  async use<T>(work: (connection: Connection) => Promise<T>, turn: Turn): Promise<T> {
    await this.#acquire(turn);
    let connection: Connection | undefined;
    try {
      connection = await this.#connection();
      return await work(connection);
    } catch (error) {
      throw toDomainError(error);
    } finally {
      if (connection && !connection.isLost) this.#idle.push(connection);
      this.#release();
    }
  }

  async #acquire(turn: Turn): Promise<void> {
    if (this.#inUse < this.#size) {
      this.#inUse += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new Unavailable('overloaded', 'too many callers wait for a connection');
    }
    const waiter = { ...turn, arrival: 0, ...Promise.withResolvers<void>() };
    this.#waiting.add(waiter);
    await waiter.promise;
  }

  #release(): void {
    const next = this.#waiting.take();
    if (next) next.resolve();
    else this.#inUse -= 1;
  }

  async #connection(): Promise<Connection> {
    let idle = this.#idle.pop();
    while (idle?.isLost) idle = this.#idle.pop();
    return idle ?? this.#database.connect('projector');
  }
}
