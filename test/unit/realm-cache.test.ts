import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Needs, RealmFacts } from '../../src/domain/facts.ts';
import type { RealmRow } from '../../src/domain/model.ts';
import { emptyFacts, needsOf } from '../../src/domain/rules/needs.ts';
import { RealmCache } from '../../src/store/realm-cache.ts';
import { credit } from '../support/commands.ts';

const realm = (id: string, seq = 1) => ({ id, seq, head: `${seq}` }) as RealmRow;
const BALANCE = { memberId: '1', realmPointId: 'p', balance: 1, held: '0', openHolds: 0 };

function factsOf(id: string, members: string[], seq?: number): RealmFacts {
  return {
    ...emptyFacts(id),
    realm: realm(id, seq),
    statuses: members.map((memberId) => ({ memberId, status: 'active' as const })),
    balances: members.map((memberId) => ({ ...BALANCE, memberId })),
  };
}

const [needs] = needsOf([credit('acme')]) as [Needs];

function warmCache(): RealmCache {
  const cache = new RealmCache();
  for (let reads = 0; reads <= 8; reads++) cache.store([factsOf('acme', ['1'])]);
  return cache;
}

test('facts are predicted after eight reads in a row that found the realm unchanged', () => {
  const cache = new RealmCache();
  for (let reads = 0; reads <= 8; reads++) {
    assert.equal(cache.predict([needs]), null, `after ${reads} reads`);
    cache.store([factsOf('acme', ['1'])]);
  }
  assert.deepEqual(cache.predict([needs])?.[0]?.balances, [BALANCE]);
  cache.store([factsOf('acme', ['1'], 2)]);
  assert.equal(cache.predict([needs]), null, 'another writer changed the realm');
});

test('facts are predicted only for needs that are known to be cached', () => {
  const cache = warmCache();
  const withNeed = (need: object) => cache.predict([{ ...needs, ...need }]);
  const used = { idempotencyKeys: new Set(['key']), fingerprints: new Set(['fingerprint']) };
  assert.ok(withNeed({ ...used, idsToEnrol: 2 }));
  for (const need of [
    { members: new Set(['2']) },
    { profiles: new Set(['1']) },
    { accounts: new Set(['discord:1']) },
    { wallets: new Set(['0x1']) },
    { apiKeys: new Set(['id']) },
    { challenges: new Set(['nonce']) },
    { challengesOf: new Set(['1']) },
    { records: new Set([1]) },
    { holds: new Set([1]) },
    { openHoldsOf: new Set(['1']) },
    { assets: true },
    { idsToAssign: 1 },
  ]) {
    assert.equal(withNeed(need), null, JSON.stringify(Object.keys(need)));
  }
});

test('a kind of need that the cache does not know rules out a prediction', () => {
  const cache = warmCache();
  const withUnknown = (unknown: unknown) => cache.predict([{ ...needs, unknown } as Needs]);
  for (const need of [new Set(['1']), true, 1, new Map([['1', '2']]), ['1']]) {
    assert.equal(withUnknown(need), null);
  }
  assert.ok(withUnknown(new Set()), 'as long as it is empty');
});

test('the number of cached rows is bounded, by realms as by members', () => {
  const byRealms = new RealmCache();
  for (let count = 0; count <= 200_001; count++) byRealms.store([factsOf(`r${count}`, [])]);
  assert.equal(byRealms.validFor(realm('r0')), null);
  assert.ok(byRealms.validFor(realm('r200001')));
  const byMembers = new RealmCache();
  for (let count = 0; count <= 100_001; count++) byMembers.store([factsOf('acme', [`${count}`])]);
  assert.ok((byMembers.validFor(realm('acme'))?.members.size ?? 0) < 10);
  // Rows that were removed do not count.
  for (let count = 0; count <= 200_001; count++) {
    byMembers.store([factsOf('acme', ['1'])]);
    byMembers.forget([{ realmId: 'acme' }]);
  }
  byMembers.store([factsOf('kept', ['1'])]);
  byMembers.store([factsOf('acme', ['1'])]);
  assert.ok(byMembers.validFor(realm('kept')));
});
