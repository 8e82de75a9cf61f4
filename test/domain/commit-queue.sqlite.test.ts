import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandOf } from '../../src/domain/commands.ts';
import type { Decision } from '../../src/domain/rules/decide.ts';
import { CommitQueue } from '../../src/engine/commit-queue.ts';
import { Unavailable } from '../../src/engine/errors.ts';
import {
  type Batch,
  type BatchWriter,
  type Patience,
  RealmLocked,
} from '../../src/engine/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command } from './histories.ts';

const inRealm = <C extends { realmId: string }>(realmId: string, one: C): C => ({
  ...one,
  realmId,
});

const create = (realmId: string): CommandOf<'realm.create'> =>
  inRealm(realmId, command('realm.create', { name: realmId, settings: {} }));

const enrol = (realmId: string, memberId: number): CommandOf<'member.create'> =>
  inRealm(
    realmId,
    command('member.create', { memberId: String(memberId), fields: {}, wallets: [] }),
  );

const UNLIMITED = { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 };
const SINGLE_REALM = { realmsPerBatch: 1, inFlight: 1 };

type Commit = (batch: Batch, patience: Patience, onSent: () => void) => Promise<Decision>;

/** A store, and the members that each of its batches enrolled in each realm. */
function recording() {
  const store = openSqliteStore(':memory:');
  const batches: string[] = [];
  const commit = async (batch: Batch): Promise<Decision> => {
    const decision = await store.writers[0].write(batch, 'yield').done;
    const parts = decision.changes.map(({ realm, members }) =>
      [realm.id, ...members.map(({ key }) => key)].join(' '),
    );
    batches.push(parts.join(', '));
    return decision;
  };
  return { commit, batches, close: () => store.close() };
}

function queueOf(commit: Commit, limits: BatchWriter['limits'] = UNLIMITED): CommitQueue {
  const writer: BatchWriter = {
    limits,
    write: (batch, patience) => {
      const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
      return { sent, done: commit(batch, patience, onSent).finally(onSent) };
    },
  };
  return new CommitQueue(writer, () => 0);
}

const has = ({ needs }: Batch, realm: string): boolean =>
  needs.some(({ realmId }) => realmId === realm);

async function batchesOf(limits: BatchWriter['limits'], realmIds: string[]): Promise<string[]> {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, limits);
  await Promise.all([...new Set(realmIds)].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  await Promise.all(realmIds.map((realmId, index) => queue.push(enrol(realmId, index + 1))));
  await close();
  return batches;
}

test('a batch takes everything that is pending', async () => {
  assert.deepEqual(await batchesOf(UNLIMITED, ['b', 'a', 'b']), ['b 1 3, a 2']);
});

test('a single-realm batch takes the first command and all others of its realm', async () => {
  const batches = await batchesOf(SINGLE_REALM, ['b', 'a', 'b', 'c', 'a', 'b']);
  assert.deepEqual(batches, ['b 1 3 6', 'a 2 5', 'c 4']);
});

test('a batch takes no more realms than its writer allows', async () => {
  const limits = { realmsPerBatch: 2, inFlight: 1 };
  const batches = await batchesOf(limits, ['b', 'a', 'b', 'c', 'a', 'b']);
  assert.deepEqual(batches, ['b 1 3 6, a 2 5', 'c 4']);
});

test('commands of other realms keep their places when more arrive', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, SINGLE_REALM);
  await Promise.all(['a', 'b'].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  const first = queue.push(enrol('a', 1));
  const second = queue.push(enrol('b', 2));
  await first;
  // It arrived after the command of the other realm, so it must not be written before it.
  await Promise.all([queue.push(enrol('a', 3)), second]);
  assert.deepEqual(batches, ['a 1', 'b 2', 'a 3']);
  await close();
});

test('batches are bounded, and in order', async () => {
  const batches = await batchesOf(SINGLE_REALM, [...Array(1_200).fill('a'), 'b']);
  assert.deepEqual(
    batches.map((batch) => batch.split(' ').length - 1),
    [1_000, 200, 1],
  );
  assert.match(batches[1] ?? '', /^a 1001 1002 /);
});

test('a batch with a locked realm is written realm by realm', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(async (batch) => {
    if (batch.needs.length > 1) throw new RealmLocked('one of them is locked');
    if (has(batch, 'b')) throw new Error('it stays locked');
    return commit(batch);
  });
  const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map((id) => queue.push(create(id))));
  assert.deepEqual([a?.status, b?.status, c?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual(batches, ['a', 'c']);
  await close();
});

test('a locked realm delays no other, and its later commands wait behind it', async () => {
  const { commit, batches, close } = recording();
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  let isLocked = false;
  const queue = queueOf(async (batch) => {
    const meetsLock = isLocked && has(batch, 'b');
    if (meetsLock && batch.needs.length > 1) throw new RealmLocked('one of them is locked');
    if (meetsLock) await unlocked;
    return commit(batch);
  });
  await Promise.all(['a', 'b'].map((id) => queue.push(create(id))));
  batches.splice(0);
  isLocked = true;
  const waiting = [queue.push(enrol('b', 1))];
  await queue.push(enrol('a', 2));
  waiting.push(queue.push(enrol('b', 3)));
  await queue.push(enrol('a', 4));
  assert.deepEqual(batches, ['a 2', 'a 4']);
  unlock();
  await Promise.all(waiting);
  await queue.drained();
  assert.deepEqual(batches, ['a 2', 'a 4', 'b 1', 'b 3']);
  await close();
});

/** A queue in which all realms but one are locked, until it gives up. */
function lockedExcept(free: string) {
  const { commit, close } = recording();
  const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>();
  const queue = queueOf(async (batch) => {
    if (batch.needs.length > 1) throw new RealmLocked('one of them is locked');
    if (has(batch, free)) return commit(batch);
    await isOver;
    throw new Unavailable('overloaded', 'it stays locked');
  });
  return { queue, giveUp, close };
}

test('commands behind a realm that stays locked are rejected with it', async () => {
  const { queue, giveUp, close } = lockedExcept('a');
  const first = queue.push(create('b'));
  await queue.push(create('a'));
  const second = queue.push(create('b'));
  giveUp();
  await assert.rejects(first, Unavailable);
  await assert.rejects(second, Unavailable);
  await close();
});

test('commands of a locked realm occupy at most half of the queue', async () => {
  const { queue, giveUp, close } = lockedExcept('a');
  const waiting = [queue.push(create('locked'))];
  await queue.push(create('a'));
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  const entries = Array.from({ length: 10_000 }, () => entry);
  const batch = () =>
    queue.push(inRealm('locked', command('points.batch', { atomic: true, entries })));
  waiting.push(batch(), batch());
  await assert.rejects(batch(), /the queue is full/);
  assert.ok('answer' in (await queue.push(enrol('a', 1))));
  giveUp();
  for (const one of await Promise.allSettled(waiting)) assert.equal(one.status, 'rejected');
  await close();
});

test('a single-realm batch of a locked realm delays no other realm', async () => {
  const { commit, batches, close } = recording();
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const queue = queueOf(async (batch, patience) => {
    const isLocked = has(batch, 'locked');
    if (isLocked && patience === 'yield') throw new RealmLocked('it is locked');
    if (isLocked) await unlocked;
    return commit(batch);
  });
  const locked = queue.push(create('locked'));
  assert.ok('answer' in (await queue.push(create('other'))));
  unlock();
  assert.ok('answer' in (await locked));
  assert.deepEqual(batches, ['other', 'locked']);
  await close();
});

test('a batch in flight for a realm that was set apart is written before what came later', async () => {
  const { commit, batches, close } = recording();
  const [lockedOut, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let yields = 0;
  const queue = queueOf(
    async (batch, patience, onSent) => {
      if (patience === 'yield' && batches.length > 0) {
        yields += 1;
        onSent();
        // The first is rejected while the second is in flight, the second later.
        if (yields === 2) await lockedOut.promise;
        else while (yields < 2) await new Promise((next) => setImmediate(next));
        throw new RealmLocked('it is locked');
      }
      if (patience === 'persist') await unlocked.promise;
      return commit(batch);
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  await queue.push(create('a'));
  const waiting = [queue.push(enrol('a', 1))];
  while (yields < 1) await new Promise((next) => setImmediate(next));
  waiting.push(queue.push(enrol('a', 2)));
  while (yields < 2) await new Promise((next) => setImmediate(next));
  for (let turn = 0; turn < 5; turn++) await new Promise((next) => setImmediate(next));
  waiting.push(queue.push(enrol('a', 3)));
  lockedOut.resolve();
  await new Promise((next) => setImmediate(next));
  unlocked.resolve();
  await Promise.all(waiting);
  assert.deepEqual(batches, ['a', 'a 1', 'a 2 3']);
  await queue.drained();
  await close();
});

test('the next batch follows once a batch is sent', async () => {
  const { commit, batches, close } = recording();
  const { promise: isDurable, resolve: flush } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: reportSent } = Promise.withResolvers<void>();
  const queue = queueOf(
    async (batch, _, onSent) => {
      const decision = await commit(batch);
      onSent();
      reportSent();
      if (has(batch, 'slow')) await isDurable;
      return decision;
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  const slow = queue.push(create('slow'));
  await isSent;
  await queue.push(create('quick'));
  assert.deepEqual(batches, ['slow', 'quick']);
  const drained = queue.drained().then(() => 'drained');
  assert.equal(await Promise.race([drained, Promise.resolve('in flight')]), 'in flight');
  flush();
  assert.ok('answer' in (await slow));
  assert.equal(await drained, 'drained');
  await close();
});

test('no more batches are in flight than the writer allows', async () => {
  const { commit, close } = recording();
  let [inFlight, most] = [0, 0];
  const queue = queueOf(
    async (batch, _, onSent) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      const decision = await commit(batch);
      onSent();
      await new Promise((next) => setTimeout(next, 5));
      inFlight -= 1;
      return decision;
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  await queue.push(create('a'));
  const pushed: Promise<unknown>[] = [];
  for (let id = 1; id <= 10; id++) {
    pushed.push(queue.push(enrol('a', id)));
    await new Promise((next) => setTimeout(next, 1));
  }
  await Promise.all(pushed);
  assert.equal(most, 2);
  await close();
});

test('two batches in flight share all commands equally', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, { ...UNLIMITED, inFlight: 2 });
  await queue.push(create('a'));
  batches.splice(0);
  await Promise.all(Array.from({ length: 40 }, (_, index) => queue.push(enrol('a', index + 1))));
  const sizes = batches.map((batch) => batch.split(' ').length - 1);
  assert.deepEqual(sizes, [20, 10, 10]);
  await close();
});

test('a fault of the writer rejects the batch and does not stop the queue', async () => {
  const { commit, close } = recording();
  let isFaulty = true;
  const queue = new CommitQueue(
    {
      limits: UNLIMITED,
      write: (batch) => {
        if (isFaulty) throw new RangeError('made up');
        return { sent: Promise.resolve(), done: commit(batch) };
      },
    },
    () => 0,
  );
  await assert.rejects(queue.push(create('a')), RangeError);
  isFaulty = false;
  assert.ok('answer' in (await queue.push(create('a'))));
  await close();
});
