/** How batches are written on a cluster. */
export const CLUSTER_WRITING = {
  /** Batches are single-realm, and the realms are on several servers, so many are in flight. */
  writers: 16,
  /** A transaction on two servers would need a two-phase commit and wait for the slower one. */
  realmsPerBatch: 1,
  /** One server does not see the `cache_valid` that another one has set. */
  isOptimistic: false,
};

/**
 * Citus reports a duplicate key found by another server as an internal error of its own, not as a
 * unique violation.
 */
export const isRemoteDuplicateKey = (code: string, message: string): boolean =>
  code === 'XX000' && /^duplicate key value/.test(message);
