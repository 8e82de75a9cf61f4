import type { Ledger } from '../../src/ledger/ledger.ts';
import { createOffer, enrol, REALM } from '../community.ts';

/** Creates the community of most benchmarks; returns its key. */
export async function usualCommunity(ledger: Ledger): Promise<Record<string, string>> {
  const key = await enrol(ledger);
  await createOffer(ledger);
  return { [REALM]: key };
}
