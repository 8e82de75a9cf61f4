import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CommandOf, Outcome } from '../../src/domain/commands.ts';
import { LocalKeeper } from '../../src/domain/local-keeper.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** A connection that breaks at COMMIT: done or not done, it is told, and never done twice. */
const database = await newPostgresDatabase();
const proxy = await CuttingProxy.start(database.url);
const keeper = new LocalKeeper(await openPostgresStore(proxy.url));
after(async () => {
  await keeper.close();
  await proxy.stop();
  await database.drop();
});

const base = { actor: 'test', idempotency: null };
const create = (realmId: string): CommandOf<'realm.create'> => ({
  ...base,
  type: 'realm.create',
  realmId,
  name: 'Acme',
  settings: { autoEnroll: true },
});
const credit = (realmId: string, description = ''): CommandOf<'points.change'> => ({
  ...base,
  type: 'points.change',
  realmId,
  memberId: '1',
  tokens: 1,
  realmPointId: null,
  description,
});

const answerOf = (outcome: Outcome): Record<string, unknown> => {
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  return outcome.answer as Record<string, unknown>;
};

async function seqs(realmId: string): Promise<number[]> {
  const records = await keeper.ask('records', { realmId, after: 0, limit: 500 });
  const verdict = await keeper.ask('verify', { realmId });
  assert.equal(verdict?.ok, true);
  return records.map(({ seq }) => seq);
}

for (const fate of ['cut before', 'cut after'] as const) {
  test(`a new realm, ${fate} the commit`, async () => {
    const realmId = fate.replace(' ', '-');
    proxy.fate = fate;
    const { cuts } = proxy;
    assert.equal(answerOf(await keeper.execute(create(realmId))).id, realmId);
    assert.equal(proxy.cuts, cuts + 1);
    assert.deepEqual(await seqs(realmId), [1]);
  });

  test(`a credit, ${fate} the commit, again and again`, async () => {
    const realmId = fate.replace(' ', '-');
    answerOf(await keeper.execute(credit(realmId)));
    for (let round = 2; round <= 6; round++) {
      proxy.fate = fate;
      const { newBalance, transactionId } = answerOf(await keeper.execute(credit(realmId)));
      assert.deepEqual([newBalance, transactionId], [round, 2 + round]);
      assert.equal(proxy.fate, 'pass');
    }
    assert.equal((await seqs(realmId)).length, 8);
  });

  test(`many at once, of several realms, ${fate} the commit`, async () => {
    const realms = ['one', 'two', 'three'].map((name) => `${name}-${fate.replace(' ', '-')}`);
    for (const realmId of realms) answerOf(await keeper.execute(create(realmId)));
    for (let round = 0; round < 5; round++) {
      proxy.fate = fate;
      const work = Array.from({ length: 60 }, (_, index) =>
        keeper.execute(credit(realms[index % 3] ?? '', `${round} ${index}`)),
      );
      (await Promise.all(work)).forEach(answerOf);
    }
    for (const realmId of realms) {
      const records = await keeper.ask('records', { realmId, after: 0, limit: 500 });
      const credits = records.filter(({ type }) => type === 'points.added');
      const told = credits.map(({ data }) => JSON.parse(data).description);
      assert.equal(new Set(told).size, 100);
      assert.equal(told.length, 100);
      await seqs(realmId);
    }
  });
}

test('the same record written by another node is not taken for our own', async () => {
  const other = new LocalKeeper(await openPostgresStore(database.url), () => 5_000_000_000_000);
  const same = new LocalKeeper(await openPostgresStore(proxy.url), () => 5_000_000_000_000);
  try {
    answerOf(await other.execute(create('same')));
    answerOf(await other.execute(credit('same')));
    proxy.fate = 'cut before';
    const isPending = () => proxy.fate !== 'pass';
    const ours = same.execute(credit('same'));
    while (isPending()) await new Promise((next) => setImmediate(next));
    // Equal in every byte, were it not for the mark of its batch.
    const theirs = answerOf(await other.execute(credit('same')));
    const balances = [answerOf(await ours).newBalance, theirs.newBalance];
    assert.deepEqual(balances.toSorted(), [2, 3]);
  } finally {
    await Promise.all([other.close(), same.close()]);
  }
});
