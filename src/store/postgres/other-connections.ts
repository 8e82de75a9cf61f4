import type { Connection } from './connection.ts';
import { statement } from './statement.ts';

const COUNT = statement<{ count: number }, [string[]]>(
  `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database()
     AND pid <> pg_backend_pid()
     AND application_name LIKE 'realmkeep %' AND application_name <> ALL ($1::text[])`,
);

/**
 * A sentence about the other open connections of Realmkeep, or null if there are none. Connections
 * of the given purposes do not count: they wait for this one.
 */
export async function otherConnections(
  connection: Connection,
  ...purposes: string[]
): Promise<string | null> {
  const names = purposes.map((purpose) => `realmkeep ${purpose}`);
  const count = (await connection.query(COUNT, names))[0]?.count ?? 0;
  if (count === 0) return null;
  return count === 1
    ? '1 connection of Realmkeep is open'
    : `${count} connections of Realmkeep are open`;
}
