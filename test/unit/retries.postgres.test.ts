import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Unavailable } from '../../src/ledger/errors.ts';
import { assertRetryable } from '../../src/store/postgres/batch-writer.ts';
import { ConnectionLost } from '../../src/store/postgres/errors.ts';

const deadlock = Object.assign(new Error('deadlock'), { code: '40P01' });
const lost = new ConnectionLost('cut');
const syntax = Object.assign(new Error('syntax'), { code: '42601' });
const ENOUGH_MS = 10;
const TOO_LONG_MS = 6_000;

test('what may be over is tried again, a few times', () => {
  for (const cause of [deadlock, lost]) {
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
  assert.equal(reasonOf(deadlock), 'overloaded');
  assert.equal(reasonOf(lost), 'storage-unavailable');
});
