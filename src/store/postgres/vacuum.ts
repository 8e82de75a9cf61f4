import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';

const { records, members, accounts, wallets, challenges, holds, idempotencyRecords, deliveries } =
  tables;

/** The tables that tell about persons. */
const PERSONAL_TABLES: readonly string[] = [
  ...[records, members, accounts, wallets, challenges, holds, idempotencyRecords, deliveries].map(
    ({ name }) => name,
  ),
  'member_names',
  'member_words',
];

/** Writes these tables anew, without the rests of deleted and changed rows; locks each. */
export async function vacuum(
  connection: Connection,
  onTable: (table: string) => void,
): Promise<readonly string[]> {
  await connection.run('SET statement_timeout = 0');
  for (const table of PERSONAL_TABLES) {
    onTable(table);
    await connection.run(`VACUUM (FULL) ${table}`);
  }
  return PERSONAL_TABLES;
}
