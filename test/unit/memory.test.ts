import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFacts, type RealmFacts } from '../../src/domain/facts.ts';
import type { RealmRow } from '../../src/domain/model.ts';
import { needsOf } from '../../src/domain/needs.rules.ts';
import { Memory } from '../../src/store/memory.ts';
import { credit } from '../support/commands.ts';

const realm = (id: string, seq = 1) => ({ id, seq, head: `${seq}` }) as RealmRow;

function factsOf(id: string, members: string[], seq?: number): RealmFacts {
  return {
    ...emptyFacts(id),
    realm: realm(id, seq),
    statuses: members.map((memberId) => ({ memberId, status: 'active' as const })),
    balances: members.map((memberId) => ({ memberId, pointId: 'p', balance: 1, openHolds: 0 })),
  };
}

test('it is asked for a guess only after eight looks that found all as it was left', () => {
  const memory = new Memory();
  const recall = () => memory.recall(needsOf([credit('acme')]))?.[0]?.balances;
  for (let looks = 0; looks <= 8; looks++) {
    assert.equal(recall(), undefined, `after ${looks} looks`);
    memory.learn([factsOf('acme', ['1'])]);
  }
  assert.deepEqual(recall(), [{ memberId: '1', pointId: 'p', balance: 1, openHolds: 0 }]);
  memory.learn([factsOf('acme', ['1'], 2)]);
  assert.equal(recall(), undefined, 'somebody else wrote');
});

test('it does not grow for ever, be it by realms or by members', () => {
  const byRealms = new Memory();
  for (let count = 0; count <= 200_001; count++) byRealms.learn([factsOf(`r${count}`, [])]);
  assert.equal(byRealms.asLeft(realm('r0')), null);
  assert.ok(byRealms.asLeft(realm('r200001')));
  const byMembers = new Memory();
  for (let count = 0; count <= 100_001; count++) byMembers.learn([factsOf('acme', [`${count}`])]);
  assert.ok((byMembers.asLeft(realm('acme'))?.standings.size ?? 0) < 10);
  // What is forgotten is not counted any more.
  for (let count = 0; count <= 200_001; count++) {
    byMembers.learn([factsOf('acme', ['1'])]);
    byMembers.forget([{ realmId: 'acme' }]);
  }
  byMembers.learn([factsOf('kept', ['1'])]);
  byMembers.learn([factsOf('acme', ['1'])]);
  assert.ok(byMembers.asLeft(realm('kept')));
});
