import { Unavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';

/** Whether anybody has used this database before. */
export async function priorUse(ledger: Pick<Ledger, 'query'>) {
  const owners = await ledger.query('owners', null);
  const hasOwners = owners.some(({ removedAt }) => removedAt === null);
  const realms = await ledger.query('realms', { after: null, limit: 1 }).catch((error: unknown) => {
    // A server of a cluster is away, and realms with it; the others are served.
    if (error instanceof Unavailable) return null;
    throw error;
  });
  return { hasRealms: realms?.rows.length !== 0, hasOwners };
}
