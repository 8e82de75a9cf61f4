/** Two nodes behind each proxy, with the configuration that deploy/ has for it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ROOT_KEY, type TestRealm, TestService } from '../support/service.ts';
import { missing, ReverseProxy } from './reverse-proxy.ts';

const MIB = 1024 * 1024;
const proxies = {
  nginx: { start: ReverseProxy.nginx, skip: missing('nginx', '-v') },
  caddy: { start: ReverseProxy.caddy, skip: missing('caddy', 'version') },
};

interface Setup {
  proxy: ReverseProxy;
  nodes: [TestService, TestService];
  realm: TestRealm;
}

async function setUp(t: TestContext, start: typeof ReverseProxy.nginx): Promise<Setup> {
  // So that wrong keys are limited.
  const settings = {
    trustedProxies: ['127.0.0.1'],
    rateLimit: { perSecond: 100_000, burst: 100_000 },
  };
  const first = await TestService.start(settings);
  t.after(() => first.stop());
  const second = await TestService.start(settings, {}, first.database);
  t.after(() => second.stop());
  const proxy = await start([new URL(first.url).host, new URL(second.url).host]);
  t.after(() => proxy.stop());
  const realm = await first.realm('acme');
  await realm.member('42');
  return { proxy, nodes: [first, second], realm };
}

const requestsOf = (node: TestService): number =>
  node.logs.filter((line) => JSON.parse(line).route?.includes('tokenBalance')).length;

/** Every event arrives while its stream is open, whichever node wrote it. */
async function streams({ proxy, nodes, realm }: Setup): Promise<void> {
  const lines = proxy.stream(realm.path('/events?after=3'), realm.key);
  for (let tokens = 1; tokens <= 4; tokens += 1) {
    const path = realm.path('/members/42/tokenBalance');
    const answer = await proxy.send('PATCH', path, {
      key: realm.key,
      body: JSON.stringify({ tokens }),
    });
    assert.equal(answer.status, 200, answer.text);
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, 'the stream has ended');
      if (value.startsWith('data:') && value.includes(`"tokens":${tokens},`)) break;
    }
  }
  await lines.return(undefined);
  for (const node of nodes) assert.ok(requestsOf(node) > 0, 'a node got no calls');
}

/** A list of one wallet, with blanks up to the length. */
const checkOf = (length: number): string =>
  '{ "wallets": ["nobody"] }'.replace(' ', ' '.repeat(length - 24));

async function passesBodies({ proxy, realm }: Setup): Promise<void> {
  const path = realm.path('/members/includes');
  for (const method of ['GET', 'QUERY', 'POST']) {
    const answer = await proxy.send(method, path, { key: realm.key, body: checkOf(100) });
    assert.equal(answer.status, 200, `${method}: ${answer.text}`);
  }
  const largest = await proxy.send('POST', path, { key: realm.key, body: checkOf(MIB) });
  assert.equal(largest.status, 200, largest.text);
}

/** Wrong keys are counted for whoever sends them, whatever address they claim to come from. */
async function tellsCallersApart({ proxy, realm }: Setup): Promise<void> {
  const guess = (from: string, claimed: string) =>
    proxy.send('GET', realm.path(''), {
      key: 'wrong',
      from,
      headers: { 'x-forwarded-for': claimed },
    });
  const guesses = Array.from({ length: 100 }, (_, at) => guess('127.0.0.2', `10.0.0.${at}`));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.ok(statuses.includes(429), 'wrong keys were not limited');
  assert.equal((await guess('127.0.0.3', '127.0.0.2')).status, 401);
}

async function saysHttps({ proxy }: Setup): Promise<void> {
  const { headers } = await proxy.send('POST', '/api/v4/sessions', { key: ROOT_KEY });
  assert.match(String(headers['set-cookie']), /; Secure/);
}

/** Calls fail for a moment at most; the test's timeout is the limit. */
async function passesOverAStoppedNode({ proxy, nodes, realm }: Setup): Promise<void> {
  await nodes[1].down();
  for (let inARow = 0; inARow < 6; ) {
    const path = realm.path('/members/42/tokenBalance');
    const answer = await proxy.send('PATCH', path, { key: realm.key, body: '{"tokens":1}' });
    inARow = answer.status === 200 ? inARow + 1 : 0;
  }
}

for (const [name, { start, skip }] of Object.entries(proxies)) {
  test(`deploy/ for ${name}`, { skip, timeout: 60_000 }, async (t) => {
    const setup = await setUp(t, start);
    await t.test('sends each event of a stream on at once', () => streams(setup));
    await t.test('passes bodies up to the limits of the service', () => passesBodies(setup));
    await t.test('reports the address of the caller', () => tellsCallersApart(setup));
    await t.test('reports https', () => saysHttps(setup));
    await t.test('passes over a node that is down', () => passesOverAStoppedNode(setup));
  });
}
