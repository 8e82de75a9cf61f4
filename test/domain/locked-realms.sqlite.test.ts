import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '../../src/domain/rules/decide.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { type Batch, RealmsLocked } from '../../src/ledger/store.ts';
import { create, credits, enrol, has, recording, turn, UNLIMITED, writerOf } from './queues.ts';

/**
 * A ledger of a store in which another process locks realms: its writer rejects batches with them,
 * and its writer for locked realms does what the test wants.
 */
function lockable(inFlight = 1) {
  const { commit, batches, store } = recording();
  const locked = new Set<string>();
  const lock = { locked, wait: async (): Promise<void> => {} };
  const write = async (batch: Batch): Promise<Decision> => {
    const met = [...locked].filter((realmId) => has(batch, realmId));
    if (met.length > 0) throw new RealmsLocked(met);
    return commit(batch);
  };
  const waitAndWrite = async (batch: Batch): Promise<Decision> => {
    await lock.wait();
    return commit(batch);
  };
  const ledger = new InProcessLedger({
    ...store,
    writer: writerOf(write, { ...UNLIMITED, inFlight }),
    lockedWriter: writerOf(waitAndWrite),
  });
  return { ledger, batches, lock };
}

/** With two realms, of which `b` is locked until the test says so. */
async function withLocked() {
  const { ledger, batches, lock } = lockable();
  await Promise.all(['a', 'b'].map((realmId) => ledger.execute(create(realmId))));
  batches.splice(0);
  lock.locked.add('b');
  const { promise: unlocked, resolve } = Promise.withResolvers<void>();
  lock.wait = () => unlocked;
  const unlock = (): void => {
    lock.locked.clear();
    resolve();
  };
  return { ledger, batches, lock, unlock };
}

test('a locked realm delays no other, and its later commands wait behind it', async () => {
  const { ledger, batches, unlock } = await withLocked();
  const waiting = [1, 2].map((id) => ledger.execute(enrol('b', id)));
  await Promise.all([3, 4].map((id) => ledger.execute(enrol('a', id))));
  waiting.push(ledger.execute(enrol('b', 5)));
  await ledger.execute(enrol('a', 6));
  assert.deepEqual(batches, ['a 3 4', 'a 6']);
  unlock();
  for (const outcome of await Promise.all(waiting)) assert.ok('answer' in outcome);
  assert.deepEqual(batches.slice(2), ['b 1 2', 'b 5']);
  await ledger.close();
});

test('a realm that stays locked fails alone', async () => {
  const { ledger, batches, lock } = await withLocked();
  lock.wait = async () => {
    throw new Error('it stays locked');
  };
  const all = await Promise.allSettled(
    ['a', 'b', 'a'].map((id, n) => ledger.execute(enrol(id, n + 1))),
  );
  assert.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(batches, ['a 1 3']);
  await ledger.close();
});

test('a locked realm has a budget of its own', async () => {
  const { ledger, unlock } = await withLocked();
  const first = ledger.execute(enrol('b', 1));
  await ledger.execute(enrol('a', 1));
  const pushed = Array.from({ length: 24 }, () => ledger.execute(credits('b')));
  const all = Promise.allSettled([first, ...pushed]);
  assert.ok('answer' in (await ledger.execute(enrol('a', 2))));
  unlock();
  const refused = (await all).filter(({ status }) => status === 'rejected');
  assert.ok(refused.length > 0 && refused.length <= 5, String(refused.length));
  await ledger.close();
});

test('of several batches in flight that meet the lock, nothing is lost or done twice', async () => {
  const { ledger, batches, lock } = lockable(2);
  await ledger.execute(create('b'));
  batches.splice(0);
  lock.locked.add('b');
  const waiting: Promise<unknown>[] = [];
  for (let id = 1; id <= 20; id++) {
    waiting.push(ledger.execute(enrol('b', id)));
    if (id % 7 === 0) await turn();
  }
  for (const outcome of await Promise.all(waiting)) assert.ok('answer' in (outcome as object));
  const enrolled = batches.flatMap((batch) => batch.split(' ').slice(1).map(Number));
  assert.deepEqual(
    enrolled.toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  await ledger.close();
});

test('a realm that is no longer locked shares batches again after a second', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const { ledger, batches, unlock } = await withLocked();
  const waiting = ledger.execute(enrol('b', 1));
  await ledger.execute(enrol('a', 1));
  unlock();
  await waiting;
  await turn();
  now = 999;
  await Promise.all(['a', 'b'].map((realmId) => ledger.execute(enrol(realmId, 2))));
  now = 1_000;
  await Promise.all(['a', 'b'].map((realmId) => ledger.execute(enrol(realmId, 3))));
  assert.deepEqual(batches, ['a 1', 'b 1', 'a 2', 'b 2', 'a 3, b 3']);
  await ledger.close();
});

test('a large command delays no other realm; what waits of its own goes along', async () => {
  const { commit, store } = recording();
  const [ordinary, large]: string[][] = [[], []];
  const noted =
    (notes: string[] | undefined) =>
    async (batch: Batch): Promise<Decision> => {
      notes?.push(batch.needs.map(({ realmId }) => realmId).join(' '));
      return commit(batch);
    };
  const ledger = new InProcessLedger({
    ...store,
    writer: writerOf(noted(ordinary)),
    largeWriter: writerOf(noted(large)),
  });
  await Promise.all(['a', 'b'].map((realmId) => ledger.execute(create(realmId))));
  await ledger.execute(enrol('b', 1));
  ordinary?.splice(0);
  const outcomes = await Promise.all([
    ledger.execute(enrol('b', 2)),
    ledger.execute(enrol('a', 3)),
    ledger.execute(credits('b')),
    ledger.execute(enrol('b', 4)),
  ]);
  for (const outcome of outcomes) assert.ok('answer' in outcome);
  assert.deepEqual([ordinary, [...new Set(large)]], [['a'], ['b']]);
  await ledger.close();
});
