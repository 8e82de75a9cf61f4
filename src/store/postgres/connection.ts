import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { ConnectionLost, isAborted, Standby } from './errors.ts';
import { type Execution, objectsOf, Pipeline, type Prepared, type Result } from './pipeline.ts';
import type { PgStatement, Sql } from './statement.ts';

/** The server cancels a statement that takes longer. */
const STATEMENT_MS = 8_000;

/** Plans that would read more than the rows that a statement names. */
const PLANNING_OFF = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_indexonlyscan',
  'jit',
];

/**
 * Every statement here is an index look-up, whatever the statistics say: a plan made while a table
 * was small must not become a scan once it has grown. No statement waits forever for a lock, and a
 * node that freezes during a transaction does not keep its locks. What is acknowledged is on disk,
 * even where the server's default is not to wait for it.
 */
export const SESSION = `
  ${PLANNING_OFF.map((name) => `SET ${name} = off;`).join(' ')}
  SET plan_cache_mode = force_generic_plan;
  SET lock_timeout = '5s'; SET statement_timeout = ${STATEMENT_MS};
  SET idle_in_transaction_session_timeout = '15s';
  SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding`;

const CONNECT_TIMEOUT_MS = 2_000;
const CLOSE_MS = 1_000;
/**
 * A connection that is silent for longer than this while a request is pending is lost: the server
 * or the network has gone, since the server cancels a statement before that. The statements of a
 * pipeline, which are answered only at its end, take far less together.
 */
const SILENCE_MS = STATEMENT_MS + 4_000;
const CHECK_MS = 1_000;

interface ConnectionOptions {
  url: string;
  /** Part of the name in `pg_stat_activity`. */
  purpose: string;
  /** Waits for an answer however long it takes, as a migration must. */
  isPatient?: boolean;
  /** Further settings of the session. */
  settings?: string;
}

/** What the driver has but its types do not declare. */
const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * One connection. Statements are sent without waiting for earlier answers and executed in order. It
 * never reconnects and never repeats a statement: only the caller knows what was lost.
 */
export class Connection {
  /** A unique number that identifies this session on the server, even after it is lost. */
  readonly session = randomInt(2 ** 47);
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #prepared: Prepared = new Map();
  /** Why the transaction is aborted: the statements behind this failure fail because of it. */
  #failure: unknown = null;
  /** Why the connection is lost; null while it is not. */
  #lost: ConnectionLost | null = null;
  #isCorked = false;
  #pending = 0;
  /** When the server answered last, and since when it has something to answer. */
  #answeredAt = 0;
  #pendingSince = 0;
  #watchdog: NodeJS.Timeout | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#socket = socketOf(client);
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
  }

  static async open({ url, purpose, isPatient, settings }: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(await connect(url, purpose));
    if (!isPatient) {
      connection.#watchdog = setInterval(() => connection.#checkSilence(), CHECK_MS).unref();
    }
    try {
      await connection.#configure();
      if (settings) await connection.run(settings);
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw error;
    }
  }

  /** For what an operator asks for: it waits for however long that takes. */
  static forOperator(url: string): Promise<Connection> {
    return Connection.open({ url, purpose: 'migrate', isPatient: true });
  }

  /** How many requests have no answer yet. */
  get pending(): number {
    return this.#pending;
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** Whether the server answered within the last `ms`, or answers a new request within them. */
  async responds(ms: number): Promise<boolean> {
    if (this.isLost) return false;
    if (performance.now() - this.#answeredAt < ms) return true;
    const answer = this.run('SELECT 1').then(
      () => true,
      () => !this.isLost,
    );
    return within(ms, answer, false);
  }

  async query<Row, Args extends Sql[]>(
    which: PgStatement<Row, Args>,
    ...values: Args
  ): Promise<Row[]> {
    const [result] = await this.execute([{ statement: which, values }]);
    return objectsOf(result as Result) as Row[];
  }

  async change<Args extends Sql[]>(
    which: PgStatement<never, Args>,
    ...values: Args
  ): Promise<number> {
    const [result] = await this.execute([{ statement: which, values }]);
    return (result as Result).count;
  }

  /** Sends statements as one pipeline, which fails as one. */
  async execute(executions: readonly Execution[]): Promise<Result[]> {
    if (executions.length === 0) return [];
    return this.#request(() => {
      const pipeline = new Pipeline(executions, this.#prepared);
      try {
        this.#client.query(pipeline);
      } catch (error) {
        // A part may have been sent already, and must not be committed by what follows.
        this.destroy(error as Error);
        pipeline.handleError(error);
      }
      return pipeline.results;
    });
  }

  /** Runs text without parameters and returns the server's last command tag, such as `COMMIT`. */
  async run(text: string): Promise<string> {
    const { command } = await this.#simpleQuery(text);
    if (command === 'COMMIT' || command === 'ROLLBACK') this.#failure = null;
    return command;
  }

  /** Calls the listener with the payload of each NOTIFY on a channel that is listened on. */
  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ payload }) => listener(payload ?? ''));
  }

  /** Cuts the connection: every request without an answer fails. */
  destroy(reason: Error): void {
    this.#lose(reason);
    this.#socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#lost) return;
    this.#lose(new Error('the connection was closed'));
    const cut = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    await this.#client.end();
    clearTimeout(cut);
  }

  #lose(reason: Error): void {
    if (this.#lost) return;
    this.#lost = new ConnectionLost(reason.message, { cause: reason });
    clearInterval(this.#watchdog);
  }

  #checkSilence(): void {
    if (this.#pending === 0) return;
    const silentFor = performance.now() - Math.max(this.#pendingSince, this.#answeredAt);
    if (silentFor > SILENCE_MS) this.destroy(new Error('the database does not answer'));
  }

  async #configure(): Promise<void> {
    const { rows } = await this.#simpleQuery(SESSION);
    if (rows[0].standby) throw new Standby('the database is a standby that cannot be written');
    if (rows[0].encoding !== 'UTF8') throw new Error('the encoding of the database must be UTF8');
  }

  #simpleQuery(text: string): Promise<pg.QueryResult> {
    // Several commands in one text have several results.
    return this.#request(() => this.#client.query(text)).then((result) =>
      Array.isArray(result) ? result.at(-1) : result,
    );
  }

  async #request<T>(send: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    if (this.#pending++ === 0) this.#pendingSince = performance.now();
    this.#cork();
    try {
      return await send();
    } catch (error) {
      if (!isAborted(error)) this.#failure = error;
      throw this.#lost ?? this.#failure ?? error;
    } finally {
      this.#pending -= 1;
      this.#answeredAt = performance.now();
    }
  }

  /** Everything sent until the current tick ends goes out in one system call. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }
}

/** The answer, or `late` if it takes longer. */
export async function within<T>(ms: number, answer: Promise<T>, late: T): Promise<T> {
  const timeout = Promise.withResolvers<T>();
  const timer = setTimeout(() => timeout.resolve(late), ms);
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
}

async function connect(url: string, purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `realmkeep ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    pipeline: true,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    socketOf(client).destroy();
    throw error;
  }
}
