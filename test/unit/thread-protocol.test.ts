import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Overloaded, ProjectionBehind } from '../../src/engine/ledger.ts';
import { failureOf, failureReply } from '../../src/store/threads/protocol.ts';

function acrossThreads(error: unknown): Error {
  const reply = JSON.parse(JSON.stringify(failureReply(1, error)));
  return failureOf(reply);
}

test('what passes is the same sort of failure in another thread, with its words', () => {
  for (const Kind of [Overloaded, ProjectionBehind]) {
    const there = acrossThreads(new Kind('too much'));
    assert.equal(there.constructor, Kind);
    assert.equal(there.message, 'too much');
  }
  const { toCaller } = acrossThreads(new ProjectionBehind('not yet')) as ProjectionBehind;
  assert.match(toCaller, /^Statements and boards are being made from the journal/);
});

test('a fault comes with the place where it happened', () => {
  const fault = acrossThreads(new TypeError('no such thing'));
  assert.equal(fault.constructor, Error);
  assert.match(fault.message, /^TypeError: no such thing\n {4}at .*thread-protocol\.test\.ts/);
  assert.equal(acrossThreads('just words').message, 'just words');
});
