import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { ProblemError } from '../../src/contract/problems.ts';
import { Load, type Share } from '../../src/http/load.ts';

/** How many requests the realm may begin before it is refused. */
function fill(load: Load, realmId: string | null): Share[] {
  const shares: Share[] = [];
  try {
    for (;;) shares.push(load.enter(realmId));
  } catch (error) {
    assert.ok(error instanceof ProblemError && error.code === 'overloaded');
    return shares;
  }
}

/** An answer of which the socket has not accepted so many bytes. */
const unsent = (bytes: number): ServerResponse =>
  Object.assign(new EventEmitter(), { socket: { writableLength: bytes } }) as never;

test('a realm is refused at its own bound, and others are not', () => {
  const load = new Load();
  const heavy = fill(load, 'heavy');
  assert.equal(heavy.length, 2_048);
  const light = load.enter('light');
  for (const share of [light, ...heavy]) load.leave(share);
  assert.deepEqual(load.all, { requests: 0, unsentBytes: 0 });
  assert.equal(fill(load, 'heavy').length, 2_048);
});

test('when all realms together are at the bound, each still has a reserve', () => {
  const load = new Load();
  assert.deepEqual([fill(load, 'a').length, fill(load, 'b').length], [2_048, 2_048]);
  assert.equal(fill(load, 'light').length, 64);
  assert.equal(fill(load, null).length, 64);
});

test('a realm whose callers do not read is refused until they have', () => {
  const load = new Load();
  const share = load.enter('heavy');
  const answers = Array.from({ length: 16 }, () => unsent(1024 * 1024));
  for (const answer of answers) load.countUnsent(share, answer);
  assert.equal(fill(load, 'heavy').length, 0);
  assert.throws(() => load.checkUnsent(share), ProblemError);
  load.checkUnsent(load.enter('light'));
  answers[0]?.emit('close');
  load.checkUnsent(share);
  for (const answer of answers.slice(1)) answer.emit('close');
  assert.equal(load.all.unsentBytes, 0);
});

test('realms of the past leave nothing behind', () => {
  const load = new Load();
  const busy = load.enter('busy');
  for (let n = 0; n < 25_000; n++) load.leave(load.enter(`realm-${n}`));
  assert.equal(load.enter('busy'), busy);
});
