import { Unavailable } from '../../engine/errors.ts';
import type { Availability } from '../../engine/store.ts';
import { Connection } from './connection.ts';

const PROBE_MS = 300;
const ANSWER_MS = 1_000;

export interface DatabaseEvents {
  /** It answers on its open connections but accepts no further one. Called once per reason. */
  onRefused?(reason: Error): void;
}

/**
 * Opens connections and knows whether the database is available. While it is not, connecting fails
 * at once, so that no caller waits, and probes find out when it is back.
 */
export class Database implements Availability {
  readonly #url: string;
  readonly #events: DatabaseEvents;
  readonly #onUnavailable: ((cause: Unavailable) => void)[] = [];
  readonly #onAvailable: (() => void)[] = [];
  #open: Connection[] = [];
  #cause: Unavailable | null = null;
  #probe: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The reason of the last refusal, so that each is reported once. */
  #refusal = '';

  constructor(url: string, events: DatabaseEvents = {}) {
    this.#url = url;
    this.#events = events;
  }

  get cause(): Unavailable | null {
    return this.#cause;
  }

  onUnavailable(listener: (cause: Unavailable) => void): void {
    this.#onUnavailable.push(listener);
  }

  onAvailable(listener: () => void): void {
    this.#onAvailable.push(listener);
  }

  async connect(purpose: string): Promise<Connection> {
    if (this.#isClosed) throw new Unavailable('overloaded', 'the database is closed');
    if (this.#cause) throw this.#cause;
    const connection = await this.#connect(purpose);
    this.#open = [...this.#open.filter(({ isLost }) => !isLost), connection];
    if (!this.#isClosed) return connection;
    await connection.close();
    throw new Unavailable('overloaded', 'the database is closed');
  }

  /** Closes every connection that it has opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#probe);
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
      throw this.#becomeUnavailable(error);
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

  #becomeUnavailable(error: unknown): Unavailable {
    const cause = unavailable('the database cannot be reached', error);
    if (this.#cause || this.#isClosed) return cause;
    this.#cause = cause;
    this.#probeLater();
    for (const listener of this.#onUnavailable) listener(cause);
    return cause;
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
    this.#cause = null;
    for (const listener of this.#onAvailable) listener();
  }
}

const unavailable = (message: string, cause?: unknown): Unavailable =>
  new Unavailable('storage-unavailable', message, { cause });
