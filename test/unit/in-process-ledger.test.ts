import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import type { Store } from '../../src/ledger/store.ts';

test('a query for little waits for few queries for much', async () => {
  const ends: (() => void)[] = [];
  const reader = {
    members: () => new Promise((resolve) => ends.push(() => resolve({ members: [], next: null }))),
    lastSeq: () => 7,
  };
  const ledger = new InProcessLedger({ writers: [{}], reader } as unknown as Store);
  const filter = { wallet: null, account: null, status: null };
  const heavy = Array.from({ length: 50 }, () =>
    ledger.query('members', { realmId: 'heavy', now: 0, after: null, limit: 500, filter }),
  );
  const light = ledger.query('lastSeq', { realmId: 'light' });
  assert.equal(ends.length, 2, 'lists at once');
  ends.shift()?.();
  assert.equal(await light, 7);
  let isDone = false;
  const all = Promise.all(heavy).then(() => {
    isDone = true;
  });
  while (!isDone) {
    ends.shift()?.();
    await new Promise((next) => setImmediate(next));
  }
  await all;
});
