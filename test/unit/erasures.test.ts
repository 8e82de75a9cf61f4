import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErasingRealm } from '../../src/domain/queries.ts';
import { Unavailable, type UnavailableReason } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { Erasures } from '../../src/ledger/realm-work.ts';
import { eventually } from '../support/eventually.ts';

/** A ledger with unfinished erasures of two steps each, whose steps fail at first. */
function setUp(erasing: ErasingRealm[], failures: UnavailableReason[] = []) {
  const left = new Map(erasing.map(({ realmId }) => [realmId, 2]));
  const erasePersonalParts = async (realmId: string): Promise<boolean> => {
    const failure = failures.shift();
    if (failure) throw new Unavailable(failure, 'not now');
    const steps = left.get(realmId) ?? 0;
    left.set(realmId, steps - 1);
    return steps > 0;
  };
  const query = async () => erasing.filter(({ realmId }) => (left.get(realmId) ?? 0) > 0);
  return new Erasures({ housekeeping: { erasePersonalParts }, query } as unknown as Ledger);
}

test('how many erasures are unfinished is known from one look to the next', async () => {
  const erasures = setUp([
    { realmId: 'acme', members: 2, since: 50 },
    { realmId: 'zeta', members: 1, since: 40 },
  ]);
  assert.deepEqual(erasures.unfinished, { members: 0, since: null });
  assert.equal(await erasures.resume(), true);
  assert.deepEqual(erasures.unfinished, { members: 3, since: 40 });
  assert.equal(await erasures.resume(), false);
  assert.deepEqual(erasures.unfinished, { members: 0, since: null });
});

test('whoever waits for an erasure waits also if the storage fails meanwhile', async () => {
  const failures: UnavailableReason[] = ['storage-unavailable', 'storage-unavailable'];
  const erasures = setUp([{ realmId: 'acme', members: 1, since: 0 }], failures);
  await erasures.finished('acme');
  assert.deepEqual(failures, []);
  assert.equal(await erasures.resume(), false);
});

test('nobody waits for a storage that fails during a stop', async () => {
  const realms = [{ realmId: 'acme', members: 1, since: 0 }];
  const failing: UnavailableReason[] = Array(50).fill('storage-unavailable');
  const erasures = setUp(realms, failing);
  const finished = erasures.finished('acme');
  await eventually(
    async () => failing.length,
    (left) => left < 50,
  );
  erasures.stop();
  await finished;
  const left = failing.length;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(failing.length, left);
});
