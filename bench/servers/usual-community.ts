import type { Ledger } from '../../src/engine/ledger.ts';
import { enrol, project, REALM } from '../community.ts';

/** Creates the community of most benchmarks; returns its key. */
export async function usualCommunity(ledger: Ledger): Promise<Record<string, string>> {
  const key = await enrol(ledger);
  await project(ledger);
  return { [REALM]: key };
}
