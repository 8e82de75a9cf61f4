import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { failureOf, failureReply } from '../../src/store/threads/protocol.ts';

function acrossThreads(error: unknown): Error {
  const reply = JSON.parse(JSON.stringify(failureReply(1, error)));
  return failureOf(reply);
}

test('an Unavailable keeps its reason and message across threads', () => {
  for (const reason of ['overloaded', 'storage-unavailable', 'projection-behind'] as const) {
    const there = acrossThreads(new Unavailable(reason, 'not now'));
    assert.ok(there instanceof Unavailable);
    assert.equal(there.reason, reason);
    assert.equal(there.message, 'not now');
  }
});

test('a fault comes with the place where it happened', () => {
  const fault = acrossThreads(new TypeError('no such thing'));
  assert.equal(fault.constructor, Error);
  assert.match(fault.message, /^TypeError: no such thing\n {4}at .*thread-protocol\.test\.ts/);
  assert.equal(acrossThreads('just words').message, 'just words');
});
