import pg from 'pg';
import { type PgStatement, type Sql, textOf } from './statement.ts';

/** A prepared statement and the arguments it is executed with. */
export interface Execution {
  statement: PgStatement<unknown, never>;
  values: readonly Sql[];
}

export interface Result {
  /** The values of each row, in the order of the columns. */
  rows: unknown[][];
  columns: readonly string[];
  count: number;
}

/** Statements to send, and how their results are read. */
export interface Request {
  executions: readonly Execution[];
  read: (results: readonly Result[]) => unknown;
}

/** Rows as objects by the names of their columns. */
export const objectsOf = ({ rows, columns }: Result): object[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index++) {
      row[columns[index] as string] = values[index];
    }
    return row;
  });

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The result columns of every statement that the connection has certainly prepared, by name. */
export type Prepared = Map<string, readonly Column[]>;

/** The part of the driver's connection that writes protocol messages. */
interface Wire {
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  describe(statement: { type: 'S'; name: string }): void;
  bind(values: { statement: string; values: (string | null)[] }): void;
  execute(): void;
  sync(): void;
}

/** Parsers by type; every other type stays text. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.INT2, Number],
  [pg.types.builtins.BOOL, (text) => text === 't'],
  [pg.types.builtins.JSON, (text) => JSON.parse(text)],
]);
const asText = (text: string): string => text;

/**
 * Statements sent in one network round trip: the server executes them in order and answers all of
 * them at the end, and a failure of one is a failure of all. To the driver it is a query of its own
 * kind; the driver calls the methods named `handle…`.
 *
 * Every pipeline prepares the statements that the server has not confirmed yet, so that none relies
 * on an earlier pipeline that may still fail. Closing a statement that does not exist is no error.
 */
export class Pipeline extends pg.Query {
  readonly #executions: readonly Execution[];
  readonly #prepared: Prepared;
  readonly #answer = Promise.withResolvers<Result[]>();
  readonly #results: Result[] = [];
  /** As known when it was sent: an earlier failure may have removed some of them since. */
  readonly #known: (readonly Column[] | undefined)[];
  #columns: readonly Column[] = [];
  #rows: unknown[][] = [];
  #fault: unknown = null;

  constructor(executions: readonly Execution[], prepared: Prepared) {
    super('');
    this.#executions = executions;
    this.#prepared = prepared;
    this.#known = executions.map(({ statement }) => prepared.get(statement.name));
    this.#expect(0);
  }

  get results(): Promise<Result[]> {
    return this.#answer.promise;
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    for (const [index, { statement, values }] of this.#executions.entries()) {
      const { name, text } = statement;
      if (!this.#known[index]) {
        wire.close({ type: 'S', name });
        wire.parse({ name, text });
        wire.describe({ type: 'S', name });
      }
      wire.bind({ statement: name, values: values.map(textOf) });
      wire.execute();
    }
    wire.sync();
  };

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parsers.get(dataTypeID) ?? asText,
    }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: unknown[] = [];
    try {
      for (let at = 0; at < this.#columns.length; at++) {
        const value = fields[at] as string | null;
        row.push(value === null ? null : (this.#columns[at] as Column).parse(value));
      }
    } catch (error) {
      this.#fault ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    const name = this.#executions[this.#results.length]?.statement.name ?? '';
    this.#prepared.set(name, this.#columns);
    const columns = this.#columns.map((column) => column.name);
    this.#expect(this.#results.push({ rows: this.#rows, columns, count }));
  }

  /** Outside a transaction, changes are durable only now. */
  handleReadyForQuery(): void {
    if (this.#results.length !== this.#executions.length) {
      this.#fault ??= new Error('the server sent more or fewer results than expected');
    }
    if (this.#fault === null) this.#answer.resolve(this.#results);
    else this.#answer.reject(this.#fault);
  }

  /** The statement that failed is prepared again the next time: its plan may be the reason. */
  handleError(error: unknown): void {
    const failed = this.#executions[this.#results.length];
    if (failed) this.#prepared.delete(failed.statement.name);
    this.#answer.reject(error);
  }

  /** Gets ready for the rows of the next statement. */
  #expect(index: number): void {
    this.#columns = this.#known[index] ?? [];
    this.#rows = [];
  }
}
