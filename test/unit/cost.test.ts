import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandOf } from '../../src/domain/commands.ts';
import { costOfCommand, costOfQuery } from '../../src/ledger/fair-queue.ts';
import { command } from '../domain/histories.ts';

const batch = (entries: number): CommandOf<'points.batch'> =>
  command('points.batch', {
    atomic: true,
    entries: Array(entries).fill({
      memberId: '1',
      tokens: 1,
      realmPointId: null,
      description: null,
    }),
  });

test('a command costs the rows that it asks for, and at least one', () => {
  assert.deepEqual([0, 1, 1_000].map(batch).map(costOfCommand), [1, 1, 1_000]);
  const entries = batch(1).entries.map((entry) => ({ ...entry, description: 'Thanks' }));
  assert.equal(costOfCommand(command('points.batch', { atomic: true, entries })), 2);
  const wallet = { chain: 'eip155' as const, key: '0x1', address: '0x1' };
  const balances = [{ realmPointId: 'points', tokens: 1 }];
  const members = [{ memberId: null, fields: {}, wallets: [wallet], balances }];
  const enrolments = command('member.batch', { atomic: true, description: null, members });
  assert.equal(costOfCommand(enrolments), 4);
  const member = { memberId: null, fields: {}, wallets: [wallet, wallet] };
  assert.equal(costOfCommand(command('member.create', member)), 3);
  assert.equal(costOfCommand(command('hold.release', { holdId: 1 })), 1);
});

test('a query costs the rows of its page, and a member more than other rows', () => {
  const filter = { wallet: null, account: null, status: null };
  const page = { realmId: 'acme', after: null, limit: 500, now: 0 };
  assert.equal(costOfQuery('members', { ...page, filter }), 500);
  const statement = { realmPointId: null, type: null, from: null, to: null, before: null };
  const rows = { realmId: 'acme', memberId: '1', ...statement, limit: 500 };
  assert.equal(costOfQuery('statement', rows), 32);
  const chosen = { realmId: 'acme', by: 'id', conditions: { hasWallet: true } } as const;
  assert.equal(costOfQuery('members', { ...page, filter, limit: 1, ...chosen }), 500);
  assert.equal(costOfQuery('countMembers', chosen), 1_500);
  assert.equal(costOfQuery('member', { realmId: 'acme', memberId: '1', now: 0 }), 1);
});
