import { hash } from 'node:crypto';
import pg from 'pg';
import { ConnectionLost } from './failures.ts';

/** A statement, prepared once on every connection that uses it, and the shape of its rows. */
export interface Statement<Row, Args extends Sql[]> {
  readonly name: string;
  readonly text: string;
  /** Never there: it carries the types. */
  readonly shape?: [Row, Args];
}

type One = string | number | boolean | null;
export type Sql = One | readonly One[];

/** Everything that can be prepared, so that a test can look at how it would be carried out. */
export const statements: { name: string; text: string }[] = [];

export function statement<Row, Args extends Sql[]>(text: string): Statement<Row, Args> {
  // By what it says: the same name never means another statement, not even to another version.
  const made = { name: hash('sha256', text, 'base64url').slice(0, 22), text };
  statements.push(made);
  return made;
}

export interface ConnectionOptions {
  url: string;
  /** What the database's own list of connections calls this one. */
  purpose: string;
  /** Waits for an answer however long it takes, as a migration must. */
  isPatient?: boolean;
}

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * A connection that is silent for longer than this, while an answer is waited for, is lost: the
 * network or the server has gone, for the server itself ends a statement before that.
 */
const SILENCE_MS = 10_000;
const CLOSE_MS = 1_000;
const LOOK_MS = 1_000;

/**
 * Every statement here is a look-up by index, whatever the statistics say: a plan made while a
 * table was small must not become a scan when it has grown. Nobody waits for ever for a lock, and
 * a node that froze half-way does not keep its own. What is acknowledged is on disk, even where
 * the server's default would be not to wait.
 */
export const SESSION = `
  SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off;
  SET enable_indexonlyscan = off;
  SET plan_cache_mode = force_generic_plan;
  SET lock_timeout = '5s'; SET statement_timeout = '8s';
  SET idle_in_transaction_session_timeout = '15s';
  SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding`;

/** How values of each type become JavaScript: numbers, truths and JSON; all else stays text. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.INT2, Number],
  [pg.types.builtins.BOOL, (text) => text === 't'],
  [pg.types.builtins.JSON, (text) => JSON.parse(text)],
]);
const types = { getTypeParser: (oid: number) => parsers.get(oid) ?? ((text: string) => text) };

/**
 * One connection. What is asked goes out at once, without waiting for the answer before it, and is
 * carried out in order. It never reconnects and never repeats: whoever uses it knows what was lost.
 */
export class Connection {
  readonly #client: pg.Client;
  /** When each question that has no answer yet was asked, oldest first. */
  readonly #asked: number[] = [];
  readonly #watch: NodeJS.Timeout;
  #answeredAt = 0;
  #lost: ConnectionLost | null = null;

  private constructor(client: pg.Client, isPatient: boolean) {
    this.#client = client;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
    this.#watch = setInterval(() => {
      const oldest = isPatient ? undefined : this.#asked[0];
      const since = Math.max(oldest ?? 0, this.#answeredAt);
      if (oldest !== undefined && performance.now() - since > SILENCE_MS) {
        this.destroy(new Error('the database does not answer'));
      }
    }, LOOK_MS).unref();
  }

  static async open({ url, purpose, isPatient }: ConnectionOptions): Promise<Connection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: `realmkeep ${purpose}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
      types,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      destroySocket(client);
      throw error;
    }
    const connection = new Connection(client, isPatient ?? false);
    try {
      await connection.#settle();
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** How many questions wait for their answer. */
  get waiting(): number {
    return this.#asked.length;
  }

  /** Whether anything was answered within that time, or is when it is asked for now. */
  async isAnswered(withinMs: number): Promise<boolean> {
    if (this.#lost) return false;
    if (performance.now() - this.#answeredAt < withinMs) return true;
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), withinMs);
    const answer = this.run('SELECT 1').then(
      () => true,
      () => !this.#lost,
    );
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  }

  query<Row, Args extends Sql[]>(
    { name, text }: Statement<Row, Args>,
    ...values: Args
  ): Promise<Row[]> {
    return this.#send(name, text, values).then(({ rows }) => rows as Row[]);
  }

  /** Rows that a statement changed. */
  change<Args extends Sql[]>(
    { name, text }: Statement<never, Args>,
    ...values: Args
  ): Promise<number> {
    return this.#send(name, text, values).then(({ rowCount }) => rowCount ?? 0);
  }

  /** A statement without parameters; answers what the server says it did, such as `COMMIT`. */
  run(text: string): Promise<string> {
    return this.#ask(() => this.#client.query(text)).then((result) =>
      // Several statements in one text have several results.
      Array.isArray(result) ? (result.at(-1)?.command ?? '') : result.command,
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    if (this.#lost) return;
    this.#lost = new ConnectionLost('the connection was closed');
    const cut = setTimeout(() => destroySocket(this.#client), CLOSE_MS);
    await this.#client.end();
    clearTimeout(cut);
  }

  /** Cuts the connection: whatever has no answer yet gets this as its failure. */
  destroy(reason: Error): void {
    this.#lose(reason);
    destroySocket(this.#client);
  }

  async #settle(): Promise<void> {
    const result = (await this.#ask(() => this.#client.query(SESSION))) as unknown;
    const last = (result as pg.QueryResult[]).at(-1)?.rows[0];
    if (last.standby) throw new ConnectionLost('the database is a standby that cannot be written');
    if (last.encoding !== 'UTF8') throw new Error('the encoding of the database must be UTF8');
  }

  #send(name: string, text: string, values: Sql[]): Promise<pg.QueryResult> {
    const parameters = values.map((one) => (Array.isArray(one) ? arrayText(one) : one));
    return this.#ask(() => this.#client.query({ name, text, values: parameters }));
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    this.#asked.push(performance.now());
    try {
      return await send();
    } catch (error) {
      throw this.#lost ?? error;
    } finally {
      this.#asked.shift();
      this.#answeredAt = performance.now();
    }
  }

  #lose(reason: Error): void {
    clearInterval(this.#watch);
    this.#lost ??= new ConnectionLost(reason.message, { cause: reason });
  }
}

/** As PostgreSQL reads an array; by hand, since the driver's way took 7 % of the thread's time. */
export function arrayText(values: readonly One[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (typeof value === 'string') text += SPECIAL.test(value) ? escaped(value) : `"${value}"`;
    else text += value === null ? 'NULL' : String(value);
  }
  return `${text}}`;
}

const SPECIAL = /["\\]/;
const escaped = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

/** The driver has no way to cut a connection short; its socket has. */
function destroySocket(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
