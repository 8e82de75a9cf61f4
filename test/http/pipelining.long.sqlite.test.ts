import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { converse, dial, repliesOn, requestText } from '../support/sockets.ts';

/** Many requests on one connection, sent without waiting for answers. */
const service = await serviceForFile();
const BODY = '{"tokens":5}';
const auth = { authorization: ROOT_KEY };
const json = { ...auth, 'content-type': 'application/json' };

async function withMember(id: string): Promise<{ realm: TestRealm; path: string; add: string }> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  const path = realm.path('/members/1');
  const headers = { ...json, 'content-length': BODY.length };
  return { realm, path, add: requestText('PATCH', `${path}/tokenBalance`, headers, BODY) };
}

test('16 pipelined requests get 16 answers in order, one after another', async () => {
  const { path, add } = await withMember('many');
  const read = (id: number) => requestText('GET', path, { ...auth, 'x-request-id': `r${id}` });
  const pairs = Array.from({ length: 8 }, (_, n) => add + read(n));
  const replies = await converse(service, pairs.join(''), 16);
  const reads = replies.filter((_, n) => n % 2 === 1);
  assert.deepEqual(
    reads.map(({ status, headers }) => `${status} ${headers['x-request-id']}`),
    pairs.map((_, n) => `200 r${n}`),
  );
  // Each read sees the write before it.
  assert.deepEqual(
    reads.map((reply) => reply.json.tokenBalance),
    pairs.map((_, n) => 1_005 + 5 * n),
  );
});

test('a caller that sends many requests ahead is cut off, and nobody else notices', async () => {
  const { realm, add } = await withMember('greedy');
  const sockets = Array.from({ length: 100 }, () => dial(service));
  const closed = sockets.map((socket) => new Promise((end) => socket.resume().on('close', end)));
  for (const socket of sockets) socket.write(requestText('GET', '/readyz').repeat(3_000));
  for (let n = 0; n < 20; n++) await service.expect(200, 'GET', '/healthz');
  await Promise.all(closed);
  await converse(service, add.repeat(17), 100);
  assert.ok((await realm.balance('1')) <= 1_005, 'what was behind the first was not served');
});

test('wherever the bytes are split, the answers are the same', async () => {
  const { path, add } = await withMember('split');
  const read = requestText('GET', path, auth);
  const chunked = requestText(
    'PATCH',
    `${path}/tokenBalance`,
    { ...json, 'transfer-encoding': 'chunked' },
    `6\r\n${BODY.slice(0, 6)}\r\n6\r\n${BODY.slice(6)}\r\n0\r\n\r\n`,
  );
  const bytes = `${read}\r\n${add}${chunked}${read}`;
  const expected = [200, 200, 200, 200];
  const splitAt = async (at: number): Promise<void> => {
    const socket = dial(service).setNoDelay(true);
    socket.write(bytes.slice(0, at), () => setImmediate(() => socket.write(bytes.slice(at))));
    const replies = await repliesOn(socket, 4);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      expected,
      `split at ${at}`,
    );
    socket.destroy();
  };
  await Promise.all(Array.from(bytes.slice(1), (_, index) => splitAt(index + 1)));
  const socket = dial(service).setNoDelay(true);
  const replies = repliesOn(socket, 4);
  for (const character of bytes) {
    socket.write(character);
    await new Promise((next) => setImmediate(next));
  }
  assert.deepEqual(
    (await replies).map((reply) => reply.status),
    expected,
  );
  socket.destroy();
});

test('a connection that closes by its own request serves nothing after it', async () => {
  const { realm, path, add } = await withMember('closing');
  const last = requestText('GET', path, { ...auth, connection: 'close' });
  const replies = await converse(service, add + last + add, 100);
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [200, 200],
  );
  assert.equal(await realm.balance('1'), 1_005);
});
