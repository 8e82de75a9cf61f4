import type { Enrolment } from '../../domain/commands.ts';
import { accountKey } from '../../domain/rules/books.ts';

interface Row {
  /** As the file has it, with what is ignored: a waiting row keeps all of its text. */
  row: { length: number };
  enrolment: Enrolment & { memberId: string };
}

/** Members of a batch, as of a call. A running service waits while one is written, some 20 ms. */
export const BATCH = 1_000;
/** Rows of tables. A batch has fewer members if they have many wallets or kinds of points. */
export const MAX_ROWS = 10_000;
/** Rows of a window, and their text, so that a window takes some 50 MB of memory. */
const MAX_WINDOW = 32 * BATCH;
const MAX_TEXT = 16_777_216;

/**
 * Makes batches of rows. The database stores members by their ids, so a batch of neighbours changes
 * few pages, where one in the order of most files changes a page for each row of each table. Hence
 * rows are sorted, a window at a time. The first window is small, for writing to begin at once.
 */
export class Batches<R extends Row> {
  #size = BATCH;
  #window: R[] = [];
  #text = 0;
  #ready: R[][] = [];

  /** Returns what is to be sent now: a window is sent while the next one is filled. */
  add(row: R): R[][] {
    this.#text += row.row.length;
    const isPaced = this.#window.push(row) % BATCH === 0;
    if (this.#window.length < this.#size && this.#text < MAX_TEXT) {
      return this.#ready.splice(0, Number(isPaced));
    }
    const before = this.#ready.splice(0);
    this.#close();
    this.#size = Math.min(2 * this.#size, MAX_WINDOW);
    return before.length > 0 ? before : this.#ready.splice(0, 1);
  }

  /** All that is left. */
  rest(): R[][] {
    this.#close();
    return this.#ready.splice(0);
  }

  #close(): void {
    const rows = haveRivals(this.#window) ? this.#window : this.#window.sort(byId);
    this.#window = [];
    this.#text = 0;
    let batch: R[] = [];
    let count = 0;
    for (const row of rows) {
      const more = rowsOf(row.enrolment);
      if (batch.length === BATCH || count + more > MAX_ROWS) {
        this.#ready.push(batch);
        batch = [];
        count = 0;
      }
      batch.push(row);
      count += more;
    }
    if (batch.length > 0) this.#ready.push(batch);
  }
}

const rowsOf = ({ fields, wallets, balances }: Enrolment): number =>
  1 + (fields.accounts?.length ?? 0) + wallets.length + balances.length;

const byId = ({ enrolment: { memberId: a } }: Row, { enrolment: { memberId: b } }: Row): number =>
  a.length - b.length || (a < b ? -1 : 1);

/** Whether two rows have the same wallet or account: the first of the file gets it. */
function haveRivals(rows: readonly Row[]): boolean {
  const taken = new Set<string>();
  const take = (key: string): boolean => taken.size === taken.add(key).size;
  return rows.some(
    ({ enrolment: { wallets, fields } }) =>
      wallets.some(({ key }) => take(`wallet ${key}`)) ||
      fields.accounts?.some((account) => take(`account ${accountKey(account)}`)),
  );
}
