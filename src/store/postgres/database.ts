import { Unavailable } from '../../engine/errors.ts';
import type { Availability } from '../../engine/store.ts';
import { Connection } from './connection.ts';

const PROBE_MS = 300;
const ANSWER_MS = 1_000;

/** Each is called once per change. */
export interface DatabaseEvents {
  onUnavailable?(reason: Error): void;
  onAvailable?(): void;
  /** The database answers on its open connections but accepts no further one. */
  onRefused?(reason: Error): void;
}

/**
 * Opens connections and knows whether the database is available. While it is not, connecting fails
 * at once, so that no caller waits, and probes find out when it is back.
 */
export class Database implements Availability {
  readonly #url: string;
  readonly #events: DatabaseEvents;
  readonly #listeners: (() => void)[] = [];
  #open: Connection[] = [];
  #probe: NodeJS.Timeout | null = null;
  #isClosed = false;
  /** The reason of the last refusal, so that each is reported once. */
  #refusal = '';

  constructor(url: string, events: DatabaseEvents = {}) {
    this.#url = url;
    this.#events = events;
  }

  get isUnavailable(): boolean {
    return this.#probe !== null;
  }

  onUnavailable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async connect(purpose: string): Promise<Connection> {
    if (this.#isClosed) throw new Unavailable('overloaded', 'the database is closed');
    if (this.isUnavailable) throw unavailable('the database is unavailable');
    const connection = await this.#connect(purpose);
    this.#open = [...this.#open.filter(({ isLost }) => !isLost), connection];
    if (!this.#isClosed) return connection;
    await connection.close();
    throw new Unavailable('overloaded', 'the database is closed');
  }

  /** Closes every connection that it has opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#probe) clearTimeout(this.#probe);
    await Promise.all(this.#open.map((connection) => connection.close()));
  }

  async #connect(purpose: string): Promise<Connection> {
    try {
      const connection = await Connection.open({ url: this.#url, purpose });
      this.#refusal = '';
      return connection;
    } catch (error) {
      if (await this.#responds()) {
        const { message } = error as Error;
        if (this.#refusal !== message) this.#events.onRefused?.(error as Error);
        this.#refusal = message;
        throw unavailable('the database accepts no more connections', error);
      }
      this.#becomeUnavailable(error as Error);
      throw unavailable('the database cannot be reached', error);
    }
  }

  /** A database that accepts no more connections is available on the ones it has. */
  async #responds(): Promise<boolean> {
    const answers = this.#open.map(async (connection) => {
      if (!(await connection.responds(ANSWER_MS))) throw new Error('no answer');
    });
    return Promise.any(answers).then(
      () => true,
      () => false,
    );
  }

  #becomeUnavailable(reason: Error): void {
    if (this.isUnavailable || this.#isClosed) return;
    this.#probeLater();
    this.#events.onUnavailable?.(reason);
    for (const listener of this.#listeners) listener();
  }

  #probeLater(): void {
    this.#probe = setTimeout(() => this.#runProbe(), PROBE_MS);
  }

  async #runProbe(): Promise<void> {
    try {
      const connection = await Connection.open({ url: this.#url, purpose: 'probe' });
      await connection.close();
    } catch {
      const isBack = await this.#responds();
      if (!isBack && !this.#isClosed) this.#probeLater();
      if (!isBack) return;
    }
    this.#probe = null;
    this.#events.onAvailable?.();
  }
}

const unavailable = (message: string, cause?: unknown): Unavailable =>
  new Unavailable('storage-unavailable', message, { cause });
