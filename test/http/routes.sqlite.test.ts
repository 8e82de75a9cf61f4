import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { assertProblem } from '../support/checks.ts';
import {
  callerOf,
  goodRequests,
  isOpen,
  pathOf,
  prepare,
  sendGood,
  table,
} from '../support/requests.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';

/** Paths, methods and the ids of requests, which no database has to do with. */
const service = await serviceForFile();
const here = await prepare(service, 'here');

for (const [id, operation] of table) {
  test(`${id}: paths match exactly`, async () => {
    const path = pathOf(operation, here);
    const { body } = goodRequests[id];
    const wrong = [
      `${path}/`,
      `${path}/more/than/that`,
      path.replace('/v4/', '/v4//'),
      path.replace(/\/v4\/\w/, (start) => start.toUpperCase()),
      path.replace('/v4', '/v3'),
      path.slice('/api'.length),
      path.replace(/\/[^/]+$/, '/'),
    ];
    for (const other of wrong) {
      for (const key of [ROOT_KEY, null]) {
        const reply = await service.send(operation.method, other, { key, body });
        assertProblem(reply, 'not-found');
      }
    }
  });
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];

/** The methods of each path, including HEAD for every GET without a body. */
function methodsByPath(): Map<string, { operation: Operation; methods: Set<string> }> {
  const paths = new Map<string, { operation: Operation; methods: Set<string> }>();
  for (const [, operation] of table) {
    const known = paths.get(operation.path) ?? { operation, methods: new Set() };
    known.methods.add(operation.method);
    if (operation.method === 'GET' && !operation.body) known.methods.add('HEAD');
    paths.set(operation.path, known);
  }
  return paths;
}

for (const [path, { operation, methods }] of methodsByPath()) {
  test(`${path}: a wrong method is 405 with Allow, whatever the key and the body`, async () => {
    for (const method of new Set(METHODS).difference(methods)) {
      for (const key of [ROOT_KEY, null]) {
        for (const sent of [{}, { raw: '{', headers: { 'content-type': 'rubbish' } }]) {
          const reply = await service.send(method, pathOf(operation, here), { key, ...sent });
          assert.equal(reply.status, 405, `${method} ${reply.text}`);
          assert.equal(reply.headers.allow, [...methods].sort().join(', '));
          if (method !== 'HEAD') assertProblem(reply, 'method-not-allowed');
        }
      }
    }
  });
}

for (const [id, operation] of table) {
  if (isOpen(operation)) continue;
  test(`${id}: a valid request id is returned, another is replaced`, async () => {
    for (const given of ['abc-123', 'A.b_c:d+e/f='.repeat(10), '0']) {
      const headers = { 'x-request-id': given };
      const refused = await sendGood(id, here, { key: null, headers });
      assertProblem(refused, 'unauthorized', { requestId: given });
      if (!operation.body) continue;
      const { key, headers: own } = callerOf(operation, here);
      const caller = { ...(key === null && { key }), headers: { ...own, ...headers } };
      const malformed = await sendGood(id, here, { ...caller, raw: '{' });
      assertProblem(malformed, 'malformed-json', { requestId: given });
    }
    const insane = ['', ' ', 'two words', 'é', '"', '<script>', 'x'.repeat(129)];
    for (const given of [...insane, ['one', 'two']]) {
      const headers = { 'x-request-id': given };
      const refused = await sendGood(id, here, { key: null, headers });
      assertProblem(refused, 'unauthorized');
      assert.match(String(refused.headers['x-request-id']), /^[\w-]{5,64}$/);
    }
    const fresh = await Promise.all(
      Array.from({ length: 20 }, () => sendGood(id, here, { key: null })),
    );
    assert.equal(new Set(fresh.map((reply) => reply.headers['x-request-id'])).size, 20);
  });
}
