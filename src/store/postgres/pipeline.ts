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

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The columns of the statements that a connection certainly has prepared, by their names. */
export type Prepared = Map<string, readonly Column[]>;

/** What the driver gives us to speak with. */
interface Wire {
  close(statement: { type: 'S'; name: string }): void;
  parse(statement: { name: string; text: string }): void;
  describe(statement: { type: 'S'; name: string }): void;
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
 * being asked to tell of the last, and a failure is the failure of all of them. It is a query of
 * our own in the driver's line; what the driver calls of it are the methods named `handle…`.
 *
 * A statement is prepared by every round that is sent before the server has said that it has it:
 * so none relies on another that may fail. To close one that is not there is no fault.
 */
export class Pipeline extends pg.Query {
  readonly #questions: readonly Question[];
  readonly #prepared: Prepared;
  readonly #done: (answers: Answer[]) => void;
  readonly #failed: (error: unknown) => void;
  readonly #answers: Answer[] = [];
  /** As they were known when it was sent: a failure before it may have them forgotten since. */
  readonly #known: (readonly Column[] | undefined)[];
  #columns: readonly Column[] = [];
  #rows: object[] = [];
  #fault: unknown = null;

  constructor(
    questions: readonly Question[],
    prepared: Prepared,
    done: (answers: Answer[]) => void,
    failed: (error: unknown) => void,
  ) {
    super('');
    this.#questions = questions;
    this.#prepared = prepared;
    this.#done = done;
    this.#failed = failed;
    this.#known = questions.map(({ name }) => prepared.get(name));
    this.#turnTo(0);
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    for (const [index, { name, text, values }] of this.#questions.entries()) {
      if (!this.#known[index]) {
        wire.close({ type: 'S', name });
        wire.parse({ name, text });
        wire.describe({ type: 'S', name });
      }
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
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      for (let at = 0; at < this.#columns.length; at++) {
        const { name, parse } = this.#columns[at] as Column;
        const value = fields[at] as string | null;
        row[name] = value === null ? null : parse(value);
      }
    } catch (error) {
      this.#fault ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    const name = this.#questions[this.#answers.length]?.name ?? '';
    this.#prepared.set(name, this.#columns);
    this.#turnTo(this.#answers.push({ rows: this.#rows, count }));
  }

  /** Only now is what was not within a transaction on disk. */
  handleReadyForQuery(): void {
    if (this.#answers.length !== this.#questions.length) {
      this.#fault ??= new Error('the server gave more or fewer answers than there were questions');
    }
    if (this.#fault === null) this.#done(this.#answers);
    else this.#failed(this.#fault);
  }

  /** What failed is prepared anew when it is asked again: its plan may be what is wrong. */
  handleError(error: unknown): void {
    const failed = this.#questions[this.#answers.length];
    if (failed) this.#prepared.delete(failed.name);
    this.#failed(error);
  }

  #turnTo(index: number): void {
    this.#columns = this.#known[index] ?? [];
    this.#rows = [];
  }
}
