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
