import { Unavailable } from '../../engine/errors.ts';
import { Connection } from './connection.ts';
import { isBusy, isUnavailable, isWorthAnotherTry } from './errors.ts';

const PROBE_MS = 300;
const ANSWER_MS = 1_000;
const MAX_WAITING = 1_000;

/** What is told when the database goes away or comes back; once for each time. */
export interface DatabaseEvents {
  onUnavailable?(reason: Error): void;
  onAvailable?(): void;
  /** It answers on other connections, but takes no further one. */
  onRefused?(reason: Error): void;
}

/**
 * The way to the database, and whether there is one at present. While there is none nobody waits:
 * whoever asks is turned away at once, and one probe after another looks whether it is back.
 */
export class Database {
  readonly #url: string;
  readonly #events: DatabaseEvents;
  readonly #listeners: (() => void)[] = [];
  #open: Connection[] = [];
  #probe: NodeJS.Timeout | null = null;
  #closed = false;
  /** Why the last connection was refused. */
  #refusal = '';

  constructor(url: string, events: DatabaseEvents = {}) {
    this.#url = url;
    this.#events = events;
  }

  get isUnavailable(): boolean {
    return this.#probe !== null;
  }

  /** Calls back whenever the database goes away. */
  onceUnavailable(tell: () => void): void {
    this.#listeners.push(tell);
  }

  async connect(purpose: string): Promise<Connection> {
    if (this.#closed) throw new Unavailable('overloaded', 'the storage is closed');
    if (this.isUnavailable) throw new Unavailable('storage-unavailable', 'the database is away');
    const connection = await this.#connect(purpose);
    this.#open = [...this.#open.filter(({ isLost }) => !isLost), connection];
    if (!this.#closed) return connection;
    await connection.close();
    throw new Unavailable('overloaded', 'the storage is closed');
  }

  async #connect(purpose: string): Promise<Connection> {
    try {
      const connection = await Connection.open({ url: this.#url, purpose });
      this.#refusal = '';
      return connection;
    } catch (error) {
      if (await this.#answers()) {
        this.#tellRefusal(error as Error);
        throw new Unavailable('storage-unavailable', 'the database takes no more connections', {
          cause: error,
        });
      }
      this.#goUnavailable(error as Error);
      throw new Unavailable('storage-unavailable', 'the database cannot be reached', {
        cause: error,
      });
    }
  }

  /** The same refusal again and again is one thing to know. */
  #tellRefusal(reason: Error): void {
    if (this.#refusal === reason.message) return;
    this.#refusal = reason.message;
    this.#events.onRefused?.(reason);
  }

  /** One that takes no more connections is there for those that it has. */
  #answers(): Promise<boolean> {
    const answered = this.#open.map(async (connection) => {
      if (!(await connection.isAnswered(ANSWER_MS))) throw new Error('no answer');
    });
    return Promise.any(answered).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.#closed = true;
    if (this.#probe) clearTimeout(this.#probe);
  }

  #goUnavailable(reason: Error): void {
    if (this.isUnavailable || this.#closed) return;
    this.#lookLater();
    this.#events.onUnavailable?.(reason);
    for (const tell of this.#listeners) tell();
  }

  #lookLater(): void {
    this.#probe = setTimeout(() => this.#look(), PROBE_MS);
  }

  async #look(): Promise<void> {
    try {
      const connection = await Connection.open({ url: this.#url, purpose: 'probe' });
      await connection.close();
    } catch {
      const isBack = await this.#answers();
      if (!isBack && !this.#closed) this.#lookLater();
      if (!isBack) return;
    }
    this.#probe = null;
    this.#events.onAvailable?.();
  }
}

/** A failure as those above should see it: what is no fault of ours can be tried again later. */
export function toDomainError(error: unknown): unknown {
  if (isUnavailable(error))
    return new Unavailable('storage-unavailable', (error as Error).message, { cause: error });
  if (isBusy(error))
    return new Unavailable('overloaded', (error as Error).message, { cause: error });
  return error;
}

/** Connections that answer questions, several on each at a time, in the order they were asked. */
export class Readers {
  readonly #database: Database;
  readonly #size: number;
  readonly #open: Connection[] = [];
  #opening = 0;
  #shared: Promise<Connection> | null = null;

  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
  }

  /** A question changes nothing, so one that could not be asked properly is asked again, once. */
  async read<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#ask(ask);
    } catch (error) {
      if (!isUnavailable(error) && !isWorthAnotherTry(error)) throw toDomainError(error);
    }
    return this.#ask(ask).catch((error) => {
      throw toDomainError(error);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((connection) => connection.close()));
  }

  async #ask<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#leastBusy();
    try {
      return await ask(connection);
    } catch (error) {
      // The driver tells of a server that shuts down before it tells that the connection broke.
      if (isUnavailable(error) && !connection.isLost) connection.destroy(error as Error);
      throw error;
    }
  }

  async #leastBusy(): Promise<Connection> {
    this.#forgetLost();
    const least = this.#open.reduce<Connection | null>(
      (best, one) => (best === null || one.waiting < best.waiting ? one : best),
      null,
    );
    if (least && (least.waiting === 0 || this.#open.length + this.#opening >= this.#size)) {
      return least;
    }
    if (least) {
      // Another connection for the next one; this question need not wait for it.
      if (this.#opening === 0) void this.#openAnother().catch(() => undefined);
      return least;
    }
    this.#shared ??= this.#openAnother().finally(() => {
      this.#shared = null;
    });
    return this.#shared;
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

  #forgetLost(): void {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      if (this.#open[index]?.isLost) this.#open.splice(index, 1);
    }
  }
}

/** Connections that one piece of work at a time has to itself. */
export class Leases {
  readonly #database: Database;
  readonly #purpose: string;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: { go: () => void; giveUp: (error: Error) => void }[] = [];
  #inUse = 0;

  constructor(database: Database, purpose: string, size: number) {
    this.#database = database;
    this.#purpose = purpose;
    this.#size = size;
    database.onceUnavailable(() => {
      for (const { giveUp } of this.#waiting.splice(0)) {
        giveUp(new Unavailable('storage-unavailable', 'the database is away'));
      }
    });
  }

  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.#place();
    let connection: Connection | undefined;
    try {
      connection = await this.#connection();
      return await work(connection);
    } finally {
      if (connection && !connection.isLost) this.#idle.push(connection);
      const next = this.#waiting.shift();
      // Whoever waited longest takes over the place.
      if (next) next.go();
      else this.#inUse -= 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #place(): Promise<void> {
    if (this.#inUse < this.#size) {
      this.#inUse += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new Unavailable('overloaded', 'too much is waiting');
    await new Promise<void>((go, giveUp) => this.#waiting.push({ go, giveUp }));
  }

  async #connection(): Promise<Connection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (!idle) return this.#database.connect(this.#purpose);
      if (!idle.isLost) return idle;
    }
  }
}
