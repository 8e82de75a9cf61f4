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

/** The rows of a list as a file. Numbers stay numbers; text that people wrote is no formula. */
export const listFile = (names: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  writeCsv([
    names,
    ...rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? guarded(cell) : String(cell ?? ''))),
    ),
  ]);

const MOVEMENT = [
  ...(['transactionId', 'at', 'type', 'memberId', 'counterpartyId', 'realmPointId'] as const),
  ...(['tokens', 'balance', 'description', 'reference', 'actor'] as const),
];

/** Movements as a file. */
export const movementFile = (
  rows: readonly Readonly<Record<(typeof MOVEMENT)[number], unknown>>[],
): string =>
  listFile(
    MOVEMENT,
    rows.map((row) => MOVEMENT.map((name) => row[name])),
  );

/** A file of members, line by line. */
export function memberFile(kinds: Parameters<typeof memberColumns>[0]) {
  const columns = memberColumns(kinds);
  return {
    header: csvLine(columns.map(({ name }) => name)),
    lineOf: (member: ExportedMember): string => csvLine(columns.map(({ cell }) => cell(member))),
  };
}
