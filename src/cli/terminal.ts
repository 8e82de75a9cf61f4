/** Work that ends sooner shows no progress. */
const SILENT_MS = 1_000;
/** Between updates: often for the one line on a terminal, seldom for the lines of a log. */
const INTERVAL_MS = { terminal: 200, log: 5_000 };
const ERASE_LINE = '\r\x1b[K';

/**
 * Shows how far long-running work has got; on a terminal, disposing clears the line. It is written
 * to stderr, since stdout has only the result.
 */
export class Progress {
  #nextAt = performance.now() + SILENT_MS;
  #isShown = false;

  /** May be called at any rate. */
  show(text: string): void {
    const now = performance.now();
    if (now < this.#nextAt) return;
    const { isTTY } = process.stderr;
    this.#nextAt = now + (isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.log);
    this.#isShown = true;
    process.stderr.write(isTTY ? `${ERASE_LINE}${text} …` : `${text} …\n`);
  }

  [Symbol.dispose](): void {
    if (this.#isShown && process.stderr.isTTY) process.stderr.write(ERASE_LINE);
  }
}

export const grouped = (count: number | bigint): string => count.toLocaleString('en');

export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Rows in aligned columns; the columns of numbers, named in the first row, to the right. */
export function table(rows: string[][], numbers: string[] = []): string {
  const cells = rows.map((row) => row.map(printable));
  const columns = cells[0]?.map((head, column) => ({
    width: Math.max(...cells.map((row) => width(row[column] ?? ''))),
    isNumber: numbers.includes(head),
  }));
  const line = (row: string[]): string =>
    row
      .map((cell, column) => {
        const { width: full = 0, isNumber = false } = columns?.[column] ?? {};
        const blanks = ' '.repeat(full - width(cell));
        return isNumber ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}

/** One thing: its title, and a row for each name and value. */
export const details = (title: string, rows: string[][]): string =>
  `${title}\n${table(rows).replaceAll(/^/gm, '  ')}`;

const width = (text: string): number => [...text].length;

/** Names are user input: a line break or an escape sequence must not reach the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
