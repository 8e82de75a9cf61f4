import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamLimits } from '../../src/http/stream-limits.ts';

const LIMITS = { key: 3, realm: 5, all: 12, reserved: 2 };

/** Opens streams until one is refused; returns how many there were, and why. */
function fill(limits: StreamLimits, realmId: string, keyId: string | null) {
  for (let count = 0; ; count++) {
    try {
      limits.enter(realmId, keyId);
    } catch (error) {
      return [count, (error as { code: string }).code];
    }
  }
}

test('a key has a limit, and so have all keys of a realm together', () => {
  const limits = new StreamLimits(LIMITS);
  assert.deepEqual(fill(limits, 'acme', 'a'), [3, 'rate-limited']);
  assert.deepEqual(fill(limits, 'acme', 'b'), [2, 'overloaded']);
  assert.deepEqual(fill(limits, 'acme', null), [0, 'overloaded'], 'those of the root key, too');
  assert.deepEqual(fill(limits, 'other', 'c'), [3, 'rate-limited']);
});

test('when all realms together are at the limit, each still has a reserve', () => {
  const limits = new StreamLimits(LIMITS);
  for (const realmId of ['a', 'b', 'c']) fill(limits, realmId, null);
  assert.deepEqual(fill(limits, 'light', 'key'), [2, 'overloaded']);
});

test('what is closed does not count, and leaves nothing behind', () => {
  const limits = new StreamLimits(LIMITS);
  for (let count = 0; count < 20; count++) {
    const leave = ['a', 'b', 'a'].map((keyId) => limits.enter('acme', keyId));
    for (const each of leave) each();
  }
  assert.deepEqual(fill(limits, 'acme', null), [5, 'overloaded']);
});
