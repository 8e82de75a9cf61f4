import { IMPORT_TARGET, type ImportResult } from './cases/import.ts';
import { metOrMissed, table, whole } from './table.ts';

export function importText(result: ImportResult | null): string[] {
  if (!result) return [];
  return [
    '',
    `Imports of ${whole(result.members)} members from a CSV file, each by a new process`,
    '',
    ...table(
      ['', 'members/s', 'CPU us a member', 'target'],
      result.lines.map(({ database, columns, membersPerSecond, processorTime }) => [
        `${database}: ${columns}`,
        whole(membersPerSecond),
        processorTime.toFixed(1),
        database === 'SQLite'
          ? `>= ${whole(IMPORT_TARGET)} ${metOrMissed(membersPerSecond >= IMPORT_TARGET)}`
          : '',
      ]),
    ),
  ];
}
