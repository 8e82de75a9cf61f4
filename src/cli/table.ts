/** Rows in aligned columns. */
export function table(rows: string[][]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = cells[0]?.map((_, column) =>
    Math.max(...cells.map((row) => width(row[column] ?? ''))),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths?.[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}

const width = (text: string): number => [...text].length;

/** Names are user input: a line break or an escape sequence must not reach the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
