import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { forCluster } from './citus/rewrite.ts';
import { enterCluster } from './citus/session.ts';
import { isAborted, Standby } from './errors.ts';
import { type Execution, Pipeline, type Prepared, type Result } from './pipeline.ts';
import { SESSION } from './session.ts';
import { type Sql, type Statement, statement, textOf } from './statement.ts';
import { connect, Transport } from './transport.ts';
import { Watchdog } from './watchdog.ts';

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

const IS_ACTIVE = statement<{ pid: number }, [number]>(
  "SELECT pid FROM pg_stat_activity WHERE pid = $1 AND state = 'active'",
);

/**
 * One connection. Statements are sent without waiting for earlier answers and executed in order. It
 * never reconnects and never repeats a statement: only the caller knows what was lost.
 */
export class Connection extends Transport {
  /** A unique number that identifies this session on the server, even after it is lost. */
  readonly session = randomInt(2 ** 47);
  readonly #watchdog: Watchdog;
  readonly #prepared: Prepared = new Map();
  #assembly: Assembly | null = null;
  #sent: Promise<unknown>[] = [];
  #isDistributed = false;
  /** Why the transaction is aborted: the statements behind this failure fail because of it. */
  #failure: unknown = null;

  private constructor(client: pg.Client, url: string) {
    super(client);
    this.#watchdog = new Watchdog(
      () => isActive(url, this.processId),
      () => this.destroy(new Error('the database does not answer')),
    );
  }

  static async open({ url, purpose, isPatient }: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(await connect(url, purpose), url);
    if (!isPatient) connection.#watchdog.start();
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
    return this.#watchdog.pending;
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
    if (this.#watchdog.answeredWithin(ms)) return true;
    const answer = this.run('SELECT 1').then(
      () => true,
      () => !this.isLost,
    );
    return within(ms, answer, false);
  }

  query<Row, Args extends Sql[]>(which: Statement<Row, Args>, ...values: Args): Promise<Row[]> {
    return this.#execute(which, values).then(
      ({ rows }) => (which.decode ? rows.map(which.decode) : rows) as Row[],
    );
  }

  /** Returns the number of rows that the statement changed. */
  change<Args extends Sql[]>(which: Statement<never, Args>, ...values: Args): Promise<number> {
    return this.#execute(which, values).then(({ count }) => count);
  }

  /**
   * Sends a change without waiting for it, so that more can be sent behind it. Only for whoever has
   * the connection to itself: `settled` waits for all of it.
   */
  send<Args extends Sql[]>(which: Statement<never, Args>, ...values: Args): void {
    const sent = this.change(which, ...values);
    // Reported by `settled`.
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  /** Resolves when all that was sent is done; rejects if a part of it failed. */
  async settled(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await Promise.all(sent);
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

  protected override onLost(): void {
    this.#watchdog.stop();
  }

  async #configure(): Promise<void> {
    const [{ rows }] = await Promise.all([this.#simpleQuery(SESSION), this.detectCluster()]);
    if (rows[0].standby) throw new Standby('the database is a standby that cannot be written');
    if (rows[0].encoding !== 'UTF8') throw new Error('the encoding of the database must be UTF8');
  }

  #execute(which: Statement<unknown, Sql[]>, values: Sql[]): Promise<Result> {
    const { name, text } = this.#isDistributed ? forCluster(which) : which;
    const execution = { name, text, values: values.map(textOf) };
    const assembly = this.#assembly;
    const index = assembly ? assembly.executions.push(execution) - 1 : 0;
    const results = assembly?.results ?? this.#submit([execution]);
    return results.then((all) => all[index] as Result);
  }

  #submit(executions: Execution[]): Promise<Result[]> {
    return this.#request(() => {
      const pipeline = new Pipeline(executions, this.#prepared);
      try {
        this.client.query(pipeline);
      } catch (error) {
        // A part may have been sent already, and must not be committed by what follows.
        this.destroy(error as Error);
        pipeline.handleError(error);
      }
      return pipeline.results;
    }, executions.length);
  }

  #simpleQuery(text: string): Promise<pg.QueryResult> {
    if (this.#assembly) {
      return Promise.reject(new Error('a simple query would be sent before its pipeline'));
    }
    // Several commands in one text have several results.
    return this.#request(() => this.client.query(text)).then((result) =>
      Array.isArray(result) ? result.at(-1) : result,
    );
  }

  async #request<T>(send: () => Promise<T>, statements = 1): Promise<T> {
    if (this.lost) throw this.lost;
    this.#watchdog.sent(statements);
    this.cork();
    try {
      return await send();
    } catch (error) {
      if (!isAborted(error)) this.#failure = error;
      throw this.lost ?? this.#failure ?? error;
    } finally {
      this.#watchdog.answered();
    }
  }
}

/** The answer, or `late` if it takes longer. */
export async function within<T>(ms: number, answer: Promise<T>, late: T): Promise<T> {
  const timeout = Promise.withResolvers<T>();
  const timer = setTimeout(() => timeout.resolve(late), ms);
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
}

/** Whether the server is executing a statement for this process of its own. */
async function isActive(url: string, processId: number): Promise<boolean> {
  try {
    const other = await Connection.open({ url, purpose: 'probe' });
    const found = await other.query(IS_ACTIVE, processId).finally(() => other.close());
    return found.length > 0;
  } catch {
    return false;
  }
}
