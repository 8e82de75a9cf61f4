import type { Ledger } from '../../src/engine/ledger.ts';
import { enrol, project, REALM } from '../community.ts';

/** Makes the community that most benchmarks work on; answers its key. */
export async function usualCommunity(ledger: Ledger): Promise<Record<string, string>> {
  const key = await enrol(ledger);
  await project(ledger);
  return { [REALM]: key };
}
