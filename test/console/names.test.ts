import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import {
  forgetNames,
  learnNames,
  type Named,
  nameSignal,
  renewNames,
} from '../../console/state/names.ts';

/** A realm whose members have these names now; `asked` lists the ids of its calls. */
function realmOf(names: Record<string, string>): { realm: RealmHandle; asked: string[] } {
  const asked: string[] = [];
  const members = ({ ids }: { ids: string }): Named[] => {
    asked.push(ids);
    return ids.split(',').flatMap((id) => (names[id] ? [named(id, names[id])] : []));
  };
  return { realm: { id: 'acme', members } as unknown as RealmHandle, asked };
}

const named = (id: string, displayName: string): Named => ({ id, username: null, displayName });

const happened = (type: string, memberId: string): RealmEvent =>
  ({ type, data: { memberId } }) as RealmEvent;

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => {
  mock.timers.reset();
  forgetNames();
});

/** Until what was asked for is answered. */
async function answered(): Promise<void> {
  mock.timers.tick(100);
  await new Promise((resolve) => setImmediate(resolve));
}

test('names are asked for together, and who is not there has none', async () => {
  const { realm, asked } = realmOf({ 1: 'Ann' });
  const [ann, nobody] = [nameSignal(realm, '1'), nameSignal(realm, '2')];
  await answered();
  assert.deepEqual(asked, ['1,2']);
  assert.deepEqual([ann?.value?.displayName, nobody?.value], ['Ann', null]);
});

test('a name that was changed is asked for again where it is shown', async () => {
  const { realm, asked } = realmOf({ 1: 'Anna' });
  learnNames('acme', [named('1', 'Ann')]);
  const name = nameSignal(realm, '1');
  renewNames(realm, [happened('member.updated', '1'), happened('member.updated', '7')]);
  await answered();
  assert.equal(name.value?.displayName, 'Anna');
  assert.deepEqual(asked, ['1'], 'nobody looks at the other one');
});

test('a name that was erased is gone at once, without an answer', () => {
  const { realm, asked } = realmOf({});
  learnNames('acme', [named('1', 'Ann')]);
  const name = nameSignal(realm, '1');
  renewNames(realm, [happened('member.erased', '1')]);
  assert.equal(name.value, null);
  assert.deepEqual(asked, []);
});
