import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InDoubt, Unavailable } from '../../src/ledger/errors.ts';
import { toDomainError } from '../../src/store/sqlite/errors.ts';
import { failureOf, failureReply } from '../../src/store/threads/thread.ts';

function acrossThreads(error: unknown): Error {
  const reply = JSON.parse(JSON.stringify(failureReply(1, toDomainError(error))));
  return failureOf(reply);
}

test('an Unavailable keeps its reason and message across threads', () => {
  for (const reason of ['overloaded', 'storage-full', 'storage-damaged'] as const) {
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
  assert.match(fault.message, /^TypeError: no such thing\n {4}at .*thread-protocol\.sqlite/);
  assert.equal(acrossThreads('just words').message, 'just words');
});
