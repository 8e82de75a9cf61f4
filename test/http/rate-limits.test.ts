import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKey } from '../../src/domain/key-format.ts';
import { assertProblem } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import { type Reply, serviceForFile, TestService } from '../support/service.ts';
import { dial, repliesOn, requestText } from '../support/sockets.ts';

/** Slow enough that a test sees what is left, whatever the machine does meanwhile. */
const LIMIT = { perSecond: 1, burst: 5 };
const WRONG_KEYS = { perSecond: 1, burst: 20 };

const service = await serviceForFile({ rateLimit: LIMIT });

/** How often each status was answered, and how many a limit allows in the time that it took. */
async function counted(
  count: number,
  send: () => Promise<Reply>,
  { perSecond, burst }: typeof LIMIT,
): Promise<{ replies: Map<number, Reply[]>; most: number }> {
  const startedAt = performance.now();
  const replies = await Promise.all(Array.from({ length: count }, send));
  const seconds = (performance.now() - startedAt) / 1_000;
  const most = burst + Math.ceil(seconds * perSecond);
  return { replies: Map.groupBy(replies, ({ status }) => status), most };
}

function assertRefused(reply: Reply | undefined): void {
  assert.ok(reply);
  assertProblem(reply, 'rate-limited');
  assert.equal(reply.headers['retry-after'], '1');
  assert.match(reply.json.message, /^Too many .*\. Try again in 1 second\.$/);
}

test('a key may make a burst of requests, and is told what is left', async () => {
  const realm = await service.realm('burst');
  const first = await realm.expect(200, 'GET', '');
  assert.equal(first.headers['ratelimit-policy'], '"default";q=5;w=5');
  assert.match(String(first.headers.ratelimit), /^"default";r=[34];t=1$/);
  const { replies, most } = await counted(40, () => realm.send('GET', ''), LIMIT);
  const allowed = replies.get(200)?.length ?? 0;
  assert.ok(allowed >= 3 && allowed <= most, `${allowed} of at most ${most}`);
  for (const refused of replies.get(429) ?? []) {
    assertRefused(refused);
    assert.equal(refused.headers.ratelimit, '"default";r=0;t=1');
    assert.equal(refused.headers['ratelimit-policy'], '"default";q=5;w=5');
  }
  assert.equal(allowed + (replies.get(429)?.length ?? 0), 40);
});

test('other keys of the realm and the root key are not limited by it', async () => {
  const realm = await service.realm('others');
  const { replies } = await counted(20, () => realm.send('GET', ''), LIMIT);
  assertRefused(replies.get(429)?.[0]);
  const other = await realm.issueKey(['read']);
  const reply = await realm.expect(200, 'GET', '', { key: other });
  assert.equal(reply.headers.ratelimit, '"default";r=4;t=1');
  for (let call = 0; call < 20; call++) {
    const byRoot = await service.expect(200, 'GET', realm.path(''));
    assert.equal(byRoot.headers.ratelimit, undefined);
  }
});

test('a refusal comes before 403 and 400, and before the body is read', async () => {
  const realm = await service.realm('early');
  const { replies } = await counted(20, () => realm.send('GET', ''), LIMIT);
  assertRefused(replies.get(429)?.[0]);
  const headers = { authorization: `Bearer ${realm.key}`, 'content-length': 1_000 };
  for (const path of [realm.path('/members'), '/api/v4/realms/another/members']) {
    // Few of them can be admitted meanwhile, and those that are wait for their body or get 403.
    const sockets = Array.from({ length: 10 }, () => dial(service));
    const answered = sockets.map(async (socket) => {
      socket.write(requestText('POST', path, headers));
      const [reply] = await repliesOn(socket, 1);
      return reply?.status === 429 ? reply : Promise.reject(new Error(reply?.text));
    });
    assertRefused(await Promise.any(answered));
    for (const socket of sockets) socket.destroy();
  }
});

test('a change of the realm’s setting takes effect on keys in use', async () => {
  const realm = await service.realm('changing');
  const policyIs = (policy: string): Promise<Reply> =>
    eventually(
      () => realm.send('GET', ''),
      ({ headers }) => headers['ratelimit-policy'] === policy,
    );
  const set = (rateLimit: object | null) =>
    service.expect(200, 'PATCH', realm.path(''), { body: { settings: { rateLimit } } });
  await policyIs('"default";q=5;w=5');
  await set({ perSecond: 100_000, burst: 250_000 });
  await policyIs('"default";q=250000;w=3');
  for (let call = 0; call < 30; call++) await realm.expect(200, 'GET', '');
  await set(null);
  await policyIs('"default";q=5;w=5');
});

test('wrong keys are limited by address; right keys from there are not', async () => {
  const guessed = await TestService.start({ rateLimit: { perSecond: 1_000, burst: 1_000 } });
  try {
    const realm = await guessed.realm('guessed');
    const unused = await realm.issueKey(['read']);
    const guess = () => guessed.send('GET', realm.path(''), { key: generateKey().key });
    const { replies, most } = await counted(60, guess, WRONG_KEYS);
    const heard = replies.get(401)?.length ?? 0;
    assert.ok(heard >= 20 && heard <= most, `${heard} of at most ${most}`);
    const refused = replies.get(429) ?? [];
    assert.equal(heard + refused.length, 60);
    assertRefused(refused[0]);
    assert.match(refused[0]?.json.detail, /^Too many wrong keys from this address\. /);
    for (const key of [realm.key, unused]) await realm.expect(200, 'GET', '', { key });
    await guessed.expect(200, 'GET', realm.path(''));
    const text = (await guessed.expect(200, 'GET', '/metrics')).text;
    const line = `realmkeep_problems_total{code="rate-limited"} ${refused.length}\n`;
    assert.ok(text.includes(line), line);
  } finally {
    await guessed.stop();
  }
});

test('what needs no key is not limited', async () => {
  const realm = await service.realm('open');
  const { replies } = await counted(20, () => realm.send('GET', ''), LIMIT);
  assertRefused(replies.get(429)?.[0]);
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
    for (let call = 0; call < 10; call++) {
      const { headers } = await service.expect(200, 'GET', path, { key: realm.key });
      assert.equal(headers.ratelimit, undefined);
    }
  }
  for (let call = 0; call < 40; call++) await realm.expect(401, 'GET', '', { key: null });
});

test('without a limit there are no headers', async () => {
  const unlimited = await TestService.start({ rateLimit: null });
  try {
    const realm = await unlimited.realm('free', { rateLimit: { perSecond: 1, burst: 1 } });
    for (let call = 0; call < 10; call++) {
      const { headers } = await realm.expect(200, 'GET', '');
      assert.equal(headers.ratelimit ?? headers['ratelimit-policy'], undefined);
    }
  } finally {
    await unlimited.stop();
  }
});

test('200 connections beyond their key’s rate cost the others nothing', async () => {
  const CONNECTIONS = 200;
  const crowded = await TestService.start({ rateLimit: { perSecond: 20, burst: 50 } });
  try {
    const loud = await crowded.realm('loud');
    const quiet = await crowded.realm('quiet', { rateLimit: { perSecond: 1_000, burst: 1_000 } });
    const startedAt = performance.now();
    const answers = new Map<number, number>();
    let isOver = false;
    const flood = Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver) {
        const { status } = await loud.send('GET', '');
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    });
    for (let call = 0; call < 200; call++) {
      await quiet.expect(200, 'GET', '');
      await crowded.expect(200, 'GET', '/healthz', { key: null });
    }
    isOver = true;
    await Promise.all(flood);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [served = 0, refused = 0] = [answers.get(200), answers.get(429)];
    assert.deepEqual([...answers.keys()].toSorted(), [200, 429]);
    assert.ok(served <= 50 + 20 * seconds + 1, `${served} served in ${seconds} s`);
    // Few refusals are sent at once, the others late.
    const most = 100 + 20 * seconds + CONNECTIONS * (4 * seconds + 2);
    assert.ok(refused <= most, `${refused} refused of at most ${most}`);
  } finally {
    await crowded.stop();
  }
});
