/** The server ends a statement that takes longer. */
export const STATEMENT_MS = 8_000;

/** Ways to carry out a statement that would read more than the rows that it names. */
export const PLANNING_OFF = [
  'enable_seqscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_indexonlyscan',
  'jit',
];

/**
 * Every statement here is a look-up by index, whatever the statistics say: a plan made while a
 * table was small must not become a scan when it has grown. Nobody waits for ever for a lock, and
 * a node that froze half-way does not keep its own. What is acknowledged is on disk, even where
 * the server's default would be not to wait.
 */
export const SESSION = `
  ${PLANNING_OFF.map((name) => `SET ${name} = off;`).join(' ')}
  SET plan_cache_mode = force_generic_plan;
  SET lock_timeout = '5s'; SET statement_timeout = ${STATEMENT_MS};
  SET idle_in_transaction_session_timeout = '15s';
  SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
    to_regclass('pg_dist_partition') IS NOT NULL AS "hasCitus"`;

/**
 * Citus finds the server of a realm once it knows which realm: no plan can do for all of them. What
 * is set for one transaction holds on that server, too.
 */
export const DISTRIBUTED_SESSION = `
  SET plan_cache_mode = auto; SET citus.propagate_set_commands = 'local'`;
export const IS_DISTRIBUTED =
  "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('realms')";
