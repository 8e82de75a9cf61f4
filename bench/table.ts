export const whole = (value: number): string => Math.round(value).toLocaleString('en');

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const metOrMissed = (met: boolean): string => (met ? 'met' : 'missed');

/** The first column is left-aligned, all others are right-aligned. */
export function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const [first = '', ...rest] = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const longest = Math.max(...[first, ...rest].map((line) => line.length));
  return [first, '-'.repeat(longest), ...rest];
}
