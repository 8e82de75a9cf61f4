import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Auditor } from '../../src/domain/rules/audit.ts';
import { GENESIS, seal, type UnsealedRecord } from '../../src/domain/rules/journal.ts';

const AMOUNT = { memberId: '1', realmPointId: 'points' };
const START: [type: string, data: object][] = [
  ['points.added', { ...AMOUNT, tokens: 100, newBalance: 100 }],
  ['points.held', { ...AMOUNT, tokens: 50, expiresAt: '2026-11-18T12:00:00.000Z' }],
  ['points.captured', { ...AMOUNT, holdId: 2, tokens: 30, newBalance: 70 }],
];

/** The fault of a journal, all of whose hashes and balances are right. */
function faultOf(...rest: [type: string, data: object][]): string | null {
  const unsealed = [...START, ...rest].map(
    ([type, data], index) => ({ seq: index + 1, type, data, actor: 'x', salt: null }) as unknown,
  ) as UnsealedRecord[];
  const auditor = new Auditor('acme');
  for (const record of seal('acme', GENESIS, 1e12, unsealed)) {
    const fault = auditor.checkRecord(record);
    if (fault) return fault.detail;
  }
  return null;
}

const capture = (tokens: number, newBalance: number, more: object = {}): [string, object] => [
  'points.captured',
  { ...AMOUNT, holdId: 2, tokens, newBalance, ...more },
];
const release = (tokens: number, holdId = 2): [string, object] => [
  'points.released',
  { ...AMOUNT, holdId, tokens },
];

test('a hold gives what it has, in parts, until it ends', () => {
  assert.equal(faultOf(capture(20, 50)), null);
  assert.equal(faultOf(release(20)), null);
  assert.equal(faultOf(capture(5, 65), release(15)), null);
});

test('a capture beyond its hold is a fault of the journal', () => {
  assert.equal(faultOf(capture(21, 49)), 'record 4 takes 21 of hold 2, which has 20 left');
  assert.equal(
    faultOf(capture(20, 50), capture(1, 49)),
    'record 5 is about hold 2, which is not open',
  );
});

test('so is one of a hold that ended, of another member or of none', () => {
  const notOpen = (seq: number, id: number) =>
    `record ${seq} is about hold ${id}, which is not open`;
  assert.equal(faultOf(release(20), capture(1, 69)), notOpen(5, 2));
  assert.equal(faultOf(release(20), release(20)), notOpen(5, 2));
  assert.equal(faultOf(release(1)), 'record 4 takes 1 of hold 2, which has 20 left');
  assert.equal(faultOf(release(20, 1)), notOpen(4, 1));
  assert.equal(faultOf(capture(1, -1, { memberId: '2' })), notOpen(4, 2));
});
