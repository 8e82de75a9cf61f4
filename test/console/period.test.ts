import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity, Transaction } from '../../client/src/index.ts';
import { daysOfWeeks, topReasons, weeksOf } from '../../console/text/period.ts';

const DAY_MS = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 16);

const daysFrom = (start: number, count: number): Activity['days'] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(start + index * DAY_MS).toISOString().slice(0, 10),
    ...{ issued: 1, spent: 0, records: 1, circulation: 1, members: 9 },
    ...{ activeMembers: 3, newMembers: 1, returningMembers: 2 },
  }));

test('weeks begin on a Monday, whatever day it is, and the last one is not over', () => {
  for (let day = 0; day < 7; day++) {
    const now = MONDAY + day * DAY_MS + 1;
    const count = daysOfWeeks(3, now);
    assert.equal(count, 15 + day);
    const weeks = weeksOf(daysFrom(MONDAY - 14 * DAY_MS, count));
    assert.deepEqual(weeks.at(-1), {
      from: MONDAY,
      newMembers: day + 1,
      returningMembers: 2 * (day + 1),
    });
    assert.deepEqual(weeks.length, 3);
    assert.deepEqual(weeks[0]?.newMembers, 7);
  }
});

test('reasons are told apart by what they did, without what was undone', () => {
  const move = (type: string, description: string | null, tokens: number, more: object = {}) =>
    ({
      type,
      description,
      tokens,
      reversedTokens: 0,
      counterpartyId: null,
      ...more,
    }) as Transaction;
  const movements = [
    move('points.added', 'Quest', 50),
    move('points.added', 'Quest', 20, { reversedTokens: 5 }),
    move('points.added', 'Mistake', 900, { reversedTokens: 900 }),
    move('points.added', null, 3),
    move('points.reversed', 'Mistake', -900),
    move('points.opened', 'Import', 4_000),
    move('points.transferred', 'Thanks', -70, { counterpartyId: '2' }),
    move('points.captured', 'Paid to a member', -60, { counterpartyId: '2' }),
    move('points.captured', 'Order', -8),
    move('offer.claimed', 'Daily', 10),
    move('offer.claimed', 'Hat', -40),
    move('offer.claimed', 'Hat', -40),
    move('claim.rejected', 'Hat', 40),
    move('claim.rejected', 'Daily', -4),
  ];
  assert.deepEqual(topReasons(movements, false), [
    { description: 'Quest', tokens: 65n },
    { description: 'Daily', tokens: 6n },
    { description: null, tokens: 3n },
  ]);
  assert.deepEqual(topReasons(movements, true), [
    { description: 'Hat', tokens: 40n },
    { description: 'Order', tokens: 8n },
  ]);
});
