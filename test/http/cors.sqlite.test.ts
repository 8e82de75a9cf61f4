import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Config } from '../../src/config/config.ts';
import { type Reply, TestService } from '../support/service.ts';

const ORIGIN = 'https://acme.example';
const OTHER = 'https://evil.example';
const PATH = '/api/v4/realms/acme/members/1/transfer';

/** The CORS headers of a reply. */
const corsOf = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(access-control-|vary$)/.test(name)),
  );

function preflight(service: TestService, origin: string, path = PATH): Promise<Reply> {
  const headers = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type,idempotency-key,x-request-id',
  };
  return service.send('OPTIONS', path, { key: null, headers });
}

function serviceWith(corsOrigins: Config['corsOrigins']): () => TestService {
  let service: TestService | null = null;
  before(async () => {
    service = await TestService.start({ corsOrigins, rateLimit: { perSecond: 1, burst: 3 } });
  });
  after(() => service?.stop());
  return () => service as TestService;
}

const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, Traceparent, ' +
  'X-Realmkeep-On-Behalf-Of, X-Request-Id';

describe('with some origins', () => {
  const service = serviceWith(['http://localhost:5173', ORIGIN]);

  test('a preflight is answered without a key, on every path', async () => {
    for (const path of [PATH, '/api/v4/realms', '/healthz', '/nowhere']) {
      const reply = await preflight(service(), ORIGIN, path);
      assert.deepEqual([reply.status, reply.text], [204, '']);
      const { 'access-control-expose-headers': _exposed, ...rest } = corsOf(reply);
      assert.deepEqual(rest, {
        vary: 'Origin',
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY',
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': '7200',
      });
    }
  });

  test('a preflight of another origin allows nothing', async () => {
    for (const origin of [OTHER, 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()]) {
      const reply = await preflight(service(), origin);
      assert.equal(reply.status, 204);
      assert.deepEqual(corsOf(reply), { vary: 'Origin' });
    }
  });

  test('pages of the origin can read every answer, also refusals', async () => {
    const realm = await service().realm('acme');
    const headers = { origin: ORIGIN };
    const replies = [
      await realm.send('GET', '', { headers }),
      await realm.send('GET', '', { headers, key: null }),
      await realm.send('GET', '/nowhere', { headers }),
      await realm.send('PUT', '', { headers }),
      await realm.send('PATCH', '', { headers, raw: '{' }),
      await service().send('GET', '/%ff', { headers }),
      await service().send('GET', `/${'x'.repeat(17_000)}`, { headers }),
      ...(await Promise.all(Array.from({ length: 5 }, () => realm.send('GET', '', { headers })))),
    ];
    const statuses = new Set(replies.map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted(), [200, 400, 401, 404, 405, 429, 431]);
    for (const reply of replies) {
      const { 'access-control-expose-headers': exposed, ...rest } = corsOf(reply);
      assert.deepEqual(rest, { vary: 'Origin', 'access-control-allow-origin': ORIGIN });
      for (const name of ['Idempotent-Replayed', 'RateLimit', 'Retry-After', 'X-Request-Id']) {
        assert.ok(String(exposed).split(', ').includes(name), name);
      }
    }
  });

  test('other callers get no permission, and caches tell origins apart', async () => {
    for (const headers of [{}, { origin: OTHER }]) {
      const reply = await service().expect(200, 'GET', '/healthz', { headers });
      assert.deepEqual(corsOf(reply), { vary: 'Origin' });
    }
  });

  test('OPTIONS that is no preflight is still 405', async () => {
    const reply = await service().send('OPTIONS', PATH, { headers: { origin: ORIGIN } });
    assert.equal(reply.status, 405);
  });
});

describe('with any origin', () => {
  const service = serviceWith('*');

  test('every origin is allowed, without credentials', async () => {
    for (const origin of [ORIGIN, OTHER, 'null']) {
      const asked = corsOf(await preflight(service(), origin));
      assert.equal(asked['access-control-allow-origin'], '*');
      const reply = await service().expect(200, 'GET', '/healthz', { headers: { origin } });
      const { 'access-control-expose-headers': _exposed, ...rest } = corsOf(reply);
      assert.deepEqual(rest, { 'access-control-allow-origin': '*' });
    }
  });
});

describe('by default', () => {
  const service = serviceWith(null);

  test('no page may call the service', async () => {
    assert.equal((await preflight(service(), ORIGIN)).status, 405);
    const reply = await service().expect(200, 'GET', '/healthz', { headers: { origin: ORIGIN } });
    assert.deepEqual(corsOf(reply), {});
  });
});
