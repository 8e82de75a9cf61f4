import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Interrupted } from '../../src/webhooks/client.ts';
import { ClientThread } from '../../src/webhooks/client-thread.ts';

interface Ending {
  after: (end: () => unknown) => void;
}

/** So late that no attempt ends by it. */
const DEADLINE_MS = 600_000;
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

function clientFor(t: Ending): ClientThread {
  const client = new ClientThread({ allowPrivate: true, deadlineMs: DEADLINE_MS });
  t.after(() => client.close());
  return client;
}

/** A receiver that answers each connection's first bytes as it is told. */
async function receiverFor(t: Ending, answer: (socket: Socket) => void) {
  const closed: Promise<void>[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket));
    closed.push(new Promise((done) => void socket.once('close', () => done())));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, closed };
}

/** Writes for as long as anybody reads. */
const endless = (head: string, part: string) => (socket: Socket) => {
  const parts = Buffer.from(part.repeat(2_000));
  const write = (): void => {
    while (socket.writable && socket.write(parts));
  };
  socket.write(head);
  socket.on('drain', write);
  write();
};

const post = (client: ClientThread, url: string, signal = new AbortController().signal) =>
  client.post({ url, headers: {}, body: '{}' }, signal);

const hostile = [
  ['informational answers', '', 'HTTP/1.1 100 Continue\r\n\r\n', null, 'invalid-answer'],
  ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', null, 'invalid-answer'],
  ['tiny chunks', CHUNKED, '1\r\nx\r\n', 200, null],
  ['tiny chunks of a failure', CHUNKED.replace('200 OK', '500 No'), '1\r\nx\r\n', 500, null],
  ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n', 'x', 200, null],
] as const;

for (const [what, head, part, status, error] of hostile) {
  test(`an attempt ends by itself if the receiver never ends: ${what}`, async (t) => {
    const { url, closed } = await receiverFor(t, endless(head, part));
    const outcome = await post(clientFor(t), url);
    assert.deepEqual([outcome.status, outcome.error], [status, error]);
    assert.equal(closed.length, 1);
    await Promise.all(closed);
  });
}

test('a few informational answers and chunks are in order', async (t) => {
  const chunks = `${'1\r\nx\r\n'.repeat(50)}0\r\n\r\n`;
  const answer = EARLY_HINTS.repeat(3) + CHUNKED + chunks;
  const { url } = await receiverFor(t, (socket) => void socket.end(answer));
  const { status, answer: text } = await post(clientFor(t), url);
  assert.deepEqual([status, text], [200, 'x'.repeat(50)]);
});

test('an attempt that is interrupted closes its connection; another one is not', async (t) => {
  const interrupt = new AbortController();
  const silent = await receiverFor(t, () => interrupt.abort());
  const { promise: isInterrupted, resolve: onInterrupted } = Promise.withResolvers<void>();
  const slow = await receiverFor(t, async (socket) => {
    await isInterrupted;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const client = clientFor(t);
  const other = post(client, slow.url);
  await assert.rejects(post(client, silent.url, interrupt.signal), Interrupted);
  await Promise.all(silent.closed);
  onInterrupted();
  assert.equal((await other).status, 204);
  await assert.rejects(post(client, silent.url, interrupt.signal), Interrupted);
  assert.equal(silent.closed.length, 1);
});
