import type { Connection } from '../postgres/connection.ts';
import { isLockTimeout } from '../postgres/errors.ts';
import { hasSchema, migrate } from '../postgres/migrate.ts';
import { otherConnections } from '../postgres/other-connections.ts';
import { statement } from '../postgres/statement.ts';
import { StoreRefusal } from '../refusal.ts';

const COUNT_REALMS = statement<{ count: number; deleted: number }, []>(
  `SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS count, count(deleted_at) AS deleted
   FROM realms`,
);
const HEADS = statement<{ realmId: string; head: string }, []>(
  `SELECT realm_id AS "realmId", encode(head, 'hex') AS head FROM realms WHERE deleted_at IS NULL`,
);
// No other process may write to the database during the copy.
const LOCK = 'LOCK TABLE realms, service IN EXCLUSIVE MODE';
/** The server lists the connections of a process that was just killed for a moment longer. */
const [MAX_CHECKS, PAUSE_MS] = [10, 200];

/**
 * Begins the transaction of the copy and locks the tables. Returns whether an earlier copy has
 * already brought these realms here: a copy is complete or not there at all.
 */
export async function beginCopy(
  connection: Connection,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  // Checked first: no operator should have to stop a service only to learn of a wrong address.
  if (await hasSchema(connection)) await isCopied(connection, heads);
  await refuseOthers(connection);
  await migrate(connection);
  await connection.run('BEGIN; SET LOCAL statement_timeout = 0');
  await connection.run(LOCK).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    const reason = 'its tables are locked, perhaps by another copy. Wait until it has ended';
    throw new StoreRefusal('database-in-use', reason, { cause: error });
  });
  return isCopied(connection, heads);
}

/** Whether the realms are those of the source; throws if there are others, or a part of any. */
async function isCopied(
  connection: Connection,
  heads: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { count = 0, deleted = 0 } = (await connection.query(COUNT_REALMS))[0] ?? {};
  if (count === 0 && deleted === 0) return false;
  const found = count === heads.size ? await connection.query(HEADS) : [];
  if (found.length > 0 && found.every(({ realmId, head }) => heads.get(realmId) === head)) {
    return true;
  }
  // They would clash with rows of the file: a realm may have the same id, and keys have one index.
  if (count === 0) {
    throw new Error(
      'rows of deleted realms have not been removed yet. Let a service run on it for a while, ' +
        'which removes them, and copy again',
    );
  }
  throw new Error(
    'it already has realms, other than those of the file as it is now. ' +
      'Choose a database without realms',
  );
}

/** A running service would not notice the root key that is copied. */
async function refuseOthers(connection: Connection): Promise<void> {
  for (let checks = 1; ; checks++) {
    const others = await otherConnections(connection, 'copy', 'migrate');
    if (others === null) return;
    if (checks === MAX_CHECKS) {
      throw new StoreRefusal('database-in-use', `${others}. Stop the service first`);
    }
    await new Promise((next) => setTimeout(next, PAUSE_MS));
  }
}
