import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { ROOT_KEY, serviceForFile, type TestRealm, type TestService } from '../support/service.ts';
import { converse, dial, repliesOn, requestText } from '../support/sockets.ts';

/** What follows a good request on its connection: no HTTP, or the end. */
const services = [await serviceForFile(), await serviceForFile()] as const;
const BODY = '{"tokens":5}';
const auth = { authorization: ROOT_KEY };
const json = { ...auth, 'content-type': 'application/json' };

/** Each service starts without having seen a pipelined request. */
async function withMember(
  service: TestService,
  id: string,
): Promise<{ realm: TestRealm; path: string; add: string }> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  const path = realm.path('/members/1');
  const headers = { ...json, 'content-length': BODY.length };
  return { realm, path, add: requestText('PATCH', `${path}/tokenBalance`, headers, BODY) };
}

test('a good write followed by what is not HTTP gets its own answer first', async () => {
  const [service] = services;
  const { realm, add } = await withMember(service, 'garbage');
  const chunked = requestText(
    'PATCH',
    realm.path('/members/1/tokenBalance'),
    { ...json, 'transfer-encoding': 'chunked' },
    `c\r\n${BODY}\r\n0\r\n\r\n`,
  );
  const followers = [
    ['garbage', 400],
    ['garbage\r\n\r\n', 400],
    ['\r\n\r\n\x16\x03\x01\r\n\r\nGET / HTTP/1.1\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(17_000)}`, 431],
  ] as const;
  // From the first pipelined request on, connections are read in pieces.
  for (const write of [add, chunked, add.repeat(10), add, chunked]) {
    for (const [follower, status] of followers) {
      const balance = await realm.balance('1');
      const replies = await converse(service, write + follower, 100);
      const last = replies.pop();
      assert.equal(last?.status, status);
      assert.equal(last?.headers.connection, 'close');
      assert.deepEqual(
        replies.map((reply) => [reply.status, reply.json.newBalance]),
        replies.map((_, n) => [200, balance + 5 * (n + 1)]),
      );
      assert.equal(replies.length, write === add || write === chunked ? 1 : 10);
    }
  }
});

test('a caller that closes its side after its requests gets all its answers', async () => {
  const [, service] = services;
  const { path, add } = await withMember(service, 'half-closed');
  const read = requestText('GET', path, auth);
  for (const requests of [[read], [add], [add, read, add, read], [read], [add]]) {
    const socket = dial(service);
    socket.end(requests.join(''));
    const replies = await repliesOn(socket, 100);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      requests.map(() => 200),
    );
  }
  const socket = dial(service);
  socket.end(`${add + read}GET ${path} HTTP/1.1\r\nhost`);
  const replies = await repliesOn(socket, 100);
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [200, 200, 400],
  );
});

test('two Host headers are 400, and JSON is not sniffed', async () => {
  const [service] = services;
  const { path } = await withMember(service, 'hosts');
  const [two] = await converse(service, requestText('GET', path, { ...auth, Host: 'other' }), 1);
  assert.ok(two);
  assertFaults(two, '/header/host');
  const [good] = await converse(service, requestText('GET', path, auth), 1);
  assert.equal(good?.headers['x-content-type-options'], 'nosniff');
  const [bad] = await converse(service, 'garbage\r\n\r\n', 1);
  assert.ok(bad);
  assertProblem(bad, 'invalid-request');
});
