const HAS_CITUS = "SELECT 1 WHERE to_regclass('pg_dist_partition') IS NOT NULL";
const IS_DISTRIBUTED = "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('realms')";

/**
 * Citus finds the server of a realm once it knows the realm, so no generic plan serves all realms.
 * Settings of a transaction are passed on to that server.
 */
export const CLUSTER_SESSION = `
  SET plan_cache_mode = auto; SET citus.propagate_set_commands = 'local'`;

/** Runs a query and counts its rows. */
type Count = (text: string) => Promise<number>;

export const hasCitus = async (count: Count): Promise<boolean> => (await count(HAS_CITUS)) > 0;

/** Whether the tables are distributed over the servers of a cluster; sets up the session if so. */
export async function enterCluster(count: Count): Promise<boolean> {
  if (!(await hasCitus(count)) || (await count(IS_DISTRIBUTED)) === 0) return false;
  await count(CLUSTER_SESSION);
  return true;
}

/** How batches are written on a cluster. */
export const CLUSTER_WRITING = {
  /** Batches are single-realm, and the realms are on several servers, so many are in flight. */
  writers: 16,
  /** A transaction on two servers would need a two-phase commit and wait for the slower one. */
  realmsPerBatch: 1,
};

/**
 * Citus reports a duplicate key found by another server as an internal error of its own, not as a
 * unique violation.
 */
export const isRemoteDuplicateKey = (code: string, message: string): boolean =>
  code === 'XX000' && /^duplicate key value/.test(message);

/**
 * Citus executes an INSERT that reads no table piece by piece, at nearly twice the cost. The row of
 * the realm routes the whole statement to the server that stores the realm. There is no such row
 * for `realms` itself and for `key_directory`, which every server stores in full.
 */
export const clusterInsert = (
  into: string,
  table: string,
  values: string,
  from: string,
  end: string,
): string =>
  table === 'realms' || table === 'key_directory'
    ? `${into} SELECT $1, ${values} FROM ${from} ${end}`
    : `${into} SELECT realms.realm_id, ${values} FROM realms CROSS JOIN ${from}
       WHERE realms.realm_id = $1 ${end}`;

/** A row's ctid means nothing on another server, so rows are deleted by their keys. */
export const clusterDelete = (table: string, keys: readonly string[], from: string): string =>
  `DELETE FROM ${table} old USING ${from}
   WHERE old.realm_id = $1 AND ${keys.map((key) => `old.${key} = new.${key}`).join(' AND ')}`;
