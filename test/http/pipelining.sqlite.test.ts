import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { converse, dial, repliesOn, requestText } from '../support/sockets.ts';

/** Many requests on one connection, sent without waiting for answers. */
const service = await serviceForFile();
const BODY = '{"tokens":5}';
const auth = { authorization: ROOT_KEY };
const json = { ...auth, 'content-type': 'application/json' };

/** What Node may parse ahead on the first connection that pipelines: one read. */
const READ_BYTES = 65_536;

/** The requests that Node has parsed and not answered, by connection: now, and at most so far. */
let parsed = new Map<Socket, { open: number; most: number }>();
let total = 0;

function onStart(message: unknown): void {
  const { socket } = message as { socket: Socket };
  const { open, most } = parsed.get(socket) ?? { open: 0, most: 0 };
  parsed.set(socket, { open: open + 1, most: Math.max(most, open + 1) });
  total += 1;
}

function onFinish(message: unknown): void {
  const { socket } = message as { socket: Socket };
  const { open = 1, most = 0 } = parsed.get(socket) ?? {};
  parsed.set(socket, { open: open - 1, most });
}

/** The most requests that were parsed ahead, for each connection that had any. */
const parsedAhead = (): number[] =>
  Array.from(parsed.values(), ({ most }) => most - 1).filter((count) => count > 0);

subscribe('http.server.request.start', onStart);
subscribe('http.server.response.finish', onFinish);
after(() => {
  unsubscribe('http.server.request.start', onStart);
  unsubscribe('http.server.response.finish', onFinish);
});

async function withMember(id: string): Promise<{ realm: TestRealm; path: string; add: string }> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  const path = realm.path('/members/1');
  const headers = { ...json, 'content-length': BODY.length };
  return { realm, path, add: requestText('PATCH', `${path}/tokenBalance`, headers, BODY) };
}

test('1,200 pipelined requests get 1,200 answers in order, one after another', async () => {
  const { path, add } = await withMember('many');
  const read = (id: number) => requestText('GET', path, { ...auth, 'x-request-id': `r${id}` });
  const pairs = Array.from({ length: 600 }, (_, n) => add + read(n));
  const bytes = pairs.join('');
  parsed = new Map();
  const replies = await converse(service, bytes, 1_200);
  const ahead = Math.max(0, ...parsedAhead());
  assert.ok(ahead <= (1_200 * READ_BYTES) / bytes.length, `${ahead} were parsed ahead`);
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

test('of a caller that does not read its answers, no more is read and served', async () => {
  const { realm } = await withMember('unread');
  const metadata = { text: 'x'.repeat(7_000) };
  for (let id = 2; id < 52; id++) await realm.member(`${id}`, 0, { metadata });
  const list = requestText('GET', realm.path('/members?limit=500'), auth);
  const socket = dial(service);
  socket.pause();
  const before = total;
  const COUNT = 100_000;
  socket.write(list.repeat(COUNT));
  let last = -1;
  while (last !== total) {
    last = total;
    await new Promise((next) => setTimeout(next, 500));
  }
  assert.ok(last - before < 1_000, `${last - before} of ${COUNT} lists were read`);
  assert.ok(socket.writableLength > 0, 'what is not served stays with the caller');
  socket.destroy();
  await realm.expect(200, 'GET', '/members/1');
});

test('250 connections that pipeline leave room for the others', async () => {
  const COUNT = 40;
  const burst = requestText('GET', '/readyz').repeat(COUNT);
  parsed = new Map();
  const before = total;
  const sockets = Array.from({ length: 250 }, () => dial(service));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const all = sockets.map((socket) => {
    socket.write(burst);
    return repliesOn(socket, COUNT);
  });
  for (let n = 0; n < 20; n++) await service.expect(200, 'GET', '/healthz');
  const served = total - before;
  assert.ok(served < (250 * COUNT) / 2, `${served} came before 20 others`);
  for (const replies of await Promise.all(all)) {
    assert.deepEqual(
      replies.map((reply) => reply.status),
      Array(COUNT).fill(200),
    );
  }
  assert.ok(parsedAhead().length <= 1, 'only the first that pipelines is parsed ahead');
  for (const socket of sockets) socket.destroy();
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
