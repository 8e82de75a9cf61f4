/** Reads and writes CSV (RFC 4180). The delimiter is the one that the first line has most of. */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\ufeff/, '');
  const delimiter = delimiterOf(source);
  const rows: string[][] = [];
  let row: string[] = [];
  const end = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  let at = 0;
  while (at < source.length) {
    const [cell, after] =
      source[at] === '"' ? quoted(source, at, delimiter) : plain(source, at, delimiter);
    row.push(cell);
    at = after;
    if (source[at] === delimiter) {
      at += 1;
      // A delimiter at the very end is followed by an empty cell.
      if (at === source.length) row.push('');
      continue;
    }
    if (source[at] === '\r' && source[at + 1] === '\n') at += 1;
    at += 1;
    end();
  }
  if (row.length > 0) end();
  return rows;
}

/** Quoted where necessary. What a spreadsheet would run as a formula gets an apostrophe. */
export const writeCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function delimiterOf(source: string): string {
  const [line = ''] = source.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => line.split(delimiter).length;
  return [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0] ?? ',';
}

function quoted(source: string, start: number, delimiter: string): [string, number] {
  let cell = '';
  let at = start + 1;
  while (at < source.length) {
    const close = source.indexOf('"', at);
    if (close < 0) return [cell + source.slice(at), source.length];
    cell += source.slice(at, close);
    if (source[close + 1] !== '"') {
      const [rest, after] = plain(source, close + 1, delimiter);
      return [cell + rest, after];
    }
    cell += '"';
    at = close + 2;
  }
  return [cell, at];
}

function plain(source: string, start: number, delimiter: string): [string, number] {
  let at = start;
  while (at < source.length && source[at] !== delimiter && !/[\r\n]/.test(source[at] ?? ''))
    at += 1;
  return [source.slice(start, at).trim(), at];
}
