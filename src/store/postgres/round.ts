import pg from 'pg';

/** A prepared statement, and the values it is carried out with, as text. */
export interface Question {
  name: string;
  text: string;
  values: (string | null)[];
}

export interface Answer {
  rows: object[];
  /** Rows that were found or changed. */
  count: number;
}

/** How the values of each column become JavaScript. */
export interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The columns of each statement that a connection has prepared. */
export type Known = Map<string, Column[]>;

interface Wire {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  bind(values: { statement: string; values: (string | null)[] }): void;
  execute(): void;
  sync(): void;
}

/** How values of each type become JavaScript: numbers, truths and JSON; all else stays text. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.INT4, Number],
  [pg.types.builtins.INT2, Number],
  [pg.types.builtins.BOOL, (text) => text === 't'],
  [pg.types.builtins.JSON, (text) => JSON.parse(text)],
]);
const asText = (text: string): string => text;

/**
 * Statements that go out as one and are answered as one: the server carries out the next without
 * being asked to tell of the last, and a failure is the failure of all of them. The driver by
 * itself sends each with an end of its own and has its columns described every time; of a batch of
 * 32 transfers that took a tenth of the processors' time.
 */
export class Round extends pg.Query {
  // Read by the driver, which keeps the list of what is prepared: those of the present question.
  name = '';
  text = '';
  readonly #questions: Question[];
  readonly #known: Known;
  readonly #done: (answers: Answer[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #answers: Answer[] = [];
  #columns: Column[] = [];
  #rows: object[] = [];

  constructor(
    questions: Question[],
    known: Known,
    done: (answers: Answer[]) => void,
    failed: (error: unknown) => void,
  ) {
    super('');
    this.#questions = questions;
    this.#known = known;
    this.#done = done;
    this.#failed = failed;
    this.#turnTo(0);
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    for (const { name, text, values } of this.#questions) {
      if (!wire.parsedStatements[name] && !wire.submittedNamedStatements[name]) {
        wire.parse({ name, text });
        wire.submittedNamedStatements[name] = text;
      }
      if (!this.#known.has(name)) wire.describe({ type: 'S', name });
      wire.bind({ statement: name, values });
      wire.execute();
    }
    wire.sync();
  };

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parsers.get(dataTypeID) ?? asText,
    }));
    this.#known.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < this.#columns.length; at++) {
      const { name, parse } = this.#columns[at] as Column;
      const value = fields[at] as string | null;
      row[name] = value === null ? null : parse(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#turnTo(this.#answers.push({ rows: this.#rows, count }));
  }

  /** Only now is what was not within a transaction on disk. */
  handleReadyForQuery(): void {
    this.#done(this.#answers);
  }

  handleError(error: unknown, { submittedNamedStatements }: Wire): void {
    // What was not reached was not prepared either.
    for (const { name } of this.#questions) delete submittedNamedStatements[name];
    this.#failed(error);
  }

  #turnTo(index: number): void {
    const next = this.#questions[index];
    if (!next) return;
    this.name = next.name;
    this.text = next.text;
    this.#columns = this.#known.get(next.name) ?? [];
    this.#rows = [];
  }
}
