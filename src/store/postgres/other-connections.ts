import type { Connection } from './connection.ts';
import { statement } from './statement.ts';

const OPEN = statement<{ count: number }, [string[]]>(
  `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()
     AND pid <> pg_backend_pid()
     AND application_name LIKE 'realmkeep %' AND application_name <> ALL ($1::text[])`,
);

/**
 * How many connections of Realmkeep are open beside this one, in words; null where none is. Those
 * opened for these purposes do not count: they wait for this one to be done.
 */
export async function otherConnections(
  connection: Connection,
  ...purposes: string[]
): Promise<string | null> {
  const names = purposes.map((purpose) => `realmkeep ${purpose}`);
  const count = (await connection.query(OPEN, names))[0]?.count ?? 0;
  if (count === 0) return null;
  return count === 1
    ? '1 connection of Realmkeep is open'
    : `${count} connections of Realmkeep are open`;
}
