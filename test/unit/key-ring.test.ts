import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../../src/contract/problems.ts';
import { generateKey, hashSecret } from '../../src/domain/key-format.ts';
import type { RateLimit } from '../../src/domain/model.ts';
import type { LimitedKey } from '../../src/domain/queries.ts';
import { KeyRing, type Principal } from '../../src/http/key-ring.ts';
import { ClientNetworks, WrongKeys } from '../../src/http/rate-limits.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

const ROOT_KEY = 'the root key';
const RATE_LIMITED = { code: 'rate-limited' };
const request = requestFrom('192.0.2.1');

function requestFrom(address: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return new IncomingMessage(socket);
}

/** A key ring on a store that answers when the test says so, at a time that the test sets. */
function setUp(context: TestContext, perKey: RateLimit | null = null) {
  const clock = { now: 10_000 };
  context.mock.method(performance, 'now', () => clock.now);
  const { key, newKey } = generateKey();
  const row: LimitedKey = {
    ...newKey,
    realmId: 'acme',
    name: 'bot',
    scopes: ['read'],
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
    rateLimit: null,
  };
  const lookUps: PromiseWithResolvers<LimitedKey | null>[] = [];
  const query = () => {
    const lookUp = Promise.withResolvers<LimitedKey | null>();
    lookUps.push(lookUp);
    return lookUp.promise;
  };
  const uses: string[] = [];
  const recordKeyUse = async (used: { uses: { keyId: string }[] }) => {
    uses.push(...used.uses.map(({ keyId }) => keyId));
  };
  const limits = perKey && { perKey, wrongKeys: new WrongKeys(new ClientNetworks([])) };
  const ledger = { query, housekeeping: { recordKeyUse } } as unknown as Ledger;
  const ring = new KeyRing(ledger, hashSecret(ROOT_KEY), limits);
  const answer = async (found: LimitedKey | null): Promise<void> => {
    lookUps.shift()?.resolve(found);
    await new Promise((next) => setImmediate(next));
  };
  /** Identifies the key, which has to be known already. */
  const identifyAtOnce = async (): Promise<void> => {
    const before = lookUps.length;
    const principal = await ring.identify(key, request);
    assert.equal(principal.realmId, 'acme');
    // The next time, not even its hash is needed.
    assert.ok(!(ring.identify(key, request) instanceof Promise));
    assert.ok(lookUps.length <= before + 1);
  };
  const load = async (): Promise<void> => {
    const identified = ring.identify(key, request);
    assert.ok(identified instanceof Promise);
    await answer(row);
    assert.equal((await identified).realmId, 'acme');
  };
  return { clock, key, row, ring, lookUps, uses, answer, identifyAtOnce, load };
}

test('a key in use is looked up every second, and its callers never wait', async (context) => {
  const { clock, row, lookUps, answer, identifyAtOnce, load } = setUp(context);
  await load();
  for (let second = 0; second < 5; second++) {
    clock.now += 1_000;
    await identifyAtOnce();
    await identifyAtOnce();
    assert.equal(lookUps.length, 1);
    clock.now += 50;
    await identifyAtOnce();
    await answer(row);
  }
});

test('a key is refused as soon as a look-up finds it revoked', async (context) => {
  const { clock, key, row, ring, answer, identifyAtOnce, load } = setUp(context);
  await load();
  clock.now += 1_000;
  await identifyAtOnce();
  await answer({ ...row, revokedAt: 1 });
  const refused = assert.rejects(ring.identify(key, request) as Promise<unknown>, ProblemError);
  await answer({ ...row, revokedAt: 1 });
  await refused;
});

test('a key is not admitted 1.8 seconds after the start of its last look-up', async (context) => {
  const { clock, key, ring, answer, row, identifyAtOnce, load } = setUp(context);
  await load();
  clock.now += 1_799;
  await identifyAtOnce();
  clock.now += 1;
  const waiting = ring.identify(key, request);
  assert.ok(waiting instanceof Promise);
  // The look-up began a millisecond ago, so what it finds is still good.
  await answer(row);
  await waiting;
});

test('what a look-up found is not used if the look-up took too long', async (context) => {
  const { clock, key, ring, answer, row } = setUp(context);
  const waiting = ring.identify(key, request) as Promise<unknown>;
  const refused = assert.rejects(waiting, Unavailable);
  clock.now += 1_800;
  await answer(row);
  await refused;
});

test('a look-up that began before its realm was deleted is not cached', async (context) => {
  const { key, row, ring, answer } = setUp(context);
  const first = ring.identify(key, request);
  ring.forgetAll();
  await answer(row);
  await first;
  const second = ring.identify(key, request);
  assert.ok(second instanceof Promise);
  const refused = assert.rejects(second, ProblemError);
  await answer(null);
  await refused;
});

test('made-up keys do not keep out a key in use', async (context) => {
  const { clock, ring, identifyAtOnce, load } = setUp(context);
  await load();
  for (let count = 0; count < 2_000; count++) {
    assert.ok(ring.identify(generateKey().key, request) instanceof Promise);
  }
  clock.now += 1_500;
  await identifyAtOnce();
});

const LIMIT = { perSecond: 10, burst: 30 };
const WRONG_KEYS = 20;

/** The headers of a reply, as far as a limit adds any. */
function count(principal: Principal, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const reply = { header: (name: string, value: string) => (headers[name] = value) };
  principal.limit?.count(now, reply as unknown as FastifyReply);
  return headers;
}

test('a key has the requests that its bucket holds, and regains them', async (context) => {
  const { clock, key, row, ring, answer } = setUp(context, LIMIT);
  const identified = ring.identify(key, request);
  await answer(row);
  const principal = await identified;
  for (let left = 29; left >= 0; left--) {
    assert.deepEqual(count(principal, clock.now), {
      'ratelimit-policy': '"default";q=30;w=3',
      ratelimit: `"default";r=${left};t=1`,
    });
  }
  assert.throws(() => count(principal, clock.now), RATE_LIMITED);
  assert.throws(() => count(principal, clock.now + 99), RATE_LIMITED);
  // A request that began earlier takes nothing back.
  assert.throws(() => count(principal, clock.now), RATE_LIMITED);
  assert.equal(count(principal, clock.now + 100).ratelimit, '"default";r=0;t=1');
  assert.equal(count(principal, clock.now + 60_000).ratelimit, '"default";r=29;t=1');
});

test('a key keeps its bucket, and follows the limit of its realm', async (context) => {
  const { clock, key, row, ring, answer } = setUp(context, LIMIT);
  const lookedUp = async (rateLimit: RateLimit | null): Promise<Principal> => {
    clock.now += 2_000;
    const identified = ring.identify(key, request);
    await answer({ ...row, rateLimit });
    return identified;
  };
  const first = await lookedUp({ perSecond: 1, burst: 9 });
  for (let left = 8; left >= 0; left--) count(first, clock.now);
  const second = await lookedUp({ perSecond: 1, burst: 9 });
  assert.equal(count(second, clock.now).ratelimit, '"default";r=1;t=1');
  const third = await lookedUp({ perSecond: 1, burst: 2 });
  assert.equal(count(third, clock.now)['ratelimit-policy'], '"default";q=2;w=2');
  const fourth = await lookedUp(null);
  assert.equal(count(fourth, clock.now)['ratelimit-policy'], '"default";q=30;w=3');
});

test('an address that has sent too many wrong keys does not find the root key', async (context) => {
  const { clock, ring } = setUp(context, LIMIT);
  const guess = async (key: string, from = request) => ring.identify(key, from);
  for (let at = 0; at < WRONG_KEYS; at++) {
    await assert.rejects(guess(`guess ${at}`), { code: 'unauthorized' });
  }
  await assert.rejects(guess('another guess'), RATE_LIMITED);
  await assert.rejects(guess(ROOT_KEY), RATE_LIMITED);
  const elsewhere = requestFrom('192.0.2.2');
  assert.equal(await guess(ROOT_KEY, elsewhere), await guess(ROOT_KEY, elsewhere));
  clock.now += 1_000;
  await assert.rejects(guess('one more a second'), { code: 'unauthorized' });
  await assert.rejects(guess(ROOT_KEY), RATE_LIMITED);
});

test('where the root key is in use, wrong keys cannot lock it out', async (context) => {
  const { ring } = setUp(context, LIMIT);
  const wrong = async () => ring.identify('wrong', request);
  await ring.identify(ROOT_KEY, request);
  for (let at = 0; at < 1_000; at++) await assert.rejects(wrong());
  await assert.rejects(wrong(), RATE_LIMITED);
  await ring.identify(ROOT_KEY, request);
});

test('the addresses of wrong keys are remembered within bounds', async (context) => {
  const { ring } = setUp(context, LIMIT);
  const guessFrom = async (address: string) => ring.identify('wrong', requestFrom(address));
  const exhaust = async (address: string): Promise<void> => {
    for (let at = 0; at < WRONG_KEYS; at++) await assert.rejects(guessFrom(address));
    await assert.rejects(guessFrom(address), RATE_LIMITED);
  };
  await exhaust('2001:db8::1');
  await assert.rejects(guessFrom('2001:db8::ffff:2'), RATE_LIMITED);
  await assert.rejects(guessFrom('2001:db8:0:1::1'), { code: 'unauthorized' });
  for (let at = 0; at < 10_000; at++) {
    const address = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    await assert.rejects(guessFrom(address), { code: 'unauthorized' });
  }
  // Forgotten, as the one that had been quiet for longest.
  await assert.rejects(guessFrom('2001:db8::1'), { code: 'unauthorized' });
});

test('to ask whom a session acts for is no use of its key', async (context) => {
  const { row, ring, uses, answer } = setUp(context);
  const asked = ring.principalOf(row.id);
  await answer(row);
  const principal = await asked;
  await ring.saveUses();
  assert.deepEqual(uses, []);
  ring.countUse(principal ?? assert.fail('the key is valid'));
  await ring.saveUses();
  assert.deepEqual(uses, [row.id]);
});
