import { StoreRefusal } from '../../refusal.ts';
import { ALL_TABLES } from '../../schema.ts';
import { tables } from '../../tables.ts';
import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';

const COUNT = `SELECT count(*) AS count FROM pg_dist_node
  WHERE isactive AND noderole = 'primary' AND shouldhaveshards`;

const sql = {
  citus: statement<unknown, []>("SELECT 1 WHERE to_regclass('pg_dist_partition') IS NOT NULL"),
  distributed: statement<unknown, []>(
    "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('realms')",
  ),
  servers: statement<{ count: number }, []>(COUNT),
  undistributed: statement<{ name: string }, [string[]]>(
    `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, place)
     WHERE to_regclass(name) IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(name))
     ORDER BY place`,
  ),
  local: statement<unknown, [string]>(
    'SELECT truncate_local_data_after_distributing_table($1::text::regclass)',
  ),
  everywhere: statement<unknown, [string]>('SELECT create_reference_table($1::text::regclass)'),
  // A batch has statements for each shard: so few, unless the operator has chosen a number.
  realms: statement<unknown, []>(
    `SELECT create_distributed_table('realms', 'realm_id', colocate_with => 'none', shard_count =>
       (CASE source WHEN 'default' THEN 2 * (${COUNT}) ELSE setting::bigint END)::integer)
     FROM pg_settings WHERE name = 'citus.shard_count'`,
  ),
  byRealm: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'realms')`,
  ),
};

const hasCitus = async (connection: Connection): Promise<boolean> =>
  (await connection.query(sql.citus)).length > 0;

/** Whether the tables are distributed over the servers of a cluster. */
export const isDistributed = async (connection: Connection): Promise<boolean> =>
  (await hasCitus(connection)) && (await connection.query(sql.distributed)).length > 0;

/** The tables that are not distributed yet, in the order of their creation. */
export async function undistributedTables(connection: Connection): Promise<string[]> {
  const all = ['schema_migrations', ...ALL_TABLES.map(({ name }) => name)];
  return (await connection.query(sql.undistributed, all)).map(({ name }) => name);
}

const BY_REALM = new Set(Object.values(tables).map(({ name }) => name));

/** Distributes tables with their rows: those of realms by realm, the few others to all servers. */
export async function distributeTables(
  connection: Connection,
  names: readonly string[],
  onTable: (table: string) => void = () => undefined,
) {
  for (const name of names) {
    onTable(name);
    if (name === 'realms') await connection.query(sql.realms);
    else if (BY_REALM.has(name)) await connection.query(sql.byRealm, name);
    else await connection.query(sql.everywhere, name);
  }
  const byRealm = names.filter((name) => BY_REALM.has(name));
  return { byRealm, everywhere: names.filter((name) => !BY_REALM.has(name)) };
}

/** What was distributed is still here, too, where nobody would erase it. */
export async function dropLocalRows(connection: Connection, tables: string[]): Promise<void> {
  for (const table of tables) await connection.query(sql.local, table);
}

export async function countServers(connection: Connection): Promise<number> {
  const [found] = (await hasCitus(connection)) ? await connection.query(sql.servers) : [];
  if (found && found.count > 0) return found.count;
  const why =
    'it has no extension "citus", or no server for realms. Create the extension on every ' +
    'server, and register the servers with citus_add_node';
  throw new StoreRefusal('cannot-distribute', why);
}
