import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusiestRealms } from '../../src/http/request-counters.ts';

const MINUTE = 60_000;
const MAX_REALMS = 50;

/** All requests that are counted by realm, those of other realms as `_other`. */
const countsOf = (realms: BusiestRealms, now: number): Record<string, number> =>
  Object.fromEntries(
    realms.read(now).map(({ realm, byClass }) => [realm, byClass.reduce((sum, one) => sum + one)]),
  );

function request(realms: BusiestRealms, realmId: string, times = 1): void {
  for (let time = 0; time < times; time++) realms.add(realmId, 200);
}

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

test('the number of series is bounded, and every request is in one of them', () => {
  const realms = new BusiestRealms();
  for (let index = 0; index < 20_000; index++) request(realms, `realm-${index}`);
  const counts = countsOf(realms, 0);
  assert.equal(Object.keys(counts).length, MAX_REALMS + 1);
  assert.equal(sumOf(counts), 20_000);
  for (let index = 0; index < 20_000; index++) request(realms, `realm-${index}`);
  assert.equal(countsOf(realms, 1)._other, 40_000 - MAX_REALMS);
});

test('the series of a realm begins at 0, and nothing is counted twice', () => {
  const realms = new BusiestRealms();
  request(realms, 'acme', 3);
  assert.deepEqual(countsOf(realms, 0), { acme: 0, _other: 3 });
  request(realms, 'acme', 4);
  request(realms, 'zeta');
  assert.deepEqual(countsOf(realms, 1), { acme: 4, zeta: 0, _other: 4 });
  request(realms, 'zeta');
  assert.deepEqual(countsOf(realms, MINUTE), { acme: 4, zeta: 1, _other: 4 });
});

test('a realm that becomes busy gets series of its own, in the place of the idlest', () => {
  const realms = new BusiestRealms();
  for (let index = 0; index < MAX_REALMS; index++) request(realms, `early-${index}`, index + 10);
  countsOf(realms, 0);
  request(realms, 'late', 21);
  const before = countsOf(realms, MINUTE - 1);
  assert.deepEqual([before['early-0'], before.late], [0, undefined]);
  const after = countsOf(realms, MINUTE);
  assert.deepEqual([after.late, after['early-0']], [0, 0]);
  assert.equal(after._other, before._other);
  request(realms, 'late');
  const later = countsOf(realms, MINUTE + 1);
  assert.deepEqual([later.late, later['early-0']], [1, undefined]);
  assert.equal(Object.keys(later).length, MAX_REALMS + 1);
});

test('realms that are about as busy keep their places, and so does one that pauses', () => {
  const realms = new BusiestRealms();
  for (let index = 0; index < MAX_REALMS; index++) request(realms, `early-${index}`, 10);
  countsOf(realms, 0);
  request(realms, 'late', 20);
  countsOf(realms, MINUTE);
  for (let index = 1; index < MAX_REALMS; index++) request(realms, `early-${index}`, 10);
  request(realms, 'late', 10);
  countsOf(realms, 2 * MINUTE);
  assert.equal(countsOf(realms, 2 * MINUTE)['early-0'], 0);
});

test('no series ever decreases, and all together grow by every request', () => {
  const realms = new BusiestRealms();
  let last: Record<string, number> = countsOf(realms, 0);
  let grown = 0;
  let sent = 0;
  for (let minute = 1; minute <= 30; minute++) {
    for (let index = 0; index < 80; index++) {
      const times = (index * 7 + minute * 13) % 29;
      request(realms, `realm-${index}`, times);
      sent += times;
    }
    const counts = countsOf(realms, minute * MINUTE);
    for (const [realm, count] of Object.entries(counts)) {
      // As Prometheus sees it: what a series begins with is no increase.
      const before = last[realm] ?? count;
      assert.ok(count >= before, `${realm} fell from ${before} to ${count}`);
      grown += count - before;
    }
    last = Object.fromEntries(Object.entries(counts));
  }
  assert.equal(grown, sent);
  assert.ok(sumOf(last) <= sent);
});
