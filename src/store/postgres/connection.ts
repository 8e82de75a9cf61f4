import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { ConnectionLost, Standby } from './errors.ts';
import { type Answer, Pipeline, type Prepared, type Question } from './pipeline.ts';
import { DISTRIBUTED_SESSION, IS_DISTRIBUTED, SESSION, STATEMENT_MS } from './session.ts';
import { type Sql, type Statement, statement, textOf } from './statement.ts';

/** A round that waits for its answer. */
interface Asked {
  at: number;
  statements: number;
}

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
 * network or the server has gone, for the server itself ends a statement before that. Of a round
 * of several it says nothing before its end: then it is asked whether it is still at work.
 */
const SILENCE_MS = STATEMENT_MS + 2_000;
const MAX_ROUND_MS = 30_000;
const AT_WORK = statement<{ pid: number }, [number]>(
  "SELECT pid FROM pg_stat_activity WHERE pid = $1 AND state = 'active'",
);
const CLOSE_MS = 1_000;
const LOOK_MS = 1_000;

/**
 * One connection. What is asked goes out without waiting for the answer before it, and is carried
 * out in order. It never reconnects and never repeats: whoever uses it knows what was lost.
 */
export class Connection {
  /** A number that no other has, by which the server can be asked for it later. */
  readonly session = randomInt(2 ** 47);
  readonly #client: pg.Client;
  readonly #url: string;
  /** The rounds that have no answer yet, oldest first. */
  readonly #asked: Asked[] = [];
  readonly #watch: NodeJS.Timeout;
  #answeredAt = 0;
  #hasCitus = false;
  #isDistributed = false;
  #lost: ConnectionLost | null = null;
  readonly #prepared: Prepared = new Map();
  #gathering: Gathering | null = null;
  #isCorked = false;
  #isLooking = false;

  private constructor(client: pg.Client, { url, isPatient }: ConnectionOptions) {
    this.#client = client;
    this.#url = url;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
    this.#watch = setInterval(() => isPatient || this.#look(), LOOK_MS).unref();
  }

  static async open(options: ConnectionOptions): Promise<Connection> {
    const { url, purpose } = options;
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
    const connection = new Connection(client, options);
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

  /** How many rounds wait for their answer. */
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
  async detectCitus(): Promise<boolean> {
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

  /**
   * All that is asked before this returns goes out as one round, and fails as one. If asking fails,
   * nothing goes out.
   */
  round<T>(ask: () => T): T {
    if (this.#gathering) throw new Error('a round within a round would go out before it');
    const { promise: answers, resolve, reject } = Promise.withResolvers<Answer[]>();
    const questions: Question[] = [];
    this.#gathering = { questions, answers };
    try {
      const result = ask();
      if (questions.length > 0) resolve(this.#send(questions));
      return result;
    } catch (error) {
      answers.catch(() => undefined);
      reject(error);
      throw error;
    } finally {
      this.#gathering = null;
    }
  }

  /** A statement without parameters; answers what the server says it did, such as `COMMIT`. */
  run(text: string): Promise<string> {
    if (this.#gathering) {
      return Promise.reject(new Error('a statement by itself would go out before its round'));
    }
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
    if (last.standby) throw new Standby('the database is a standby that cannot be written');
    if (last.encoding !== 'UTF8') throw new Error('the encoding of the database must be UTF8');
    this.#hasCitus = last.hasCitus;
    await this.detectCitus();
  }

  #answer(which: Statement<unknown, Sql[]>, values: Sql[]): Promise<Answer> {
    const question = this.#questionOf(which, values.map(textOf));
    const gathering = this.#gathering;
    const index = gathering ? gathering.questions.push(question) - 1 : 0;
    const answers = gathering?.answers ?? this.#send([question]);
    return answers.then((all) => all[index] as Answer);
  }

  /** The two texts of a statement have names of their own: a name means one text. */
  #questionOf({ name, text, distributed }: Statement<unknown, Sql[]>, values: Question['values']) {
    const isOther = this.#isDistributed && distributed !== text;
    return isOther ? { name: `${name}+`, text: distributed, values } : { name, text, values };
  }

  #send(questions: Question[]): Promise<Answer[]> {
    const send = (done: (answers: Answer[]) => void, failed: (error: unknown) => void): void => {
      try {
        this.#client.query(new Pipeline(questions, this.#prepared, done, failed));
      } catch (error) {
        // A part of it may be on its way, and must not be committed by what comes behind it.
        this.destroy(error as Error);
        throw error;
      }
    };
    return this.#ask(() => new Promise(send), questions.length);
  }

  async #ask<T>(send: () => Promise<T>, statements = 1): Promise<T> {
    if (this.#lost) throw this.#lost;
    this.#asked.push({ at: performance.now(), statements });
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

  /** Gives a connection up that is silent for too long. */
  async #look(): Promise<void> {
    const [oldest] = this.#asked;
    if (!oldest || this.#isLooking) return;
    const silentFor = performance.now() - Math.max(oldest.at, this.#answeredAt);
    if (silentFor < SILENCE_MS) return;
    this.#isLooking = true;
    const mayTakeLonger = oldest.statements > 1 && silentFor < MAX_ROUND_MS;
    const isAtWork = mayTakeLonger && (await this.#isAtWork());
    this.#isLooking = false;
    if (isAtWork || this.#asked[0] !== oldest) return;
    this.destroy(new Error('the database does not answer'));
  }

  /** Whether the server still works at what was asked here, as another connection hears. */
  async #isAtWork(): Promise<boolean> {
    const { processID } = this.#client as unknown as { processID: number };
    try {
      const other = await Connection.open({ url: this.#url, purpose: 'probe' });
      const found = await other.query(AT_WORK, processID).finally(() => other.close());
      return found.length > 0;
    } catch {
      return false;
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
