import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROWS } from '../../src/cli/import/batches.ts';
import { MAX_BATCH_COST } from '../../src/contract/operations/member-batch.ts';
import type { Enrolment } from '../../src/domain/commands.ts';
import { PENDING_LIMITS } from '../../src/engine/commit-queue.ts';
import { costOfCommand, costOfEnrolment } from '../../src/engine/cost.ts';
import { command } from '../domain/histories.ts';

const list = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));

const account = (index: number) => ({ provider: 'discord', id: String(index), username: null });
const wallet = (index: number) => ({ chain: 'eip155' as const, key: `${index}`, address: '' });
const balance = (index: number) => ({ realmPointId: `k${index}`, tokens: 1 });

const NOBODY: Enrolment = { memberId: null, fields: {}, wallets: [], balances: [] };
/** As much as the contract lets a single member have. */
const LARGEST = {
  memberId: '1',
  fields: { accounts: list(20, account), metadata: 'x'.repeat(8192) },
  wallets: list(50, wallet),
};

test('a member of a batch costs what its limit says', () => {
  const costs: [Partial<Enrolment>, number][] = [
    [{}, 1],
    [{ fields: { accounts: list(3, account) } }, 4],
    [{ wallets: list(3, wallet) }, 7],
    [{ balances: list(3, balance) }, 4],
    [{ fields: { metadata: 'x'.repeat(399) } }, 1],
    [{ fields: { metadata: 'x'.repeat(400) } }, 2],
    [{ ...LARGEST, balances: list(50, balance) }, 191],
  ];
  for (const [more, cost] of costs) assert.equal(costOfEnrolment({ ...NOBODY, ...more }), cost);
});

test('no command alone is more than all that may wait', () => {
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: '😀'.repeat(500) };
  const entries = list(10_000, () => entry);
  const costs = [
    costOfCommand(command('points.batch', { atomic: true, entries })),
    costOfCommand(command('member.put', LARGEST)),
    costOfCommand(command('member.create', LARGEST)),
    costOfCommand(command('member.update', LARGEST)),
    MAX_BATCH_COST,
  ];
  assert.deepEqual(costs, [30_000, 151, 141, 50, 30_000]);
  for (const cost of costs) assert.ok(2 * cost <= PENDING_LIMITS.perLine);
  assert.ok(MAX_ROWS <= MAX_BATCH_COST, 'an import takes no more than any caller may');
});

test('a command that reads all of a member costs what the largest member takes', () => {
  const memberId = '1';
  const link = { memberId, wallet: wallet(1), primary: false, proof: null };
  const costs = [
    costOfCommand(command('member.remove', { memberId, forfeit: true })),
    costOfCommand(command('member.update', { memberId, fields: {} })),
    costOfCommand(command('wallet.link', link)),
    costOfCommand(command('wallet.unlink', { memberId, walletKey: '1', address: '1' })),
  ];
  assert.deepEqual(costs, [200, 10, 10, 10]);
});
