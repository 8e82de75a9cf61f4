import { CsvReader, type CsvRecord, csvLine, delimiterOf, guarded } from '../../src/csv/csv.ts';
import { type ExportedMember, memberColumns } from '../../src/csv/members.ts';

export { guarded };

/** All records of a file; the first one names the columns. */
export function readCsv(text: string): CsvRecord[] {
  // Old programs on Macs end lines with a carriage return alone.
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  const [header = ''] = lines.split('\n', 1);
  return [...new CsvReader(delimiterOf(header)).read(lines, true)];
}

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => csvLine(row)).join('');

/** Some fields of the rows of a list as a file. Numbers stay numbers, and no text is a formula. */
export const listFile = <Name extends string>(
  names: readonly Name[],
  rows: readonly { readonly [N in Name]?: unknown }[],
): string => writeCsv([names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]);

const cellOf = (value: unknown): string =>
  typeof value === 'string' ? guarded(value) : String(value ?? '');

/** A file of members, line by line. */
export function memberFile(kinds: Parameters<typeof memberColumns>[0]) {
  const columns = memberColumns(kinds);
  return {
    header: csvLine(columns.map(({ name }) => name)),
    lineOf: (member: ExportedMember): string => csvLine(columns.map(({ cell }) => cell(member))),
  };
}
