import type { Ledger } from '../src/ledger/ledger.ts';
import { createRealm } from './community.ts';

/** Realms in which nothing happens, each with a listener. */
const REALMS = 2_000;
/** Realms that are created together. */
const AT_ONCE = 100;

export const idleRealms: readonly string[] = Array.from(
  { length: REALMS },
  (_, index) => `idle-${String(index).padStart(4, '0')}`,
);

export async function createIdleRealms(ledger: Ledger): Promise<void> {
  for (let from = 0; from < REALMS; from += AT_ONCE) {
    const some = idleRealms.slice(from, from + AT_ONCE);
    await Promise.all(some.map((realmId) => createRealm(ledger, realmId)));
  }
}
