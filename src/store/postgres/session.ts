/** The server cancels a statement that takes longer. */
export const STATEMENT_MS = 8_000;

/** Plans that would read more than the rows that a statement names. */
export const PLANNING_OFF = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'enable_indexonlyscan',
  'jit',
];

/**
 * Every statement here is an index look-up, whatever the statistics say: a plan made while a table
 * was small must not become a scan once it has grown. No statement waits forever for a lock, and a
 * node that freezes during a transaction does not keep its locks. What is acknowledged is on disk,
 * even where the server's default is not to wait for it.
 */
export const SESSION = `
  ${PLANNING_OFF.map((name) => `SET ${name} = off;`).join(' ')}
  SET plan_cache_mode = force_generic_plan;
  SET lock_timeout = '5s'; SET statement_timeout = ${STATEMENT_MS};
  SET idle_in_transaction_session_timeout = '15s';
  SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', false) END,
    pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding`;
