import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InDoubt, Unavailable } from '../../src/engine/errors.ts';
import { failureOf, failureReply, Outbox, type Reply } from '../../src/store/threads/protocol.ts';

function acrossThreads(error: unknown): Error {
  const reply = JSON.parse(JSON.stringify(failureReply(1, error)));
  return failureOf(reply);
}

test('an Unavailable keeps its reason and message across threads', () => {
  for (const reason of ['overloaded', 'storage-full', 'projection-behind'] as const) {
    const there = acrossThreads(new Unavailable(reason, 'not now'));
    assert.ok(there instanceof Unavailable);
    assert.equal(there.reason, reason);
    assert.equal(there.message, 'not now');
  }
});

test('what the disk is to blame for is told from faults', () => {
  const sqlite = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode });
  const system = (code: string) => Object.assign(new Error('no space left'), { code });
  const errors: [Error, string][] = [
    // SQLITE_FULL, SQLITE_IOERR_SHMSIZE
    [sqlite(13), 'storage-full'],
    [sqlite(4_874), 'storage-full'],
    [system('ENOSPC'), 'storage-full'],
    [system('EDQUOT'), 'storage-full'],
    // SQLITE_READONLY_DBMOVED, SQLITE_IOERR_WRITE, SQLITE_CANTOPEN
    [sqlite(1_032), 'storage-unavailable'],
    [sqlite(778), 'storage-unavailable'],
    [sqlite(14), 'storage-unavailable'],
    [system('EROFS'), 'storage-unavailable'],
    // SQLITE_CORRUPT
    [sqlite(11), 'storage-damaged'],
  ];
  for (const [error, reason] of errors) {
    const there = acrossThreads(error);
    assert.ok(there instanceof Unavailable);
    assert.equal(there.reason, reason);
  }
  assert.ok(acrossThreads(new InDoubt('the disk failed')) instanceof InDoubt);
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
