import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hold, Kind, Member, Realm, Transaction } from '@realmkeep/client';
import {
  addRefusal,
  captureRefusal,
  reverseRefusal,
  reversible,
  spendRefusal,
} from '../../console/state/allowed.ts';

const kindOf = (minimumBalance: number, maximumBalance = 1_000): Kind => ({
  id: 'points',
  name: 'Points',
  symbol: null,
  isDefault: true,
  isTransferable: true,
  minimumBalance,
  maximumBalance,
  archived: false,
});

/** A member with a balance, of which some is on hold. */
const memberWith = (balance: number, held: number, kind: Kind) =>
  ({
    balances: { points: balance },
    held: { points: held },
    available: { points: Math.max(0, balance - held - kind.minimumBalance) },
  }) as unknown as Member;

const realmOf = (maxTokensPerRequest: number | null) =>
  ({ settings: { maxTokensPerRequest } }) as Realm;

const spending = (tokens: number, minimum: number, balance: number, held: number) => {
  const kind = kindOf(minimum);
  return spendRefusal(memberWith(balance, held, kind), kind, realmOf(null), tokens);
};

test('what cannot be spent is told with the reason', () => {
  assert.equal(spending(50, 0, 50, 0), null);
  assert.equal(spending(51, 0, 50, 0), 'Only 50 points available.');
  assert.equal(spending(46, 0, 50, 5), 'Only 45 points available: 5 are on hold.');
  assert.equal(
    spending(36, 10, 50, 5),
    'Only 35 points available: 5 are on hold, and the lowest allowed balance is 10.',
  );
  assert.equal(spending(60, -20, 50, 0), null, 'a debt is allowed');
  assert.equal(
    spending(71, -20, 50, 0),
    'Only 70 points available: the lowest allowed balance is -20.',
  );
});

test('a balance has a highest value, and a change a largest amount', () => {
  const kind = kindOf(0);
  const member = memberWith(990, 0, kind);
  assert.equal(addRefusal(member, kind, realmOf(null), 10), null);
  assert.match(addRefusal(member, kind, realmOf(null), 11) ?? '', /highest .* is 1,000\.$/);
  const most = 'The largest amount in one change is 5 points.';
  assert.equal(addRefusal(member, kind, realmOf(5), 6), most);
  assert.equal(spendRefusal(member, kind, realmOf(5), 6), most);
  assert.equal(spendRefusal(member, kind, realmOf(5), 5), null);
});

test('no more is captured than is on hold, or than the balance has', () => {
  const hold = { remaining: 20 } as Hold;
  const taking = (tokens: number, balance: number, minimum = 0) => {
    const kind = kindOf(minimum);
    return captureRefusal(memberWith(balance, 20, kind), kind, hold, tokens);
  };
  assert.equal(taking(20, 20), null);
  assert.equal(taking(21, 50), 'Only 20 points are on hold.');
  assert.equal(taking(15, 20, 10), 'The lowest allowed balance is 10.');
});

test('no more of a movement is undone than is left of it, or than the balance allows', () => {
  const undoing = (moved: number, minimum: number, balance: number, held = 0) => {
    const kind = kindOf(minimum);
    const member = memberWith(balance, held, kind);
    const transaction = { tokens: moved, reversedTokens: 20 } as Transaction;
    const most = reversible(member, kind, transaction);
    assert.equal(reverseRefusal(member, kind, transaction, most), null);
    return [most, reverseRefusal(member, kind, transaction, most + 1)];
  };
  const isLeft = 'Only 80 points of this movement are left to undo.';
  assert.deepEqual(undoing(100, 0, 500), [80, isLeft]);
  assert.deepEqual(undoing(-100, 0, 0), [80, isLeft]);
  assert.deepEqual(undoing(-100, 0, 990), [10, 'The highest allowed balance is 1,000.']);
  assert.deepEqual(undoing(100, -50, 30), [30, 'Only 30 points can be taken back.']);
  assert.deepEqual(undoing(100, 10, 60, 5), [
    45,
    'Only 45 points can be taken back: 5 are on hold, and the lowest allowed balance is 10.',
  ]);
});

test('who was frozen meanwhile gets and gives nothing, whatever the amount', () => {
  const kind = kindOf(0);
  const frozen = { ...memberWith(50, 5, kind), status: 'frozen' } as Member;
  const said = 'The member is frozen: no points move in or out.';
  const added = { tokens: 5, reversedTokens: 0 } as Transaction;
  assert.equal(addRefusal(frozen, kind, realmOf(null), 1), said);
  assert.equal(spendRefusal(frozen, kind, realmOf(null), 1), said);
  assert.equal(reverseRefusal(frozen, kind, added, 1), said);
  assert.equal(captureRefusal(frozen, kind, { remaining: 5 } as Hold, 1), said);
  const archived = { ...kind, archived: true };
  const spent = spendRefusal(memberWith(50, 0, kind), archived, realmOf(null), 1);
  assert.equal(spent, 'Points is archived: nothing can be moved.');
});

test('what is available may exceed what a number holds', () => {
  const kind = kindOf(-Number.MAX_SAFE_INTEGER);
  const rich = { ...memberWith(1, 0, kind), available: { points: '18014398509481983' } };
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(spendRefusal(rich as unknown as Member, kind, realmOf(null), most), null);
});
