import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandOf } from '../../src/domain/commands.ts';
import { CommitQueue } from '../../src/domain/commit-queue.ts';
import type { Store } from '../../src/domain/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command } from './histories.ts';

/** What goes into one transaction. */
const of = <C extends { realmId: string }>(realmId: string, one: C): C => ({ ...one, realmId });

const create = (realmId: string): CommandOf<'realm.create'> =>
  of(realmId, command('realm.create', { name: realmId, settings: {} }));

const enrol = (realmId: string, memberId: number): CommandOf<'member.create'> =>
  of(realmId, command('member.create', { memberId: String(memberId), fields: {}, wallets: [] }));

/** A store that notes of each batch which members were enrolled in which realms. */
function recording(spansRealms: boolean): { store: Store; batches: string[] } {
  const kept = openSqliteStore(':memory:');
  const batches: string[] = [];
  const store: Store = {
    ...kept,
    spansRealms,
    commit: async (needs, decide) => {
      const decision = await kept.commit(needs, decide);
      const parts = decision.changes.map(({ realm, members }) =>
        [realm.id, ...members.map(({ key }) => key)].join(' '),
      );
      batches.push(parts.join(', '));
      return decision;
    },
  };
  return { store, batches };
}

async function pushed(spansRealms: boolean, realmIds: string[]): Promise<string[]> {
  const { store, batches } = recording(spansRealms);
  const queue = new CommitQueue(store, () => 0);
  await Promise.all([...new Set(realmIds)].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  await Promise.all(realmIds.map((realmId, index) => queue.push(enrol(realmId, index + 1))));
  await store.close();
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
  const { store, batches } = recording(false);
  const queue = new CommitQueue(store, () => 0);
  await Promise.all(['a', 'b'].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  const first = queue.push(enrol('a', 1));
  const second = queue.push(enrol('b', 2));
  await first;
  // It came after the one of the other realm, so it must not be written before it.
  await Promise.all([queue.push(enrol('a', 3)), second]);
  assert.deepEqual(batches, ['a 1', 'b 2', 'a 3']);
  await store.close();
});

test('no more than a bounded number goes into a batch, in order', async () => {
  const batches = await pushed(false, [...Array(1_200).fill('a'), 'b']);
  assert.deepEqual(
    batches.map((batch) => batch.split(' ').length - 1),
    [1_000, 200, 1],
  );
  assert.match(batches[1] ?? '', /^a 1001 1002 /);
});
