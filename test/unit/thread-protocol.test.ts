import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { failureOf, failureReply, Outbox, type Reply } from '../../src/store/threads/protocol.ts';

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

test('a reply that is longer than a string can be fails alone', () => {
  const posted: Reply[] = [];
  const outbox: Outbox<Reply> = new Outbox<Reply>({
    post: (text) => posted.push(...JSON.parse(text)),
    later: () => undefined,
    onUnsent: ({ id }, error) => outbox.push(failureReply(id, error)),
  });
  const long = 'x'.repeat(2 ** 28);
  outbox.push({ id: 1, value: 'short' });
  outbox.push({ id: 2, value: [long, long] });
  outbox.push({ id: 3, value: 'short, too' });
  outbox.flush();
  outbox.flush();
  assert.deepEqual(posted.slice(0, 2), [
    { id: 1, value: 'short' },
    { id: 3, value: 'short, too' },
  ]);
  const [, , failed] = posted;
  assert.ok(failed && failed.id === 2 && 'error' in failed);
  assert.match(failed.error, /Invalid string length/);
});
