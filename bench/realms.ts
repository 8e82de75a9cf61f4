import type { Ledger } from '../src/ledger/ledger.ts';
import { enrol, idAt } from './community.ts';

/** Many small realms on one service: their transfers share commits, but nothing else. */
const REALMS = 1_000;
const MEMBERS = 10;
/** Realms that are created together: enough to fill batches, few enough for the queue. */
const AT_ONCE = 50;

export const manyRealms: readonly string[] = Array.from(
  { length: REALMS },
  (_, index) => `realm-${String(index).padStart(4, '0')}`,
);

export const fewMembers: readonly string[] = Array.from({ length: MEMBERS }, (_, index) =>
  idAt(index),
);

export async function enrolMany(ledger: Ledger): Promise<void> {
  for (let from = 0; from < REALMS; from += AT_ONCE) {
    const some = manyRealms.slice(from, from + AT_ONCE);
    await Promise.all(some.map((realmId) => enrol(ledger, fewMembers, realmId)));
  }
}
