import type { Ledger } from '../../src/ledger/ledger.ts';
import { STORAGE, type TestDatabase } from './database.ts';

const NAMES =
  STORAGE === 'postgres'
    ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";

/** Tables that belong to no realm. */
const OTHERS = /^(service|schema_migrations|sqlite_sequence)$/;

/**
 * The number of rows of realms in each table that has any. In one query, since each is a connection
 * of its own on PostgreSQL.
 */
export async function rowCounts({ rows }: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const names = (await rows(NAMES)).map(({ name }) => String(name));
  const ofRealms = names.filter((name) => !OTHERS.test(name));
  const count = ofRealms.map((name) => `SELECT '${name}' AS name, count(*) AS count FROM ${name}`);
  for (const { name, count: found } of await rows(count.join(' UNION ALL '))) {
    if (Number(found) > 0) counts[String(name)] = Number(found);
  }
  return counts;
}

/** Makes all steps of the removal of a deleted realm's rows; returns how many. */
export async function removeRows(
  { housekeeping }: Pick<Ledger, 'housekeeping'>,
  realmId: string,
  onStep = async () => {},
): Promise<number> {
  let from: number | null = 0;
  for (let steps = 1; ; steps++) {
    from = await housekeeping.removeRealmRows({ realmId, from });
    await onStep();
    if (from === null) return steps;
  }
}
