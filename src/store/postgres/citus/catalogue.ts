import { ALL_TABLES } from '../../schema.ts';
import { Connection } from '../connection.ts';
import { type PgStatement, type Sql, statement } from '../statement.ts';
import { isDistributed } from './distribute.ts';
import { hashText } from './hash.ts';

/** A server of the cluster, which Citus calls a group; its name is its host and port. */
export interface Server {
  group: number;
  name: string;
}

interface Part {
  /** The lowest hash of its realms; null for tables that every server stores in full. */
  min: number | null;
  group: number;
  /** The numbers behind the names of its tables. */
  ids: Record<string, string>;
}

const sql = {
  servers: statement<Server, []>(
    `SELECT groupid AS "group", format('%s:%s', nodename, nodeport) AS name FROM pg_dist_node
     WHERE noderole = 'primary' AND isactive ORDER BY groupid`,
  ),
  parts: statement<Part, [string[]]>(
    `SELECT shardminvalue::integer AS min, max(groupid) AS "group",
       json_object_agg(wanted.name, shardid::text) AS ids
     FROM unnest($1::text[]) AS wanted(name)
     JOIN pg_dist_shard ON logicalrelid = to_regclass(wanted.name)
     JOIN pg_dist_placement USING (shardid) GROUP BY min ORDER BY min NULLS FIRST`,
  ),
};

/** The rows of some realms, which one server stores in tables with a number behind their names. */
export interface Shard extends Part {
  /** The statement on the tables of this shard. */
  rename<Row, Args extends Sql[]>(which: PgStatement<Row, Args>): PgStatement<Row, Args>;
  renameIn(text: string): string;
}

function shardFrom(part: Part): Shard {
  // In quotes, it is the name of a column.
  const names = new RegExp(`(?<!")\\b(?:${Object.keys(part.ids).join('|')})\\b`, 'g');
  const renameIn = (text: string) => text.replaceAll(names, (name) => `${name}_${part.ids[name]}`);
  const renamed = new WeakMap();
  const rename: Shard['rename'] = (which) =>
    renamed.getOrInsertComputed(which, () => statement(renameIn(which.text)));
  return { ...part, renameIn, rename };
}

/** Which server stores which realms, as the cluster's own catalogue says. */
export interface Catalogue {
  servers: readonly Server[];
  /** What every server stores in full, as tables of its own. */
  copy: Shard;
  /** In the order of their lowest hashes. */
  shards: readonly Shard[];
  byRealm: Map<string, Shard>;
}

/** Any server of a cluster has it. */
export async function readCatalogue(connection: Connection): Promise<Catalogue> {
  const tables = ALL_TABLES.map(({ name }) => name);
  const servers = await connection.query(sql.servers);
  const parts = await connection.query(sql.parts, tables);
  const [copy, ...shards] = parts.map(shardFrom);
  if (!copy || shards.length === 0) throw new Error('the cluster has no tables');
  return { servers, copy, shards, byRealm: new Map() };
}

/** It is asked for every row: to remember the answer takes far less time than to hash. */
export function shardOf({ shards, byRealm }: Catalogue, realmId: string): Shard {
  if (byRealm.size > 10_000) byRealm.clear();
  return byRealm.getOrInsertComputed(realmId, () => {
    const hash = hashText(realmId);
    return shards.findLast(({ min }) => min !== null && min <= hash) as Shard;
  });
}

/** A setting of sessions: shards are changed as tables of the server, under Citus' own locks. */
export const ON_SHARDS = 'SET citus.enable_manual_changes_to_shards = on';
/** The same for a server's own upkeep: no other server follows, and its catalogue shows shards. */
export const HERE_ALONE = `${ON_SHARDS}; SET citus.enable_ddl_propagation = off;
  SET citus.override_table_visibility = off`;

/** The servers that have a database: of a cluster all of them, the coordinator as well. */
export async function serversOf(url: string) {
  const cluster = await readCluster(url);
  if (!cluster) return [{ group: 0, url, name: null, shards: [] }];
  return cluster.servers.map((server) => ({
    ...server,
    url: urlOf(url, server.name),
    shards: cluster.shards.filter(({ group }) => group === server.group),
  }));
}

/** The server that changes tables on all others. */
export const coordinatorOf = async (url: string): Promise<string> =>
  (await serversOf(url)).find(({ group }) => group === 0)?.url ?? url;

/** Null if the database is no cluster, or its tables are not distributed. */
export async function readCluster(url: string): Promise<Catalogue | null> {
  await using connection = await Connection.open({ url, purpose: 'catalogue' });
  return (await isDistributed(connection)) ? await readCatalogue(connection) : null;
}

/** The same database and user, on another server. */
export const urlOf = (url: string, name: string): string =>
  Object.assign(new URL(url), { host: name }).href;
