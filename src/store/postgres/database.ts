import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../../ledger/errors.ts';
import { Outage } from '../../ledger/outage.ts';
import { StoreRefusal } from '../refusal.ts';
import { serversOf } from './citus/catalogue.ts';
import { Connection } from './connection.ts';
import { statement } from './statement.ts';

const ANSWER_MS = 1_000;

export interface DatabaseEvents {
  /** It answers on its open connections but accepts no further one. Called once per reason. */
  onRefused?(reason: Error): void;
}

/**
 * Opens connections and knows whether the database is available. While it is not, connecting fails
 * at once, so that no caller waits, and probes find out when it is back.
 */
export class Database {
  readonly outage = new Outage(() => this.#probe());
  readonly #url: string;
  readonly #events: DatabaseEvents;
  /** Of each session. */
  readonly #settings: string;
  #open: Connection[] = [];
  #isClosed = false;
  /** The reason of the last refusal, so that each is reported once. */
  #refusal = '';

  constructor(url: string, events: DatabaseEvents = {}, settings = '') {
    this.#url = url;
    this.#events = events;
    this.#settings = settings;
  }

  async connect(purpose: string): Promise<Connection> {
    if (this.#isClosed) throw new Unavailable('overloaded', 'the database is closed');
    if (this.outage.cause) throw this.outage.cause;
    const connection = await this.#connect(purpose);
    this.#open = [...this.#open.filter(({ isLost }) => !isLost), connection];
    if (!this.#isClosed) return connection;
    await connection.close();
    throw new Unavailable('overloaded', 'the database is closed');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.outage.close();
    await Promise.all(this.#open.map((connection) => connection.close()));
  }

  async #connect(purpose: string): Promise<Connection> {
    try {
      const connection = await Connection.open({
        url: this.#url,
        purpose,
        settings: this.#settings,
      });
      this.#refusal = '';
      return connection;
    } catch (error) {
      if (await this.#responds()) {
        const { message } = error as Error;
        if (this.#refusal !== message) this.#events.onRefused?.(error as Error);
        this.#refusal = message;
        throw unavailable('the database accepts no more connections', error);
      }
      const cause = unavailable('the database cannot be reached', error);
      this.outage.begin(cause);
      throw cause;
    }
  }

  /** A database that accepts no more connections is available on the ones it has. */
  async #responds(): Promise<boolean> {
    const answers = this.#open.map((connection) => connection.responds(ANSWER_MS));
    return (await Promise.all(answers)).includes(true);
  }

  async #probe(): Promise<void> {
    try {
      const connection = await Connection.open({ url: this.#url, purpose: 'probe' });
      await connection.close();
    } catch (error) {
      if (!(await this.#responds())) throw unavailable('the database cannot be reached', error);
    }
  }
}

const unavailable = (message: string, cause?: unknown): Unavailable =>
  new Unavailable('storage-unavailable', message, { cause });

/** The server lists the connections of a process that was just killed for a moment longer. */
const [MAX_CHECKS, PAUSE_MS] = [10, 200];

const COUNT = statement<{ count: number }, [string[]]>(
  `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()
     AND pid <> pg_backend_pid()
     AND application_name LIKE 'realmkeep %' AND application_name <> ALL ($1::text[])`,
);

/**
 * Refuses to go on while Realmkeep has other connections. Those of the given purposes do not count:
 * they wait for this one.
 */
export async function refuseOtherConnections(
  connection: Connection,
  ...purposes: string[]
): Promise<void> {
  const names = purposes.map((purpose) => `realmkeep ${purpose}`);
  for (let checks = 1; ; checks++) {
    const count = (await connection.query(COUNT, names))[0]?.count ?? 0;
    if (count === 0) return;
    if (checks === MAX_CHECKS) {
      const open = count === 1 ? '1 connection' : `${count} connections`;
      const verb = count === 1 ? 'is' : 'are';
      const why = `${open} of Realmkeep ${verb} open. Stop the service first`;
      throw new StoreRefusal('database-in-use', why);
    }
    await delay(PAUSE_MS);
  }
}

/** The same on every server of a cluster. */
export async function refuseOthers(url: string, ...purposes: string[]): Promise<void> {
  for (const server of await serversOf(url)) {
    await using connection = await Connection.open({ url: server.url, purpose: 'inspect' });
    await refuseOtherConnections(connection, ...purposes);
  }
}
