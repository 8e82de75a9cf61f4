import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandOf } from '../../src/domain/commands.ts';
import { CommitQueue } from '../../src/engine/commit-queue.ts';
import { Unavailable } from '../../src/engine/errors.ts';
import { type BatchWriter, RealmLocked } from '../../src/engine/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command } from './histories.ts';

/** What goes into one transaction. */
const of = <C extends { realmId: string }>(realmId: string, one: C): C => ({ ...one, realmId });

const create = (realmId: string): CommandOf<'realm.create'> =>
  of(realmId, command('realm.create', { name: realmId, settings: {} }));

const enrol = (realmId: string, memberId: number): CommandOf<'member.create'> =>
  of(realmId, command('member.create', { memberId: String(memberId), fields: {}, wallets: [] }));

/** A writer that notes of each batch which members were enrolled in which realms. */
function recording(spansRealms: boolean) {
  const kept = openSqliteStore(':memory:');
  const batches: string[] = [];
  const writer: BatchWriter = {
    spansRealms,
    commit: async (needs, decide) => {
      const decision = await kept.writers[0].commit(needs, decide);
      const parts = decision.changes.map(({ realm, members }) =>
        [realm.id, ...members.map(({ key }) => key)].join(' '),
      );
      batches.push(parts.join(', '));
      return decision;
    },
  };
  return { writer, batches, close: () => kept.close() };
}

async function pushed(spansRealms: boolean, realmIds: string[]): Promise<string[]> {
  const { writer, batches, close } = recording(spansRealms);
  const queue = new CommitQueue(writer, () => 0);
  await Promise.all([...new Set(realmIds)].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  await Promise.all(realmIds.map((realmId, index) => queue.push(enrol(realmId, index + 1))));
  await close();
  return batches;
}

test('a batch takes all that waits', async () => {
  assert.deepEqual(await pushed(true, ['b', 'a', 'b']), ['b 1 3, a 2']);
});

test('a store of one realm a batch gets the first in line, with all of its realm', async () => {
  const batches = await pushed(false, ['b', 'a', 'b', 'c', 'a', 'b']);
  assert.deepEqual(batches, ['b 1 3 6', 'a 2 5', 'c 4']);
});

test('what waits for another realm keeps its place when more arrives', async () => {
  const { writer, batches, close } = recording(false);
  const queue = new CommitQueue(writer, () => 0);
  await Promise.all(['a', 'b'].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  const first = queue.push(enrol('a', 1));
  const second = queue.push(enrol('b', 2));
  await first;
  // It came after the one of the other realm, so it must not be written before it.
  await Promise.all([queue.push(enrol('a', 3)), second]);
  assert.deepEqual(batches, ['a 1', 'b 2', 'a 3']);
  await close();
});

test('no more than a bounded number goes into a batch, in order', async () => {
  const batches = await pushed(false, [...Array(1_200).fill('a'), 'b']);
  assert.deepEqual(
    batches.map((batch) => batch.split(' ').length - 1),
    [1_000, 200, 1],
  );
  assert.match(batches[1] ?? '', /^a 1001 1002 /);
});

test('a batch that one realm holds up is written realm by realm', async () => {
  const { writer, batches, close } = recording(true);
  const queue = new CommitQueue(
    {
      commit: (needs, decide) => {
        if (needs.length > 1) throw new RealmLocked('one of them is locked');
        if (needs[0]?.realmId === 'b') throw new Error('it stays locked');
        return writer.commit(needs, decide);
      },
    },
    () => 0,
  );
  const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map((id) => queue.push(create(id))));
  assert.deepEqual([a?.status, b?.status, c?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual(batches, ['a', 'c']);
  await close();
});

test('while one realm is held up, the others go on, and whoever comes for it waits', async () => {
  const { writer, batches, close } = recording(true);
  const { promise: isFree, resolve: unlock } = Promise.withResolvers<void>();
  let isLocked = false;
  const queue = new CommitQueue(
    {
      commit: async (needs, decide) => {
        const isLockTimeout = isLocked && needs.some(({ realmId }) => realmId === 'b');
        if (isLockTimeout && needs.length > 1) throw new RealmLocked('one of them is locked');
        if (isLockTimeout) await isFree;
        return writer.commit(needs, decide);
      },
    },
    () => 0,
  );
  await Promise.all(['a', 'b'].map((id) => queue.push(create(id))));
  batches.splice(0);
  isLocked = true;
  const held = [queue.push(enrol('b', 1))];
  await queue.push(enrol('a', 2));
  held.push(queue.push(enrol('b', 3)));
  await queue.push(enrol('a', 4));
  assert.deepEqual(batches, ['a 2', 'a 4']);
  unlock();
  await Promise.all(held);
  await queue.drained();
  assert.deepEqual(batches, ['a 2', 'a 4', 'b 1', 'b 3']);
  await close();
});

/** A queue whose realms all stay locked, but for one, until it gives up. */
function lockedButFor(free: string) {
  const { writer, close } = recording(true);
  const { promise: isEnough, resolve: giveUp } = Promise.withResolvers<void>();
  const queue = new CommitQueue(
    {
      commit: async (needs, decide) => {
        if (needs.length > 1) throw new RealmLocked('one of them is locked');
        if (needs[0]?.realmId === free) return writer.commit(needs, decide);
        await isEnough;
        throw new Unavailable('overloaded', 'it stays locked');
      },
    },
    () => 0,
  );
  return { queue, giveUp, close };
}

test('whoever waits for a realm that stays locked is turned away with it', async () => {
  const { queue, giveUp, close } = lockedButFor('a');
  const first = queue.push(create('b'));
  await queue.push(create('a'));
  const second = queue.push(create('b'));
  giveUp();
  await assert.rejects(first, Unavailable);
  await assert.rejects(second, Unavailable);
  await close();
});

test('what waits for a locked realm takes half of the places at most', async () => {
  const { queue, giveUp, close } = lockedButFor('a');
  const held = [queue.push(create('locked'))];
  await queue.push(create('a'));
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  const entries = Array.from({ length: 10_000 }, () => entry);
  const batch = () => queue.push(of('locked', command('points.batch', { atomic: true, entries })));
  held.push(batch(), batch());
  await assert.rejects(batch(), /the queue is full/);
  assert.ok('answer' in (await queue.push(enrol('a', 1))));
  giveUp();
  for (const one of await Promise.allSettled(held)) assert.equal(one.status, 'rejected');
  await close();
});

test('a batch that was sent does not hold up the next one', async () => {
  const { writer, batches, close } = recording(true);
  const { promise: isDurable, resolve: disk } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  const queue = new CommitQueue(
    {
      commit: async (needs, decide, onSent) => {
        const decision = await writer.commit(needs, decide);
        onSent?.();
        sent();
        if (needs[0]?.realmId === 'slow') await isDurable;
        return decision;
      },
    },
    () => 0,
  );
  const slow = queue.push(create('slow'));
  await isSent;
  await queue.push(create('quick'));
  assert.deepEqual(batches, ['slow', 'quick']);
  const drained = queue.drained().then(() => 'drained');
  assert.equal(await Promise.race([drained, Promise.resolve('under way')]), 'under way');
  disk();
  assert.ok('answer' in (await slow));
  assert.equal(await drained, 'drained');
  await close();
});

test('where batches go out behind each other, each has half of what is there', async () => {
  const { writer, batches, close } = recording(true);
  const queue = new CommitQueue({ ...writer, pipelines: true }, () => 0);
  await queue.push(create('a'));
  batches.splice(0);
  await Promise.all(Array.from({ length: 40 }, (_, index) => queue.push(enrol('a', index + 1))));
  const sizes = batches.map((batch) => batch.split(' ').length - 1);
  assert.deepEqual(sizes, [20, 10, 10]);
  await close();
});

test('a realm that is held up by itself holds up no other', async () => {
  const { writer, batches, close } = recording(true);
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>();
  const queue = new CommitQueue(
    {
      commit: async (needs, decide, onSent) => {
        const isLocked = needs.some(({ realmId }) => realmId === 'locked');
        if (isLocked && onSent) throw new RealmLocked('it is locked');
        if (isLocked) await unlocked;
        return writer.commit(needs, decide);
      },
    },
    () => 0,
  );
  const locked = queue.push(create('locked'));
  assert.ok('answer' in (await queue.push(create('other'))));
  unlock();
  assert.ok('answer' in (await locked));
  assert.deepEqual(batches, ['other', 'locked']);
  await close();
});
