import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { Connections, dropSlowest, receive } from '../../src/http/connections.ts';
import { Unavailable } from '../../src/ledger/errors.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A plain HTTP server on a free port, and a socket to it. */
async function serverWith(serve: RequestListener): Promise<{ server: Server; dial: () => Socket }> {
  const server = createServer();
  new Connections().follow(server, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const dial = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    // A server that does not answer must fail the test, not hang it.
    return socket.setTimeout(10_000, () => socket.destroy());
  };
  return { server, dial };
}

const textOf = async (socket: Socket): Promise<string> =>
  Buffer.concat(await socket.toArray()).toString();

const answersIn = (text: string): number => text.split('HTTP/1.1 200 OK').length - 1;

test('the requests of a connection are served one at a time, in order', async () => {
  let [open, most, served] = [0, 0, 0];
  const { dial } = await serverWith((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      served += 1;
      response.end(`answer ${served}`);
    }, 5);
  });
  const socket = dial();
  socket.end(GET.repeat(16));
  const text = await textOf(socket);
  assert.equal(answersIn(text), 16);
  const order = Array.from(text.matchAll(/answer (\d+)/g), ([, number]) => Number(number));
  assert.deepEqual(
    order,
    order.map((_, index) => index + 1),
  );
  assert.equal(most, 1);
});

test('a connection with more than 16 unanswered requests is closed, others are not', async () => {
  let served = 0;
  const { dial } = await serverWith((_, response) => {
    served += 1;
    setTimeout(() => response.end(), 50);
  });
  const modest = dial();
  modest.end(GET);
  const greedy = dial();
  greedy.write(GET.repeat(1_000));
  assert.equal(answersIn(await textOf(greedy)), 0);
  assert.equal(answersIn(await textOf(modest)), 1);
  assert.equal(served, 2);
});

test('a body that arrives behind a request waits for its turn', async () => {
  const body = 'x'.repeat(500_000);
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const { dial } = await serverWith(async (request, response) => {
    if (request.method === 'GET') await new Promise((next) => setTimeout(next, 100));
    response.end(`read ${Buffer.concat(await request.toArray()).length};`);
  });
  const socket = dial();
  socket.end(GET + post + GET);
  assert.deepEqual((await textOf(socket)).match(/read \d+;/g), [
    'read 0;',
    'read 500000;',
    'read 0;',
  ]);
});

test('a caller that leaves while it sends is noticed, also if nobody was listening', async () => {
  const received = Promise.withResolvers<unknown[]>();
  const { dial } = await serverWith(async (request) => {
    const early = receive(request, 100);
    const closed = new Promise((end) => request.on('close', end));
    const late = closed.then(() => receive(request, 100));
    received.resolve(Promise.allSettled([early, late]));
  });
  const socket = dial();
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nabc');
  setTimeout(() => socket.resetAndDestroy(), 20);
  const reasons = (await received.promise).map((one) => (one as PromiseRejectedResult).reason);
  assert.ok(reasons.every((reason) => reason instanceof Unavailable));
});

test('a connection whose answer is not read has a while to go on', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const answer = Buffer.alloc(32 * 1024 * 1024);
  const { server, dial } = await serverWith((_, response) => void response.end(answer));
  const accepted = once(server, 'connection');
  const unread = dial().pause();
  unread.write(GET);
  const [connection] = await accepted;
  while (connection.writableLength === 0) await new Promise((next) => setTimeout(next, 10));
  assert.notEqual(connection.timeout, 25_000);
  t.mock.timers.tick(1_000);
  assert.equal(connection.timeout, 25_000);
  unread.resume();
  for await (const _ of unread) if (connection.writableLength === 0) break;
});

test('those who have left the most unread are dropped first, and no more than necessary', () => {
  const dropped: number[] = [];
  const readers = [3, 9, 0, 5, 9].map((unreadBytes, index) => ({
    unreadBytes,
    drop: () => dropped.push(index),
  }));
  dropSlowest(readers, 26);
  assert.deepEqual(dropped, []);
  dropSlowest(readers, 9);
  assert.deepEqual(dropped, [1, 4]);
});

test('a caller that closed its side and gets no answer for a while counts as gone', async () => {
  const { server, dial } = await serverWith(() => {});
  const requested = once(server, 'request');
  dial().end(GET);
  const [{ socket }] = await requested;
  assert.equal(socket.destroyed, false);
  await once(socket, 'close');
});
