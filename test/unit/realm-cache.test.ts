import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFacts, type RealmFacts } from '../../src/domain/facts.ts';
import type { RealmRow } from '../../src/domain/model.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { RealmCache } from '../../src/store/realm-cache.ts';
import { credit } from '../support/commands.ts';

const realm = (id: string, seq = 1) => ({ id, seq, head: `${seq}` }) as RealmRow;

function factsOf(id: string, members: string[], seq?: number): RealmFacts {
  return {
    ...emptyFacts(id),
    realm: realm(id, seq),
    statuses: members.map((memberId) => ({ memberId, status: 'active' as const })),
    balances: members.map((memberId) => ({
      memberId,
      realmPointId: 'p',
      balance: 1,
      openHolds: 0,
    })),
  };
}

test('it is asked for a guess only after eight looks that found all as it was left', () => {
  const cache = new RealmCache();
  const predict = () => cache.predict(needsOf([credit('acme')]))?.[0]?.balances;
  for (let looks = 0; looks <= 8; looks++) {
    assert.equal(predict(), undefined, `after ${looks} looks`);
    cache.store([factsOf('acme', ['1'])]);
  }
  assert.deepEqual(predict(), [{ memberId: '1', realmPointId: 'p', balance: 1, openHolds: 0 }]);
  cache.store([factsOf('acme', ['1'], 2)]);
  assert.equal(predict(), undefined, 'somebody else wrote');
});

test('it does not grow for ever, be it by realms or by members', () => {
  const byRealms = new RealmCache();
  for (let count = 0; count <= 200_001; count++) byRealms.store([factsOf(`r${count}`, [])]);
  assert.equal(byRealms.validFor(realm('r0')), null);
  assert.ok(byRealms.validFor(realm('r200001')));
  const byMembers = new RealmCache();
  for (let count = 0; count <= 100_001; count++) byMembers.store([factsOf('acme', [`${count}`])]);
  assert.ok((byMembers.validFor(realm('acme'))?.standings.size ?? 0) < 10);
  // What is forgotten is not counted any more.
  for (let count = 0; count <= 200_001; count++) {
    byMembers.store([factsOf('acme', ['1'])]);
    byMembers.forget([{ realmId: 'acme' }]);
  }
  byMembers.store([factsOf('kept', ['1'])]);
  byMembers.store([factsOf('acme', ['1'])]);
  assert.ok(byMembers.validFor(realm('kept')));
});
