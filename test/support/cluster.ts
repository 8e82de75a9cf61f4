import pg from 'pg';

/**
 * TEST_DATABASE_URL may be the coordinator of a Citus cluster: then every test has a database on
 * all of its servers, with distributed tables.
 */
interface Cluster {
  coordinator: Node;
  workers: Node[];
}

interface Node {
  name: string;
  port: number;
}

/** Few, for they are made anew for every test. */
const SHARDS = 4;

const known = new Map<string, Promise<Cluster | null>>();

/** The cluster of a database, or null where it has none. */
export function clusterOf(url: string): Promise<Cluster | null> {
  const cluster = known.get(url) ?? askForCluster(url);
  known.set(url, cluster);
  return cluster;
}

async function askForCluster(url: string): Promise<Cluster | null> {
  const [found] = await query(url, `SELECT to_regclass('pg_dist_node') IS NOT NULL AS is_cluster`);
  if (!found?.is_cluster) return null;
  const nodes = await query(url, 'SELECT nodename, nodeport, groupid FROM pg_dist_node');
  const inGroups = (isWanted: (group: number) => boolean): Node[] =>
    nodes
      .filter(({ groupid }) => isWanted(Number(groupid)))
      .map(({ nodename, nodeport }) => ({ name: String(nodename), port: Number(nodeport) }));
  const [coordinator] = inGroups((group) => group === 0);
  const workers = inGroups((group) => group !== 0);
  return coordinator && workers.length > 0 ? { coordinator, workers } : null;
}

const at = (url: string, { name, port }: Node): string =>
  Object.assign(new URL(url), { hostname: name, port: String(port) }).href;

/** The database on each server of its cluster, if it has one; on the coordinator first. */
export const urlsOf = (url: string, cluster: Cluster | null): string[] =>
  cluster ? [cluster.coordinator, ...cluster.workers].map((node) => at(url, node)) : [url];

/** One server after another: while the coordinator has a database, it connects to the others. */
export async function onServers(url: string, cluster: Cluster | null, sql: string): Promise<void> {
  for (const one of urlsOf(url, cluster)) await query(one, sql);
}

/** Makes a database that is on every server one database of the cluster. */
export async function joinCluster(url: string, cluster: Cluster): Promise<void> {
  await onServers(url, cluster, 'CREATE EXTENSION citus');
  const { coordinator, workers } = cluster;
  const database = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE ${database} SET citus.shard_count = ${SHARDS}`);
  await query(url, `SELECT citus_set_coordinator_host('${coordinator.name}', ${coordinator.port})`);
  for (const { name, port } of workers) {
    await query(url, `SELECT citus_add_node('${name}', ${port})`);
  }
}

/** One after another, in all processes: users are the same for all databases of a server. */
export async function oneAtATime<T>(admin: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(admin);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(1)');
    return await work();
  } finally {
    await client.end();
  }
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
