import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { RealmsLocked } from '../../src/engine/store.ts';
import { create, enrol, has, largeBatch, queueOf, recording, turn, UNLIMITED } from './queues.ts';

test('of a batch, only the locked realms are written by themselves', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(async (batch, patience) => {
    if (has(batch, 'b')) {
      throw patience === 'yield' ? new RealmsLocked(['b']) : new Error('it stays locked');
    }
    assert.equal(patience, 'yield');
    return commit(batch);
  });
  const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map((id) => queue.push(create(id))));
  assert.deepEqual([a?.status, b?.status, c?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual(batches, ['a, c']);
  await close();
});

test('a locked realm delays no other, and its later commands wait behind it', async () => {
  const { commit, batches, close } = recording();
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  let isLocked = false;
  const queue = queueOf(async (batch) => {
    const meetsLock = isLocked && has(batch, 'b');
    if (meetsLock && batch.needs.length > 1) throw new RealmsLocked(['b']);
    if (meetsLock) meet();
    if (meetsLock) await unlocked;
    return commit(batch);
  });
  await Promise.all(['a', 'b'].map((id) => queue.push(create(id))));
  batches.splice(0);
  isLocked = true;
  const waiting = [queue.push(enrol('b', 1))];
  await queue.push(enrol('a', 2));
  await met;
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
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>();
  const queue = queueOf(async (batch, patience) => {
    const locked = batch.needs.map(({ realmId }) => realmId).filter((id) => id !== free);
    if (locked.length === 0) return commit(batch);
    if (patience === 'yield') throw new RealmsLocked(locked);
    meet();
    await isOver;
    throw new Unavailable('overloaded', 'it stays locked');
  });
  return { queue, met, giveUp, close };
}

test('commands behind a realm that stays locked are rejected with it', async () => {
  const { queue, met, giveUp, close } = lockedExcept('a');
  const first = queue.push(create('b'));
  await queue.push(create('a'));
  await met;
  const second = queue.push(create('b'));
  giveUp();
  await assert.rejects(first, Unavailable);
  await assert.rejects(second, Unavailable);
  await close();
});

test('a locked realm has a budget of its own', async () => {
  const { queue, met, giveUp, close } = lockedExcept('a');
  const waiting = [queue.push(create('locked'))];
  await queue.push(create('a'));
  await met;
  const batch = () => queue.push(largeBatch('locked'));
  for (let count = 0; count < 8; count++) waiting.push(batch());
  await assert.rejects(batch(), /too many commands of the realm/);
  assert.ok('answer' in (await queue.push(enrol('a', 1))));
  giveUp();
  for (const one of await Promise.allSettled(waiting)) assert.equal(one.status, 'rejected');
  await close();
});

test('accepted commands stay accepted when their realm turns out to be locked', async () => {
  const { commit, batches, close } = recording();
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  let isLocked = false;
  const queue = queueOf(async (batch, patience) => {
    if (!isLocked || patience === 'persist') return commit(batch);
    await met;
    throw new RealmsLocked(['locked']);
  });
  await queue.push(create('locked'));
  isLocked = true;
  // As many as the realm may have pending, while another batch of it is in flight.
  const accepted = [queue.push(enrol('locked', 1))];
  await turn();
  await turn();
  for (let id = 2; id <= 80_001; id++) accepted.push(queue.push(enrol('locked', id)));
  await assert.rejects(queue.push(enrol('locked', 90_000)), Unavailable);
  meet();
  for (const outcome of await Promise.all(accepted)) assert.ok('answer' in outcome);
  assert.match(batches[1] ?? '', /^locked 1 2 3 /);
  await close();
});

test('a single-realm batch of a locked realm delays no other realm', async () => {
  const { commit, batches, close } = recording();
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const queue = queueOf(async (batch, patience) => {
    const isLocked = has(batch, 'locked');
    if (isLocked && patience === 'yield') throw new RealmsLocked(['locked']);
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

test('a batch in flight is written before later commands of its locked realm', async () => {
  const { commit, batches, close } = recording();
  const [lockedOut, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let yields = 0;
  const queue = queueOf(
    async (batch, patience, onSent) => {
      if (batches.length === 0) return commit(batch);
      if (patience === 'persist') return unlocked.promise.then(() => commit(batch));
      yields += 1;
      onSent();
      // The first is rejected while the second is in flight, the second later.
      if (yields === 2) await lockedOut.promise;
      else while (yields < 2) await turn();
      throw new RealmsLocked(['a']);
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  await queue.push(create('a'));
  const waiting = [queue.push(enrol('a', 1))];
  while (yields < 1) await turn();
  waiting.push(queue.push(enrol('a', 2)));
  while (yields < 2) await turn();
  for (let turns = 0; turns < 5; turns++) await turn();
  waiting.push(queue.push(enrol('a', 3)));
  lockedOut.resolve();
  await turn();
  unlocked.resolve();
  await Promise.all(waiting);
  assert.deepEqual(batches, ['a', 'a 1 2 3']);
  await queue.drained();
  await close();
});

test('a realm that is no longer locked shares batches again', async () => {
  const { commit, batches, close } = recording();
  const ways: string[] = [];
  let isLocked = false;
  const queue = queueOf(async (batch, patience) => {
    if (has(batch, 'b')) ways.push(patience);
    if (!isLocked || !has(batch, 'b')) return commit(batch);
    if (patience === 'yield') throw new RealmsLocked(['b']);
    // Another command arrives while this one waits: something of the realm is always pending.
    later = queue.push(enrol('b', 2));
    isLocked = false;
    return commit(batch);
  });
  let later: Promise<unknown> = Promise.resolve();
  await Promise.all(['a', 'b'].map((id) => queue.push(create(id))));
  isLocked = true;
  await queue.push(enrol('b', 1));
  await later;
  assert.deepEqual(ways, ['yield', 'yield', 'persist', 'yield']);
  assert.deepEqual(batches, ['a, b', 'b 1', 'b 2']);
  await close();
});
