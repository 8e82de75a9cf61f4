import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { wholeData } from '../../src/domain/records.ts';
import { InDoubt } from '../../src/ledger/errors.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { command } from '../domain/histories.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { removeRows } from '../support/rows.ts';
import { verdictOf } from '../support/verdict.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** A connection drops at COMMIT: the outcome is found out, and nothing is written twice. */
const database = await newPostgresDatabase();
const proxy = await CuttingProxy.start(database.url);
const ledger = new InProcessLedger(await openPostgresStore(proxy.url));
after(async () => {
  await ledger.close();
  await proxy.stop();
  await database.drop();
});

async function seqs(realmId: string): Promise<number[]> {
  const records = await ledger.query('records', { realmId, after: 0, limit: 500 });
  const verdict = await verdictOf(ledger, realmId);
  assert.equal(verdict?.ok, true);
  return records.rows.map(({ seq }) => seq);
}

for (const fate of ['cut before', 'cut after'] as const) {
  test(`a new realm, ${fate} the commit`, async () => {
    const realmId = fate.replace(' ', '-');
    proxy.fate = fate;
    const { cuts } = proxy;
    assert.equal(answerOf(await ledger.execute(create(realmId))).id, realmId);
    assert.equal(proxy.cuts, cuts + 1);
    assert.deepEqual(await seqs(realmId), [1]);
  });

  test(`a credit, ${fate} the commit, again and again`, async () => {
    const realmId = fate.replace(' ', '-');
    answerOf(await ledger.execute(credit(realmId)));
    for (let round = 2; round <= 6; round++) {
      proxy.fate = fate;
      const { newBalance, transactionId } = answerOf(await ledger.execute(credit(realmId)));
      assert.deepEqual([newBalance, transactionId], [round, 2 + round]);
      assert.equal(proxy.fate, 'pass');
    }
    assert.equal((await seqs(realmId)).length, 8);
  });

  test(`many at once, of several realms, ${fate} the commit`, async () => {
    const realms = ['one', 'two', 'three'].map((name) => `${name}-${fate.replace(' ', '-')}`);
    for (const realmId of realms) answerOf(await ledger.execute(create(realmId)));
    for (let round = 0; round < 5; round++) {
      proxy.fate = fate;
      const work = Array.from({ length: 60 }, (_, index) =>
        ledger.execute(credit(realms[index % 3] ?? '', `${round} ${index}`)),
      );
      (await Promise.all(work)).forEach(answerOf);
    }
    for (const realmId of realms) {
      const records = await ledger.query('records', { realmId, after: 0, limit: 500 });
      const credits = records.rows.filter(({ type }) => type === 'points.added');
      const descriptions = credits.map((record) => JSON.parse(wholeData(record)).description);
      assert.equal(new Set(descriptions).size, 100);
      assert.equal(descriptions.length, 100);
      await seqs(realmId);
    }
  });
}

// A full disk, a failing disk, a shutdown: each may be reported after the transaction was written,
// so the code says nothing about the outcome.
for (const code of ['53100', '58030', '57P01']) {
  test(`a commit that succeeded and was answered with ${code}`, async () => {
    const realmId = `answered-${code.toLowerCase()}`;
    answerOf(await ledger.execute(create(realmId)));
    for (let round = 1; round <= 3; round++) {
      Object.assign(proxy, { fate: 'error after', errorCode: code });
      const { cuts } = proxy;
      assert.equal(answerOf(await ledger.execute(credit(realmId))).newBalance, round);
      assert.equal(proxy.cuts, cuts + 1);
    }
    // The realm, its first member, and each credit once.
    assert.deepEqual(await seqs(realmId), [1, 2, 3, 4, 5]);
  });
}

/** Removes a realm, on another node, as soon as its journal has the description. */
async function removeOnce(realmId: string, description: string): Promise<void> {
  const other = new InProcessLedger(await openPostgresStore(database.url));
  try {
    const has = async () =>
      (await other.query('records', { realmId, after: 0, limit: 500 })).rows.some((record) =>
        wholeData(record).includes(description),
      );
    while (!(await has())) await new Promise((next) => setImmediate(next));
    answerOf(await other.execute({ ...command('realm.delete', {}), realmId }));
    await removeRows(other, realmId);
    await other.housekeeping.removeRealm(realmId);
  } finally {
    await other.close();
  }
}

test('a batch is found in its other realms if one of them is removed meanwhile', async () => {
  for (const realmId of ['a-removed', 'b-kept']) answerOf(await ledger.execute(create(realmId)));
  // Two commands make one batch while the one before them is written. It cannot be settled yet.
  Object.assign(proxy, { fate: 'cut after', commitsToPass: 1, poison: 'pg_terminate_backend' });
  const work = [
    ledger.execute(credit('b-kept', 'before')),
    ledger.execute(credit('a-removed', 'together')),
    ledger.execute(credit('b-kept', 'together')),
  ];
  await removeOnce('a-removed', 'together');
  proxy.poison = null;
  (await Promise.all(work)).forEach(answerOf);
  // The realm, its first member, and each credit once.
  assert.deepEqual(await seqs('b-kept'), [1, 2, 3, 4]);
});

test('a batch whose only realm is removed meanwhile stays in doubt', async () => {
  answerOf(await ledger.execute(create('removed')));
  Object.assign(proxy, { fate: 'cut after', poison: 'pg_terminate_backend' });
  const work = ledger.execute(credit('removed', 'lost'));
  await removeOnce('removed', 'lost');
  // A new realm of the same id does not get what was meant for the old one.
  const other = new InProcessLedger(await openPostgresStore(database.url));
  answerOf(await other.execute(create('removed')));
  await other.close();
  proxy.poison = null;
  await assert.rejects(work, InDoubt);
  assert.deepEqual(await seqs('removed'), [1]);
});

test('an equal record of another node is not mistaken for our own', async () => {
  const other = new InProcessLedger(await openPostgresStore(database.url), () => 5_000_000_000_000);
  const same = new InProcessLedger(await openPostgresStore(proxy.url), () => 5_000_000_000_000);
  try {
    answerOf(await other.execute(create('same')));
    answerOf(await other.execute(credit('same')));
    proxy.fate = 'cut before';
    const isPending = () => proxy.fate !== 'pass';
    const ours = same.execute(credit('same'));
    while (isPending()) await new Promise((next) => setImmediate(next));
    // Equal in every byte except for the marker of its batch.
    const theirs = answerOf(await other.execute(credit('same')));
    const balances = [answerOf(await ours).newBalance, theirs.newBalance];
    assert.deepEqual(balances.toSorted(), [2, 3]);
  } finally {
    await Promise.all([other.close(), same.close()]);
  }
});
