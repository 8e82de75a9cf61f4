import { StoreRefusal } from '../../refusal.ts';
import type { Connection } from '../connection.ts';
import { applyNext, exclusively, migrations } from '../migrate.ts';
import { otherConnections } from '../other-connections.ts';
import { PLANNING_OFF } from '../session.ts';
import { statement } from '../statement.ts';
import { hasCitus } from './cluster.ts';
import { type DistributedTables, distributeTables, undistributedTables } from './tables.ts';

export interface Distribution extends DistributedTables {
  /** Migrations that were applied first. */
  steps: number;
  /** The number of servers that store realms. */
  servers: number;
}

const sql = {
  servers: statement<{ count: number }, []>(
    `SELECT count(*) AS count FROM pg_dist_node
     WHERE isactive AND noderole = 'primary' AND shouldhaveshards`,
  ),
  name: statement<{ name: string }, []>('SELECT quote_ident(current_database()) AS name'),
  asyncCommit: statement<unknown, []>(
    "SELECT 1 FROM run_command_on_workers('SHOW synchronous_commit') WHERE result = 'off'",
  ),
};

/** Migrates the database and distributes its tables over the cluster, in one transaction. */
export const distribute = (
  connection: Connection,
  onTable: (table: string) => void,
): Promise<Distribution> =>
  exclusively(connection, async () => {
    const servers = await countServers(connection);
    let steps = 0;
    while (await applyNext(connection, migrations)) steps += 1;
    const tables = await undistributedTables(connection, migrations);
    if (tables.length > 0) await assertNoOtherConnections(connection);
    await configureRole(connection);
    return { steps, servers, ...(await distributeTables(connection, tables, onTable)) };
  });

async function countServers(connection: Connection): Promise<number> {
  if (!(await hasCitus((text) => connection.count(text)))) {
    throw refusal(
      'it has no extension "citus". Create it on every server, and register the servers with ' +
        'citus_add_node',
    );
  }
  const servers = (await connection.query(sql.servers))[0]?.count ?? 0;
  if (servers === 0) {
    throw refusal('its cluster has no server for realms. Register the servers with citus_add_node');
  }
  return servers;
}

const refusal = (why: string): StoreRefusal => new StoreRefusal('cannot-distribute', why);

/** A running service would continue as if no table were distributed. */
async function assertNoOtherConnections(connection: Connection): Promise<void> {
  const others = await otherConnections(connection, 'migrate');
  if (others !== null) throw refusal(`${others}. Stop the service first`);
}

/**
 * Session settings apply only to the server of the session. The servers that execute the
 * statements take theirs from the role.
 */
async function configureRole(connection: Connection): Promise<void> {
  const name = (await connection.query(sql.name))[0]?.name;
  const set = (setting: string) =>
    connection.run(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting}`);
  for (const planning of PLANNING_OFF) await set(`${planning} = off`);
  // What is acknowledged must be on disk there, too.
  if ((await connection.query(sql.asyncCommit)).length > 0) await set('synchronous_commit = on');
}
