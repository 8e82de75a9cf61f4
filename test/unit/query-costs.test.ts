import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member, Wallet } from '../../src/domain/model.ts';
import type { QueryParams } from '../../src/domain/queries.ts';
import { READ_LIMITS } from '../../src/engine/gate.ts';
import { QueryCosts } from '../../src/engine/query-costs.ts';

const list = (limit: number, realmId = 'acme'): QueryParams<'members'> => ({
  realmId,
  after: null,
  limit,
  now: 0,
  filter: { wallet: null, account: null, status: null },
});

const one = (realmId = 'acme') => ({ realmId, memberId: '1', now: 0 });

const member = (wallets: number): Member =>
  ({
    balances: {},
    accounts: [],
    wallets: new Array<Wallet | null>(wallets).fill(null),
    metadata: '',
  }) as unknown as Member;

const pageOf = (...members: Member[]) => ({ members, next: null });

test('until something of a realm was read, a page is read by itself', () => {
  const costs = new QueryCosts();
  assert.equal(costs.of('members', list(50)), READ_LIMITS.window);
  costs.learn('members', list(50), pageOf(member(0)));
  assert.equal(costs.of('members', list(50)), 50);
  assert.equal(costs.of('members', list(50, 'other')), READ_LIMITS.window);
});

test('members cost what the largest of the realm have cost', () => {
  const costs = new QueryCosts();
  costs.learn('members', list(2), pageOf(member(24), member(48)));
  costs.learn('members', list(2), pageOf(member(0), member(0)));
  assert.equal(costs.of('members', list(10)), 60);
  assert.equal(costs.of('members', list(500)), READ_LIMITS.window);
});

test('a large member that was read by itself makes no list expensive, nor one in a list', () => {
  const costs = new QueryCosts();
  costs.learn('member', one(), member(120));
  costs.learn('members', list(50), pageOf(member(120)));
  assert.equal(costs.of('member', one()), 20);
  assert.equal(costs.of('members', list(50)), 50);
});

test('a list by status costs what it may look at beside what it shows', () => {
  const costs = new QueryCosts();
  costs.learn('members', list(50), pageOf(member(0)));
  const filter = { wallet: null, account: null, status: 'frozen' as const };
  const byStatus = (limit: number) => costs.of('members', { ...list(limit), filter });
  assert.deepEqual([1, 11, 50, 500].map(byStatus), [26, 39, 175, 625]);
});

test('a member that is not there is ordinary', () => {
  const costs = new QueryCosts();
  costs.learn('member', one(), null);
  assert.equal(costs.of('member', one()), 1);
});

test('costs are whole numbers', () => {
  const costs = new QueryCosts();
  costs.learn('member', one(), member(7));
  costs.learn('members', list(3), pageOf(member(7), member(9), member(11)));
  assert.equal(costs.of('member', one()), 2);
  assert.equal(costs.of('members', list(2)), 3);
});
