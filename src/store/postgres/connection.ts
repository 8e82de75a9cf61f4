import type { Socket } from 'node:net';
import pg from 'pg';
import { ConnectionLost } from './failures.ts';
import { type Answer, type Known, type Question, Round } from './round.ts';
import { type Sql, type Statement, textOf } from './statement.ts';

/** A round that is being put together. */
interface Gathering {
  questions: Question[];
  answers: Promise<Answer[]>;
}

interface ConnectionOptions {
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

/** Ways to carry out a statement that would read more than the rows that it names. */
export const PLANNING_OFF = [
  'enable_seqscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_indexonlyscan',
  'jit',
];

/**
 * Every statement here is a look-up by index, whatever the statistics say: a plan made while a
 * table was small must not become a scan when it has grown. Nobody waits for ever for a lock, and
 * a node that froze half-way does not keep its own. What is acknowledged is on disk, even where
 * the server's default would be not to wait.
 */
export const SESSION = `
  ${PLANNING_OFF.map((name) => `SET ${name} = off;`).join(' ')}
  SET plan_cache_mode = force_generic_plan;
  SET lock_timeout = '5s'; SET statement_timeout = '8s';
  SET idle_in_transaction_session_timeout = '15s';
  SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
    to_regclass('pg_dist_partition') IS NOT NULL AS "hasCitus"`;

/**
 * Citus finds the server of a realm once it knows which realm: no plan can do for all of them. What
 * is set for one transaction holds on that server, too.
 */
export const DISTRIBUTED_SESSION = `
  SET plan_cache_mode = auto; SET citus.propagate_set_commands = 'local'`;
const IS_DISTRIBUTED = `SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('realms')`;

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
  #hasCitus = false;
  #isDistributed = false;
  #lost: ConnectionLost | null = null;
  readonly #known: Known = new Map();
  #gathering: Gathering | null = null;
  #isCorked = false;

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

  get hasCitus(): boolean {
    return this.#hasCitus;
  }

  get isDistributed(): boolean {
    return this.#isDistributed;
  }

  /** Whether the tables are distributed over the servers of a cluster: it then speaks so. */
  async lookWhetherDistributed(): Promise<boolean> {
    if (!this.#hasCitus) return false;
    const { rows } = await this.#ask(() => this.#client.query(IS_DISTRIBUTED));
    this.#isDistributed = rows.length > 0;
    if (this.#isDistributed) await this.run(DISTRIBUTED_SESSION);
    return this.#isDistributed;
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

  query<Row, Args extends Sql[]>(which: Statement<Row, Args>, ...values: Args): Promise<Row[]> {
    return this.#answer(which, values).then(({ rows }) => rows as Row[]);
  }

  /** Rows that a statement changed. */
  change<Args extends Sql[]>(which: Statement<never, Args>, ...values: Args): Promise<number> {
    return this.#answer(which, values).then(({ count }) => count);
  }

  /** All that is asked before this returns goes out as one round, and fails as one. */
  round<T>(ask: () => T): T {
    const { promise: answers, resolve } = Promise.withResolvers<Answer[]>();
    const questions: Question[] = [];
    this.#gathering = { questions, answers };
    try {
      const result = ask();
      if (questions.length > 0) resolve(this.#send(questions));
      return result;
    } finally {
      this.#gathering = null;
    }
  }

  /** A statement without parameters; answers what the server says it did, such as `COMMIT`. */
  run(text: string): Promise<string> {
    if (this.#gathering) throw new Error('a statement by itself would go out before its round');
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
    this.#hasCitus = last.hasCitus;
    await this.lookWhetherDistributed();
  }

  async #answer(which: Statement<unknown, Sql[]>, values: Sql[]): Promise<Answer> {
    const { name, text, distributed } = which;
    const said = this.#isDistributed ? distributed : text;
    const question = { name, text: said, values: values.map(textOf) };
    const gathering = this.#gathering;
    const index = gathering ? gathering.questions.push(question) - 1 : 0;
    return (await (gathering?.answers ?? this.#send([question])))[index] as Answer;
  }

  #send(questions: Question[]): Promise<Answer[]> {
    return this.#ask(
      () =>
        new Promise((resolve, reject) => {
          this.#client.query(new Round(questions, this.#known, resolve, reject));
        }),
    );
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost;
    this.#asked.push(performance.now());
    this.#cork();
    try {
      return await send();
    } catch (error) {
      throw this.#lost ?? error;
    } finally {
      this.#asked.shift();
      this.#answeredAt = performance.now();
    }
  }

  /** What is asked until others have their turn goes out by one call of the system. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const socket = socketOf(this.#client);
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }

  #lose(reason: Error): void {
    clearInterval(this.#watch);
    this.#lost ??= new ConnectionLost(reason.message, { cause: reason });
  }
}

/** The driver has no way to cut a connection short; its socket has. */
const destroySocket = (client: pg.Client): unknown => socketOf(client).destroy();

const socketOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
