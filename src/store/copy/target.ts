import type { Connection } from '../postgres/connection.ts';
import { isLockTimeout } from '../postgres/errors.ts';
import { hasSchema, migrate } from '../postgres/migrate.ts';
import { otherConnections } from '../postgres/other-connections.ts';
import { statement } from '../postgres/statement.ts';
import { StoreRefusal } from '../refusal.ts';

const COUNT_REALMS = statement<{ count: number }, []>('SELECT count(*) AS count FROM realms');
const HEADS = statement<{ realmId: string; head: string }, []>(
  `SELECT realm_id AS "realmId", encode(head, 'hex') AS head FROM realms`,
);
// Nobody else may fill it meanwhile.
const ALONE = 'LOCK TABLE realms, service IN EXCLUSIVE MODE';
/** A process that was just killed is seen on the server for a moment longer. */
const [LOOKS, PAUSE_MS] = [10, 200];

/**
 * Begins the transaction of the copy, with the tables to itself. Answers whether the books are
 * there already, by an earlier copy that came to its end: a copy is there as a whole or not at all.
 */
export async function beginCopy(
  connection: Connection,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  // First of all: nobody should stop a service for a database that is the wrong one.
  if (await hasSchema(connection)) await isThere(connection, heads);
  await nobodyBeside(connection);
  await migrate(connection);
  await connection.run('BEGIN; SET LOCAL statement_timeout = 0');
  await connection.run(ALONE).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    const reason = 'its tables are locked, perhaps by another copy. Wait until that has ended';
    throw new StoreRefusal('database-in-use', reason, { cause: error });
  });
  return isThere(connection, heads);
}

/** Whether its realms are those of the source; fails where there are others. */
async function isThere(
  connection: Connection,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  const count = (await connection.query(COUNT_REALMS))[0]?.count ?? 0;
  if (count === 0) return false;
  const found = count === heads.size ? await connection.query(HEADS) : [];
  if (found.length > 0 && found.every(({ realmId, head }) => heads.get(realmId) === head)) {
    return true;
  }
  throw new Error(
    'there are realms in it already, other than those of the file as it is now. ' +
      'Name a database without realms',
  );
}

/** A running service would not hear of the root key that the books bring along. */
async function nobodyBeside(connection: Connection): Promise<void> {
  for (let looks = 1; ; looks++) {
    const others = await otherConnections(connection, 'copy', 'migrate');
    if (others === null) return;
    if (looks === LOOKS) {
      throw new StoreRefusal('database-in-use', `${others}. Stop the service first`);
    }
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}
