import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { problemCodes } from '../../scripts/openapi/problem-answers.ts';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { goodRequests, pathOf, prepare, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { converse, requestText } from '../support/sockets.ts';

/** Whether openapi.json names the refusals of requests that are too large or not JSON. */
const service = await serviceForFile();
const here = await prepare(service, 'here');
const authorization = `Bearer ${ROOT_KEY}`;
const MORE_THAN_ANY_BODY = 64 * 1024 * 1024 + 1;
const MORE_THAN_ANY_HEAD = 'x'.repeat(20_000);

const requests: Partial<Record<ProblemCode, [headers: Record<string, string>, body: string]>> = {
  'body-too-large': [
    { 'content-type': 'application/json', 'content-length': String(MORE_THAN_ANY_BODY) },
    '',
  ],
  'unsupported-media-type': [{ 'content-type': 'text/plain', 'content-length': '2' }, '{}'],
  'headers-too-large': [{ 'x-more': MORE_THAN_ANY_HEAD }, ''],
};

for (const [id, operation] of table) {
  // A key is refused before anything else.
  if (operation.ofPeople) continue;
  test(`${id}: openapi.json names 413, 415 and 431 exactly where they occur`, async () => {
    const path = `${pathOf(operation, here)}${goodRequests[id].query ?? ''}`;
    for (const [code, [headers, body]] of Object.entries(requests)) {
      const text = requestText(operation.method, path, { authorization, ...headers }, body);
      const [reply] = await converse(service, text, 1);
      assert.ok(reply, `${code} has no answer`);
      const isNamed = problemCodes(operation).includes(code as ProblemCode);
      assert.equal(reply.json?.code === code, isNamed, `${code}: ${reply.status} ${reply.text}`);
    }
  });
}

test('the caller of a refused body sees the answer', async () => {
  const healthz = requestText('GET', '/healthz');
  const body = 'x'.repeat(8 * 1024 * 1024);
  const lengths = [
    [{ 'content-length': body.length }, body],
    [{ 'transfer-encoding': 'chunked' }, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    [{ 'content-length': 1 }, '{'],
  ] as const;
  const statuses: (number | undefined)[][] = [];
  for (const [length, sent] of lengths) {
    const headers = { authorization, 'content-type': 'application/json', ...length };
    const request = requestText('POST', '/api/v4/realms', headers, sent);
    const replies = await converse(service, request + healthz, 2);
    statuses.push(replies.map(({ status }) => status));
  }
  assert.deepEqual(statuses, [
    [413, 200],
    // How much is still to come, nobody knows.
    [413],
    [400, 200],
  ]);
});

test('an answer before the end of a body in chunks says that its connection ends', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, body: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { method: 'POST', agent, headers: { authorization } };
      const outgoing = request(`${service.url}${path}`, options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      outgoing.on('error', reject);
      outgoing.setHeader('transfer-encoding', 'chunked');
      outgoing.end(body);
    });
  for (const size of [10, 1_000_000, 8_000_000]) {
    const body = Buffer.alloc(size, 'x');
    assert.deepEqual(
      [await send('/nowhere', body), await send('/api/v4/realms', body), await send('/', body)],
      [404, size > 10 ? 413 : 400, 405],
    );
  }
  agent.destroy();
});

test('of a caller without a key, no body is kept', async () => {
  const body = 'x'.repeat(2_000_000);
  const lengths = [
    [{ 'content-length': body.length }, body],
    [{ 'transfer-encoding': 'chunked' }, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ] as const;
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/']) {
    for (const [headers, sent] of lengths) {
      const request = requestText('GET', path, headers, sent) + requestText('GET', '/healthz');
      const replies = await converse(service, request, 2);
      const statuses = replies.map(({ status }) => status);
      // A connection may end with a body in chunks that nobody reads.
      const expected = 'transfer-encoding' in headers ? statuses.map(() => 200) : [200, 200];
      assert.deepEqual(statuses, expected, path);
    }
  }
});

test('a request to upgrade is answered as it stands, and ends its connection', async () => {
  const upgrade = requestText('GET', '/healthz', { connection: 'upgrade', upgrade: 'h2c' });
  const replies = await converse(service, upgrade + requestText('GET', '/healthz'), 2);
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.connection]),
    [[200, 'close']],
  );
});

test('a large file arrives whole', async () => {
  const [plain] = await converse(service, requestText('GET', '/docs/reference.js'), 1);
  assert.ok(plain && plain.text.length > 1_000_000);
  const zipped = await fetch(`${service.url}/docs/reference.js`);
  assert.equal(zipped.headers.get('content-encoding'), 'gzip');
  assert.equal(await zipped.text(), plain.text);
  const { headers } = await fetch(`${service.url}/docs/reference.js`, { method: 'HEAD' });
  assert.ok(Number(headers.get('content-length')) > 100_000);
});
