import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { enterCluster } from './citus/cluster.ts';
import { ConnectionLost, isAborted, Standby } from './errors.ts';
import { type Execution, objectsOf, Pipeline, type Prepared, type Result } from './pipeline.ts';
import { SESSION, STATEMENT_MS } from './session.ts';
import { type PgStatement, type Sql, textOf } from './statement.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const CLOSE_MS = 1_000;
/**
 * A connection that is silent for longer than this while a request is pending is lost: the server
 * or the network has gone, since the server cancels a statement before that. The statements of a
 * pipeline, which are answered only at its end, take far less together.
 */
const SILENCE_MS = STATEMENT_MS + 4_000;
const CHECK_MS = 1_000;

/** A pipeline that is being assembled. */
interface Assembly {
  executions: Execution[];
  results: Promise<Result[]>;
}

interface ConnectionOptions {
  url: string;
  /** Part of the name in `pg_stat_activity`. */
  purpose: string;
  /** Waits for an answer however long it takes, as a migration must. */
  isPatient?: boolean;
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
  #assembly: Assembly | null = null;
  #isDistributed = false;
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

  static async open({ url, purpose, isPatient }: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(await connect(url, purpose));
    if (!isPatient) {
      connection.#watchdog = setInterval(() => connection.#checkSilence(), CHECK_MS).unref();
    }
    try {
      await connection.#configure();
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw error;
    }
  }

  /** How many requests have no answer yet. */
  get pending(): number {
    return this.#pending;
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** Whether the tables are distributed over the servers of a cluster. */
  get isDistributed(): boolean {
    return this.#isDistributed;
  }

  async detectCluster(): Promise<boolean> {
    this.#isDistributed = await enterCluster((text) => this.count(text));
    return this.#isDistributed;
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
    return objectsOf(await this.execute(which, values)) as Row[];
  }

  /** Returns the number of rows that the statement changed. */
  async change<Args extends Sql[]>(
    which: PgStatement<never, Args>,
    ...values: Args
  ): Promise<number> {
    return (await this.execute(which, values)).count;
  }

  execute({ name, text }: PgStatement<unknown, never>, values: readonly Sql[]): Promise<Result> {
    const execution = { name, text, values: values.map(textOf) };
    const assembly = this.#assembly;
    const index = assembly ? assembly.executions.push(execution) - 1 : 0;
    const results = assembly?.results ?? this.#submit([execution]);
    return results.then((all) => all[index] as Result);
  }

  /**
   * Everything that `assemble` queries or changes before it returns is sent as one pipeline, and
   * fails as one. If `assemble` throws, nothing is sent.
   */
  pipeline<T>(assemble: () => T): T {
    if (this.#assembly) throw new Error('a pipeline within a pipeline would be sent before it');
    const { promise: results, resolve, reject } = Promise.withResolvers<Result[]>();
    const executions: Execution[] = [];
    this.#assembly = { executions, results };
    try {
      const assembled = assemble();
      if (executions.length > 0) resolve(this.#submit(executions));
      return assembled;
    } catch (error) {
      results.catch(() => undefined);
      reject(error);
      throw error;
    } finally {
      this.#assembly = null;
    }
  }

  /** Runs text without parameters and returns the server's last command tag, such as `COMMIT`. */
  async run(text: string): Promise<string> {
    const { command } = await this.#simpleQuery(text);
    if (command === 'COMMIT' || command === 'ROLLBACK') this.#failure = null;
    return command;
  }

  /** Runs text without parameters and returns the number of rows of its last command. */
  async count(text: string): Promise<number> {
    return (await this.#simpleQuery(text)).rows.length;
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
    const [{ rows }] = await Promise.all([this.#simpleQuery(SESSION), this.detectCluster()]);
    if (rows[0].standby) throw new Standby('the database is a standby that cannot be written');
    if (rows[0].encoding !== 'UTF8') throw new Error('the encoding of the database must be UTF8');
  }

  #submit(executions: Execution[]): Promise<Result[]> {
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

  #simpleQuery(text: string): Promise<pg.QueryResult> {
    if (this.#assembly) {
      return Promise.reject(new Error('a simple query would be sent before its pipeline'));
    }
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
