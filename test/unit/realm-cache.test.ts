import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RealmChanges, RealmFacts } from '../../src/domain/facts.ts';
import type { RealmRow } from '../../src/domain/model.ts';
import { emptyFacts } from '../../src/domain/rules/needs.ts';
import { addCached, RealmCache } from '../../src/store/cache.ts';

const realm = (id: string, seq = 1) => ({ id, seq, head: `${seq}` }) as RealmRow;
const NEVER = { movedAt: null, activeDay: null };
const REST = { realmPointId: 'points', held: '0', openHolds: 0, ...NEVER };
const STATE = { status: 'active' as const, name: null, isErased: false };
const SCORES = { day: 1, dayScore: 1, week: 1, weekScore: 1, month: 1, monthScore: 1 };

const factsOf = (id: string, members: string[]): RealmFacts => ({
  ...emptyFacts(id),
  realm: realm(id),
  states: members.map((memberId) => ({ memberId, ...STATE })),
  balances: members.map((memberId) => ({ ...REST, memberId, balance: 1 })),
  scores: members.map((memberId) => ({ memberId, realmPointId: 'points', ...SCORES })),
  scoresRead: new Set(members),
});

/** What a writer would know of the members without reading anything; null if that is not enough. */
function known(cache: RealmCache, realmId: string, memberId: string): RealmFacts | null {
  const cached = cache.get(realmId);
  const facts = emptyFacts(realmId);
  return cached && addCached(cached, facts, memberId, true) ? facts : null;
}

const changesOf = (changes: Partial<RealmChanges>): RealmChanges[] => [
  {
    realm: realm('acme', 2),
    ...{ kinds: [], offers: [], claimants: [], members: [], balances: [], scores: [] },
    ...changes,
  } as unknown as RealmChanges,
];

test('what was read and written since is known without reading', () => {
  const cache = new RealmCache();
  cache.store(factsOf('acme', ['1', '2']));
  const balance = { ...REST, memberId: '1', balance: 7 };
  const score = { memberId: '1', realmPointId: 'points', ...SCORES, dayScore: 7 };
  cache.apply(
    changesOf({ balances: [{ key: '', row: balance }], scores: [{ key: '', row: score }] }),
  );
  assert.deepEqual(known(cache, 'acme', '1')?.balances, [balance]);
  assert.deepEqual(known(cache, 'acme', '1')?.scores, [score]);
  assert.equal(known(cache, 'acme', '2')?.balances[0]?.balance, 1);
  assert.equal(cache.get('acme')?.realm.seq, 2);
});

test('members that change, or have holds, are read again', () => {
  const cache = new RealmCache();
  const row = { ...REST, memberId: '2', balance: 1, openHolds: 1 };
  cache.store(factsOf('acme', ['1', '2', '3']));
  cache.apply(
    changesOf({ members: [{ key: '1', row: null }], balances: [{ key: '2:points', row }] }),
  );
  const isKnown = ['1', '2', '3'].map((memberId) => known(cache, 'acme', memberId) !== null);
  assert.deepEqual(isKnown, [false, false, true]);
});

test('the number of cached rows is bounded, by realms, members and scores', () => {
  const byRealms = new RealmCache();
  for (let count = 0; count <= 200_001; count++) byRealms.store(factsOf(`r${count}`, []));
  assert.ok(!byRealms.get('r0'));
  assert.ok(byRealms.get('r200001'));
  const byScores = new RealmCache();
  byScores.store(factsOf('acme', ['1']));
  for (let count = 0; count <= 200_001; count++) {
    const row = { memberId: '1', realmPointId: `${count}`, ...SCORES };
    byScores.apply(changesOf({ scores: [{ key: '', row }] }));
  }
  byScores.store(factsOf('other', ['1']));
  assert.ok(!byScores.get('acme'));
});

test('rows that were removed do not count', () => {
  const cache = new RealmCache();
  cache.store(factsOf('kept', ['1']));
  for (let count = 0; count <= 100_001; count++) {
    cache.store(factsOf('acme', ['1']));
    cache.forget('acme');
  }
  cache.store(factsOf('acme', ['1']));
  assert.ok(cache.get('kept'));
});
