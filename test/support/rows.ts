import { STORAGE, type TestDatabase } from './database.ts';

const NAMES =
  STORAGE === 'postgres'
    ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";

/** Tables that belong to no realm. */
const OTHERS = /^(service|schema_migrations|sqlite_sequence)$/;

type Rows = TestDatabase['rows'];

async function countIn(rows: Rows, counts: Record<string, number>): Promise<void> {
  for (const { name } of await rows(NAMES)) {
    if (OTHERS.test(String(name))) continue;
    const [found] = await rows(`SELECT count(*) AS count FROM ${name}`);
    if (Number(found?.count) > 0) counts[String(name)] = Number(found?.count);
  }
}

/** The number of rows of realms in each table that has any, projections included. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await countIn(database.rows, counts);
  await countIn(database.projectionRows, counts);
  return counts;
}
