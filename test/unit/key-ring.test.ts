import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ProblemError } from '../../src/contract/problems.ts';
import { generateKey, hashSecret } from '../../src/domain/key-format.ts';
import type { ApiKeyRow } from '../../src/domain/model.ts';
import { Unavailable } from '../../src/engine/errors.ts';
import type { Ledger } from '../../src/engine/ledger.ts';
import { KeyRing } from '../../src/http/key-ring.ts';

/** A key ring on a store that answers when the test says so, at a time that the test sets. */
function setUp(context: TestContext) {
  const clock = { now: 10_000 };
  context.mock.method(performance, 'now', () => clock.now);
  const { key, newKey } = generateKey();
  const row: ApiKeyRow = {
    ...newKey,
    realmId: 'acme',
    name: 'bot',
    scopes: ['read'],
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  };
  const lookUps: PromiseWithResolvers<ApiKeyRow | null>[] = [];
  const query = () => {
    const lookUp = Promise.withResolvers<ApiKeyRow | null>();
    lookUps.push(lookUp);
    return lookUp.promise;
  };
  const ring = new KeyRing({ query } as unknown as Ledger, hashSecret('the root key'));
  const answer = async (found: ApiKeyRow | null): Promise<void> => {
    lookUps.shift()?.resolve(found);
    await new Promise((next) => setImmediate(next));
  };
  /** Identifies the key, which has to be known already. */
  const identifyAtOnce = (): void => {
    const principal = ring.identify(key);
    assert.ok(!(principal instanceof Promise) && principal.realmId === 'acme');
  };
  const load = async (): Promise<void> => {
    const identified = ring.identify(key);
    assert.ok(identified instanceof Promise);
    await answer(row);
    assert.equal((await identified).realmId, 'acme');
  };
  return { clock, key, row, ring, lookUps, answer, identifyAtOnce, load };
}

test('a key in use is looked up every second, and its callers never wait', async (context) => {
  const { clock, row, lookUps, answer, identifyAtOnce, load } = setUp(context);
  await load();
  for (let second = 0; second < 5; second++) {
    clock.now += 1_000;
    identifyAtOnce();
    identifyAtOnce();
    assert.equal(lookUps.length, 1);
    clock.now += 50;
    identifyAtOnce();
    await answer(row);
  }
});

test('a key is refused as soon as a look-up finds it revoked', async (context) => {
  const { clock, key, row, ring, answer, identifyAtOnce, load } = setUp(context);
  await load();
  clock.now += 1_000;
  identifyAtOnce();
  await answer({ ...row, revokedAt: 1 });
  const refused = assert.rejects(ring.identify(key) as Promise<unknown>, ProblemError);
  await answer({ ...row, revokedAt: 1 });
  await refused;
});

test('a key is not admitted 1.8 seconds after the start of its last look-up', async (context) => {
  const { clock, key, ring, answer, row, identifyAtOnce, load } = setUp(context);
  await load();
  clock.now += 1_799;
  identifyAtOnce();
  clock.now += 1;
  const waiting = ring.identify(key);
  assert.ok(waiting instanceof Promise);
  // The look-up began a millisecond ago, so what it finds is still good.
  await answer(row);
  await waiting;
});

test('what a look-up found is not used if the look-up took too long', async (context) => {
  const { clock, key, ring, answer, row } = setUp(context);
  const waiting = ring.identify(key) as Promise<unknown>;
  const refused = assert.rejects(waiting, Unavailable);
  clock.now += 1_800;
  await answer(row);
  await refused;
});

test('made-up keys are refused beyond a bound, and a key in use is not', async (context) => {
  const { clock, ring, identifyAtOnce, load } = setUp(context);
  await load();
  for (let count = 0; count < 1_000; count++) {
    assert.ok(ring.identify(generateKey().key) instanceof Promise);
  }
  assert.throws(() => ring.identify(generateKey().key), Unavailable);
  clock.now += 1_500;
  identifyAtOnce();
});
