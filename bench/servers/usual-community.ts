import type { Keeper } from '../../src/domain/keeper.ts';
import { enrol, follow, REALM } from '../community.ts';

/** Makes the community that most benchmarks work on; answers its key. */
export async function usualCommunity(keeper: Keeper): Promise<Record<string, string>> {
  const key = await enrol(keeper);
  await follow(keeper);
  return { [REALM]: key };
}
