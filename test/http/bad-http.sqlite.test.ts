import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { type Reply, ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { announce, converse, dial, repliesOn, requestText } from '../support/sockets.ts';

/** Raw bytes on a socket, which no HTTP client would send. */
const service = await serviceForFile();
const auth = { authorization: ROOT_KEY };
const BODY = '{"tokens":5}';
const json = { ...auth, 'content-type': 'application/json' };

async function withMember(id: string): Promise<{ realm: TestRealm; path: string }> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  return { realm, path: realm.path('/members/1/tokenBalance') };
}

/** One reply to the bytes. */
async function ask(bytes: string | Buffer): Promise<Reply> {
  const [reply] = await converse(service, bytes, 1);
  if (!reply) throw new Error('the service closed the connection without an answer');
  return reply;
}

test('what is not HTTP is answered with a problem', async () => {
  const { realm, path } = await withMember('no-http');
  const rubbish: [bytes: string, code: ProblemCode][] = [
    ['rubbish\r\n\r\n', 'invalid-request'],
    ['GET\r\n\r\n', 'invalid-request'],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'invalid-request'],
    [requestText('GET', '/a b', auth), 'invalid-request'],
    [requestText('FETCH', path, auth), 'invalid-request'],
    [`GET ${path} HTTP/9.9\r\nhost: x\r\n\r\n`, 'invalid-request'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid-request'],
    [requestText('PATCH', path, { ...json, 'content-length': '-1' }, BODY), 'invalid-request'],
    [requestText('PATCH', path, { ...json, 'content-length': 'ten' }, BODY), 'invalid-request'],
    [requestText('PATCH', path, { ...json, 'transfer-encoding': 'gzip' }, BODY), 'invalid-request'],
    [`GET ${path} HTTP/1.1\r\nhost: x\r\nname\r\n\r\n`, 'invalid-request'],
    [`GET ${path} HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n`, 'invalid-request'],
    [`GET ${path} HTTP/1.1\r\nauthorization: ${ROOT_KEY}\r\n\r\n`, 'invalid-request'],
  ];
  await changesNothing(realm, async () => {
    for (const [bytes, code] of rubbish) assertProblem(await ask(bytes), code);
    // Two lengths would allow request smuggling.
    const smuggled = { ...json, 'content-length': 12, 'transfer-encoding': 'chunked' };
    assertProblem(await ask(requestText('PATCH', path, smuggled, '0\r\n\r\n')), 'invalid-request');
    const twice = `content-length: 12\r\ncontent-length: 13\r\nauthorization: ${ROOT_KEY}`;
    const bytes = `PATCH ${path} HTTP/1.1\r\nhost: x\r\n${twice}\r\n\r\n${BODY}`;
    assertProblem(await ask(bytes), 'invalid-request');
  });
});

test('a body in chunks of something else than JSON is 415', async () => {
  const { realm, path } = await withMember('codings');
  const chunks = `c\r\n${BODY}\r\n0\r\n\r\n`;
  await changesNothing(realm, async () => {
    for (const coding of ['gzip, chunked', 'deflate,chunked']) {
      const headers = { ...json, 'transfer-encoding': coding };
      const reply = await ask(requestText('PATCH', path, headers, chunks));
      assertProblem(reply, 'unsupported-media-type');
      assert.ok(reply.json.detail.includes(`"Transfer-Encoding: ${coding}"`), reply.text);
    }
  });
});

test('headers over 16 KiB are 431, headers just under it are accepted', async () => {
  const { path } = await withMember('headers');
  const long = { ...auth, 'x-long': 'x'.repeat(17_000) };
  assertProblem(await ask(requestText('GET', path, long)), 'headers-too-large');
  const long431 = await ask(requestText('GET', `/${'x'.repeat(17_000)}`));
  assertProblem(long431, 'headers-too-large');
  assert.match(long431.json.detail, /POST and QUERY on the same path/);
  const many = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, n) => [`x-${n}`, 'some value']),
  );
  assertProblem(await ask(requestText('GET', path, many)), 'headers-too-large');
  const member = path.replace('/tokenBalance', '');
  const good = await ask(requestText('GET', member, { ...auth, 'x-long': 'x'.repeat(15_000) }));
  assert.equal(good.status, 200);
});

test('chunked bodies are read, however they are split', async () => {
  const { realm, path } = await withMember('chunked');
  const head = requestText('PATCH', path, { ...json, 'transfer-encoding': 'chunked' });
  const socket = dial(service);
  const reply = repliesOn(socket, 1);
  socket.setNoDelay(true);
  socket.write(head);
  for (const character of BODY) {
    socket.write(`1\r\n${character}\r\n`);
    await new Promise((next) => setImmediate(next));
  }
  socket.write('0\r\n\r\n');
  assert.equal((await reply)[0]?.json.newBalance, 1_005);
  socket.destroy();
  await changesNothing(realm, async () => {
    assertProblem(await ask(`${head}zz\r\n${BODY}\r\n0\r\n\r\n`), 'invalid-request');
    assertProblem(await ask(`${head}0\r\n\r\n`), 'malformed-json');
    const size = 1_200_000;
    const large = `${head}${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    assertProblem(await ask(large), 'body-too-large');
  });
});

test('a Content-Length over the limit is rejected before the body is sent', async () => {
  const { realm, path } = await withMember('announced');
  await changesNothing(realm, async () => {
    const head = requestText('PATCH', path, { ...json, 'content-length': 2 * 1024 * 1024 });
    assertProblem(await ask(head), 'body-too-large');
    const huge = requestText('PATCH', path, { ...json, 'content-length': '9'.repeat(15) });
    assertProblem(await ask(huge), 'body-too-large');
  });
});

test('Expect: 100-continue is answered, another expectation is ignored', async () => {
  const { path } = await withMember('expecting');
  const headers = { ...json, 'content-length': BODY.length };
  const socket = dial(service);
  await announce(socket, 'PATCH', path, headers);
  const final = repliesOn(socket, 1);
  socket.write(BODY);
  assert.equal((await final)[0]?.json.newBalance, 1_005);
  socket.destroy();
  const other = await ask(requestText('PATCH', path, { ...headers, expect: 'miracles' }, BODY));
  assert.equal(other.json.newBalance, 1_010);
});

test('pipelined requests are answered in order', async () => {
  const { realm, path } = await withMember('pipelined');
  const headers = { ...json, 'content-length': BODY.length };
  const add = requestText('PATCH', path, headers, BODY);
  const read = requestText('GET', realm.path('/members/1'), auth);
  const refused = requestText('GET', realm.path('/members/1'));
  const lost = requestText('PATCH', '/nowhere', headers, BODY);
  const replies = await converse(service, add + read + refused + add + lost + add, 6);
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [200, 200, 401, 200, 404, 200],
  );
  assert.equal(replies[5]?.json.newBalance, 1_015);
});

test('after a rejection without reading the body, the connection stays usable', async () => {
  const { path } = await withMember('unread');
  const body = BODY.padEnd(50_000);
  const head = { ...json, 'content-length': body.length };
  const refused = requestText('PATCH', path, { ...head, authorization: 'wrong' }, body);
  const lost = requestText('PATCH', `${path}/more`, head, body);
  const good = requestText('PATCH', path, head, body);
  const replies = await converse(service, refused + lost + good, 3);
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [401, 404, 200],
  );
});

test('a caller that disconnects during its request changes nothing and logs no error', async () => {
  const { realm, path } = await withMember('gone');
  const chunked = { ...json, 'transfer-encoding': 'chunked' };
  const ways: [method: string, path: string, headers: Record<string, string>, part: string][] = [
    ['PATCH', path, { ...json, 'content-length': '5000' }, BODY],
    ['PATCH', path, { ...json, 'content-length': '5000' }, ''],
    ['PATCH', path, chunked, `c\r\n${BODY}\r\n`],
    ['GET', realm.path('/members/includes'), { ...json, 'content-length': '50' }, '{"wal'],
  ];
  await changesNothing(realm, async () => {
    for (const leave of ['end', 'resetAndDestroy'] as const) {
      for (const [method, at, headers, part] of ways) {
        const socket = dial(service);
        await announce(socket, method, at, headers);
        socket.write(part);
        socket[leave]();
        if (!socket.destroyed) await once(socket.resume(), 'close');
      }
      const socket = dial(service);
      socket.write(`PATCH ${path} HTTP/1.1\r\nhost: x\r\nauthor`, () => socket[leave]());
      await once(socket.resume(), 'close');
    }
    await realm.expect(200, 'GET', '/members/1');
  });
  assert.deepEqual(service.errors(), []);
  assert.equal(await realm.balance('1'), 1_000);
});

test('a caller that disconnects before the answer: the write takes effect once', async () => {
  const { realm, path } = await withMember('impatient');
  const headers = { ...json, 'content-length': BODY.length, 'idempotency-key': 'left' };
  const socket = dial(service);
  await announce(socket, 'PATCH', path, headers);
  socket.write(BODY, () => socket.resetAndDestroy());
  await once(socket, 'close');
  const sent = { raw: BODY, headers: { 'idempotency-key': 'left' } };
  const retry = await realm.expect(200, 'PATCH', '/members/1/tokenBalance', sent);
  assert.equal(retry.json.newBalance, 1_005);
  assert.equal(await realm.balance('1'), 1_005);
});

test('an undecodable path is 400, with and without a key', async () => {
  for (const headers of [auth, {}]) {
    assertFaults(await ask(requestText('GET', '/api/v4/realms/%E0%A4%A', headers)), '/path');
  }
});

test('a body in very many chunks is refused', async () => {
  const { realm, path } = await withMember('tiny-chunks');
  const head = { ...json, 'transfer-encoding': 'chunked' };
  const chunks = '1\r\n \r\n'.repeat(100_000);
  await changesNothing(realm, async () => {
    for (const [authorization, code] of [
      [ROOT_KEY, 'invalid-request'],
      ['wrong', 'unauthorized'],
    ] as const) {
      const socket = dial(service);
      const replies = repliesOn(socket, 1);
      socket.write(requestText('PATCH', path, { ...head, authorization }, chunks));
      const [reply] = await replies;
      assert.ok(reply);
      assertProblem(reply, code);
      socket.destroy();
    }
  });
});
