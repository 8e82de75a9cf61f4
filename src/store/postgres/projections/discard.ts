import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';

const tables = [
  'entries',
  'movements',
  'standings',
  'rank_buckets',
  'member_words',
  'member_names',
  'daily_totals',
];

const statements = [
  ...tables.map((table) => statement<never, [string]>(`DELETE FROM ${table} WHERE realm_id = $1`)),
  statement<never, [string]>(
    'UPDATE projection_positions SET seq = 0, enrolled_to = 0, hash = NULL WHERE realm_id = $1',
  ),
];

/** Discards the projections of a realm, whose position is locked: there is all of it to project. */
export async function discard(connection: Connection, realmId: string): Promise<void> {
  await Promise.all(statements.map((each) => connection.change(each, realmId)));
}
