import { StoreRefusal } from '../refusal.ts';
import { Connection } from './connection.ts';
import { statement } from './statement.ts';

/** The server lists the connections of a process that was just killed for a moment longer. */
const [MAX_CHECKS, PAUSE_MS] = [10, 200];

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

/** Refuses to go on while there are such connections. */
export async function refuseOtherConnections(
  connection: Connection,
  ...purposes: string[]
): Promise<void> {
  for (let checks = 1; ; checks++) {
    const others = await otherConnections(connection, ...purposes);
    if (others === null) return;
    if (checks === MAX_CHECKS) {
      throw new StoreRefusal('database-in-use', `${others}. Stop the service first`);
    }
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}

export async function refuseOthers(url: string): Promise<void> {
  const connection = await Connection.open({ url, purpose: 'inspect' });
  await refuseOtherConnections(connection).finally(() => connection.close());
}
