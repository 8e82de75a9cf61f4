import type { Connection } from '../connection.ts';
import { otherConnections } from '../other-connections.ts';
import { PLANNING_OFF } from '../session.ts';
import { statement } from '../statement.ts';

/** Told of each table when its turn has come. */
export type TellTable = (table: string) => void;

export interface Distribution {
  /** On how many servers the realms are. */
  servers: number;
  /** Tables that were now distributed by realm. */
  byRealm: string[];
  /** Tables that every server now has as a whole. */
  everywhere: string[];
}

/** Thrown with the reason why the tables can't be distributed here and now. */
export class CannotDistribute extends Error {}

const sql = {
  servers: statement<{ count: number }, []>(
    `SELECT count(*) AS count FROM pg_dist_node
     WHERE isactive AND noderole = 'primary' AND shouldhaveshards`,
  ),
  // A table belongs to realms if its key begins with one.
  left: statement<{ name: string; isOfRealms: boolean }, [string[]]>(
    `SELECT wanted.name, EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a
         ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = to_regclass(wanted.name) AND i.indisprimary
           AND a.attname = 'realm_id') AS "isOfRealms"
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, place)
     WHERE to_regclass(wanted.name) IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(wanted.name))
     ORDER BY wanted.place`,
  ),
  everywhere: statement<unknown, [string]>('SELECT create_reference_table($1::text::regclass)'),
  // The first makes the shards, all others lie beside it: what is of one realm is on one server.
  first: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'none')`,
  ),
  beside: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'realms')`,
  ),
  name: statement<{ name: string }, []>('SELECT quote_ident(current_database()) AS name'),
  asyncCommit: statement<unknown, []>(
    "SELECT 1 FROM run_command_on_workers('SHOW synchronous_commit') WHERE result = 'off'",
  ),
};

/** How many servers the realms are to be on; fails where there is no cluster. */
export async function serversOf(connection: Connection): Promise<number> {
  if (!connection.hasCitus) {
    throw new CannotDistribute(
      'it has no extension "citus". Create it on every server, and name the servers by ' +
        'citus_add_node',
    );
  }
  const servers = (await connection.query(sql.servers))[0]?.count ?? 0;
  if (servers === 0) {
    throw new CannotDistribute(
      'its cluster has no server for realms. Name the servers by citus_add_node',
    );
  }
  return servers;
}

/** A running service would go on as if all tables were here. */
export async function nobodyElse(connection: Connection): Promise<void> {
  const others = await otherConnections(connection, 'migrate');
  if (others !== null) throw new CannotDistribute(`${others}. Stop the service first`);
}

/** The tables that the steps make and that are not distributed yet. */
export const tablesLeft = (connection: Connection, steps: readonly string[]) =>
  connection.query(sql.left, [
    'schema_steps',
    ...steps.flatMap((step) =>
      Array.from(step.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name ?? ''),
    ),
  ]);

/**
 * Distributes tables, with what is in them: those of realms by realm, each realm on one server;
 * the few others are on every server as a whole.
 */
export async function distributeTables(
  connection: Connection,
  left: { name: string; isOfRealms: boolean }[],
  tell: TellTable,
): Promise<Omit<Distribution, 'servers'>> {
  const done = { byRealm: [] as string[], everywhere: [] as string[] };
  for (const { name, isOfRealms } of left) {
    tell(name);
    const how = name === 'realms' ? sql.first : sql.beside;
    await connection.query(isOfRealms ? how : sql.everywhere, name);
    (isOfRealms ? done.byRealm : done.everywhere).push(name);
  }
  return done;
}

/**
 * Settings of a session hold on the server it is opened on. Those of the others, which carry out
 * the statements, come with the user.
 */
export async function settleUser(connection: Connection): Promise<void> {
  const name = (await connection.query(sql.name))[0]?.name;
  const set = (setting: string) =>
    connection.run(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting}`);
  for (const planning of PLANNING_OFF) await set(`${planning} = off`);
  // What is acknowledged must be on disk there, too.
  if ((await connection.query(sql.asyncCommit)).length > 0) await set('synchronous_commit = on');
}
