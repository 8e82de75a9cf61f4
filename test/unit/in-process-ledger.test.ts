import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import type { Store } from '../../src/engine/store.ts';

test('a query for little does not wait for queries for much', async () => {
  const end = Promise.withResolvers<object>();
  let lists = 0;
  const reader = {
    members: () => {
      lists += 1;
      return end.promise;
    },
    lastSeq: () => 7,
  };
  const ledger = new InProcessLedger({ writers: [{}], reader } as unknown as Store);
  const filter = { wallet: null, account: null, status: null };
  const heavy = Array.from({ length: 50 }, () =>
    ledger.query('members', { realmId: 'heavy', now: 0, after: null, limit: 500, filter }),
  );
  for (const realmId of ['heavy', 'light']) {
    assert.equal(await ledger.query('lastSeq', { realmId }), 7);
  }
  assert.ok(lists < 3, `${lists} lists at once`);
  // Those that wait would be refused later, during the tests of another file.
  end.resolve({ members: [], next: null });
  await Promise.all(heavy);
});
