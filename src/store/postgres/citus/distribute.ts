import { StoreRefusal } from '../../refusal.ts';
import { type Connection, PLANNING_OFF } from '../connection.ts';
import { statement } from '../statement.ts';
import { hasCitus } from './cluster.ts';

interface Table {
  name: string;
  hasRealms: boolean;
}

interface DistributedTables {
  /** Tables that are now distributed by realm. */
  byRealm: string[];
  /** Tables that every server now stores in full. */
  everywhere: string[];
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
  // A table belongs to realms if the first column of its primary key is the realm.
  undistributed: statement<Table, [string[]]>(
    `SELECT wanted.name, EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a
         ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = to_regclass(wanted.name) AND i.indisprimary
           AND a.attname = 'realm_id') AS "hasRealms"
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, place)
     WHERE to_regclass(wanted.name) IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(wanted.name))
     ORDER BY wanted.place`,
  ),
  everywhere: statement<unknown, [string]>('SELECT create_reference_table($1::text::regclass)'),
  // `realms` defines the shards and all other tables share them: a realm is on one server.
  first: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'none')`,
  ),
  colocated: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'realms')`,
  ),
};

/** The tables of these migrations that are not distributed yet, in the order of their creation. */
export const undistributedTables = (
  connection: Connection,
  migrations: readonly string[],
): Promise<Table[]> =>
  connection.query(sql.undistributed, [
    'schema_migrations',
    ...migrations.flatMap((migration) =>
      Array.from(migration.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name ?? ''),
    ),
  ]);

/**
 * Distributes tables with their rows: those of realms by realm, the few others to every server.
 * `onTable` is called before each.
 */
export async function distributeTables(
  connection: Connection,
  tables: readonly Table[],
  onTable: (table: string) => void = () => undefined,
): Promise<DistributedTables> {
  const done: DistributedTables = { byRealm: [], everywhere: [] };
  for (const { name, hasRealms } of tables) {
    onTable(name);
    const byRealm = name === 'realms' ? sql.first : sql.colocated;
    await connection.query(hasRealms ? byRealm : sql.everywhere, name);
    (hasRealms ? done.byRealm : done.everywhere).push(name);
  }
  return done;
}

/** The number of servers that store realms. */
export async function countServers(connection: Connection): Promise<number> {
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

/**
 * Session settings apply only to the server of the session. The servers that execute the
 * statements take theirs from the role.
 */
export async function configureRole(connection: Connection): Promise<void> {
  const name = (await connection.query(sql.name))[0]?.name;
  const set = (setting: string) =>
    connection.run(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting}`);
  for (const planning of PLANNING_OFF) await set(`${planning} = off`);
  // What is acknowledged must be on disk there, too.
  if ((await connection.query(sql.asyncCommit)).length > 0) await set('synchronous_commit = on');
}
