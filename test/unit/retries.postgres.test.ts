import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unavailable } from '../../src/engine/errors.ts';
import { ConnectionLost, StaleCache } from '../../src/store/postgres/errors.ts';
import { assertRetryable } from '../../src/store/postgres/retries.ts';

const stale = new StaleCache('another node wrote');
const deadlock = Object.assign(new Error('deadlock'), { code: '40P01' });
const lost = new ConnectionLost('cut');
const syntax = Object.assign(new Error('syntax'), { code: '42601' });
const ENOUGH_MS = 10;
const TOO_LONG_MS = 6_000;

test('what may be over is tried again, a few times', () => {
  for (const cause of [stale, deadlock, lost]) {
    for (const failures of [1, 2, 3]) assertRetryable(cause, failures, ENOUGH_MS);
    assert.throws(() => assertRetryable(cause, 4, ENOUGH_MS));
  }
  assert.throws(() => assertRetryable(syntax, 1, ENOUGH_MS), syntax);
});

test('a batch that has no time left is not at fault, and its callers may try again', () => {
  const reasonOf = (cause: unknown): string => {
    try {
      assertRetryable(cause, 1, TOO_LONG_MS);
    } catch (error) {
      return (error as Unavailable).reason;
    }
    return 'none';
  };
  assert.equal(reasonOf(stale), 'overloaded');
  assert.equal(reasonOf(deadlock), 'overloaded');
  assert.equal(reasonOf(lost), 'storage-unavailable');
});
