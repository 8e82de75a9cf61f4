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
