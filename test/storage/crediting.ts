import assert from 'node:assert/strict';
import type { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { answerOf, credit } from '../support/commands.ts';

/** Credits until it is over; returns how long the slowest credit took. */
export async function creditUntil(
  isOver: () => boolean,
  ledger: InProcessLedger,
  realmId: string,
): Promise<number> {
  let longest = 0;
  for (let balance = 1; !isOver(); balance++) {
    const start = performance.now();
    assert.equal(answerOf(await ledger.execute(credit(realmId))).newBalance, balance);
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}
