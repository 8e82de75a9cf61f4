import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { type ConnectionLimits, Connections } from '../../src/http/connections.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A plain HTTP server on a free port, and a socket to it. */
async function serverWith(
  handler: RequestListener,
  limits: Partial<ConnectionLimits>,
  prepare: (server: Server) => void = () => {},
): Promise<{ server: Server; dial: () => Socket }> {
  const server = createServer(handler);
  prepare(server);
  new Connections(server, limits);
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

/** Keeps the thread busy. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const textOf = async (socket: Socket): Promise<string> =>
  Buffer.concat(await socket.toArray()).toString();

test('a connection whose answer is not read is closed', async () => {
  const answer = Buffer.alloc(32 * 1024 * 1024);
  const limits = { stallCheckMs: 20, stallMs: 200 };
  const { server, dial } = await serverWith((_, response) => void response.end(answer), limits);
  const accepted = once(server, 'connection');
  const unread = dial().pause();
  unread.write(GET);
  const [connection] = await accepted;
  await once(connection, 'close');
  assert.ok(connection.bytesWritten > 0 && unread.bytesRead < answer.length);
  unread.destroy();
  // One that reads slowly, but does read, gets everything.
  const slow = dial();
  slow.write(`GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  let received = 0;
  let chunks = 0;
  for await (const chunk of slow) {
    received += chunk.length;
    chunks += 1;
    if (chunks % 64 === 0) await new Promise((next) => setTimeout(next, 100));
  }
  assert.ok(received > answer.length);
});

test('if too much waits in all connections, one is closed after its answer', async () => {
  const limits = { maxWaitingBytes: 1_000 };
  const { dial } = await serverWith((_, response) => {
    setTimeout(() => response.end('one'), 50);
  }, limits);
  const first = dial();
  first.end(GET.repeat(2));
  assert.equal((await textOf(first)).split('HTTP/1.1 200 OK').length - 1, 2);
  const greedy = dial();
  greedy.write(GET.repeat(100));
  assert.equal((await textOf(greedy)).split('HTTP/1.1 200 OK').length - 1, 1);
  const modest = dial();
  modest.end(GET.repeat(3));
  assert.equal((await textOf(modest)).split('HTTP/1.1 200 OK').length - 1, 3);
});

/** Connected is not accepted: a turn of the event loop accepts one. */
function whenAccepted(server: Server, count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    server.on('connection', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
}

/** How many requests one turn of the event loop handles at most, if all callers send at once. */
async function mostInTurn(
  callers: number,
  workMs: number,
  limits: Partial<ConnectionLimits> = {},
): Promise<number> {
  let [inTurn, most] = [0, 0];
  const { server, dial } = await serverWith((_, response) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += 1;
    most = Math.max(most, inTurn);
    work(workMs);
    response.end();
  }, limits);
  const sockets = Array.from({ length: callers }, dial);
  await whenAccepted(server, callers);
  for (const socket of sockets) socket.end(GET);
  const answers = await Promise.all(sockets.map(textOf));
  assert.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 200 OK')));
  return most;
}

test('callers who send at the same moment are answered in several turns', async () => {
  const most = await mostInTurn(100, 2);
  // Requests are read as they come for 25 milliseconds of the processor's time.
  assert.ok(most <= 25, `${most} requests in one turn`);
});

test('if very many connect, even their first requests take turns', async () => {
  const most = await mostInTurn(400, 1, { newPerSecond: 50 });
  // For 5 milliseconds as they come, and four that have waited.
  assert.ok(most <= 12, `${most} requests in one turn`);
});

const HEALTH_CHECK = GET.replace('/', '/healthz');

for (const [name, flood, request] of [
  ['who sends one request without a key is not behind all who pipeline', GET.repeat(200), GET],
  ['nor behind those who pipeline few requests', GET.repeat(2), GET],
  ['a health check is not behind all others without a key', GET, HEALTH_CHECK],
] as const) {
  test(name, async () => {
    let handled = 0;
    const { server, dial } = await serverWith((_, response) => {
      handled += 1;
      work(1);
      response.end(String(handled));
    }, {});
    const wary = dial();
    wary.end(GET.repeat(2));
    await textOf(wary);
    const sockets = Array.from({ length: 400 }, dial);
    const modest = dial();
    await whenAccepted(server, 401);
    for (const socket of sockets) socket.write(flood);
    const before = handled;
    modest.end(request);
    const number = Number((await textOf(modest)).split('\r\n\r\n')[1]);
    for (const socket of sockets) socket.destroy();
    assert.ok(number - before < 200, `${number - before} requests were handled before`);
  });
}

test('a connection that is paused when one begins to pipeline is read on later', async () => {
  const body = 'x'.repeat(500_000);
  const head = `host: x\r\nconnection: close\r\ncontent-length: ${body.length}`;
  const post = `POST / HTTP/1.1\r\n${head}\r\n\r\n${body}`;
  const pipelined = Promise.withResolvers<void>();
  const { server, dial } = await serverWith(async (request, response) => {
    if (request.method === 'GET') return void response.end(Buffer.alloc(32 * 1024 * 1024));
    await pipelined.promise;
    response.end(`read ${Buffer.concat(await request.toArray()).length}`);
  }, {});
  const accepted = once(server, 'connection');
  const waiting = dial();
  waiting.write(post);
  const [connection] = await accepted;
  // Node reads no more of a body than somebody wants.
  await once(connection, 'pause');
  const unread = dial().pause();
  for (const request of [GET, post]) {
    const requested = once(server, 'request');
    unread.write(request);
    await requested;
  }
  pipelined.resolve();
  for (const socket of [waiting, unread]) assert.match(await textOf(socket), /read 500000$/);
});

test('a server that receives its bytes in another way still serves', async () => {
  let most = 0;
  let open = 0;
  const handler: RequestListener = (_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 5);
  };
  const { dial } = await serverWith(handler, {}, (server) => {
    server.on('connection', (socket) => socket.on('data', () => {}));
  });
  const socket = dial();
  socket.end(GET.repeat(20));
  assert.equal((await textOf(socket)).split('HTTP/1.1 200 OK').length - 1, 20);
  assert.equal(most, 1);
});

test('a caller that closed its side and gets no answer for a while counts as gone', async () => {
  const { server, dial } = await serverWith(() => {}, {});
  const requested = once(server, 'request');
  dial().end(GET);
  const [{ socket }] = await requested;
  assert.equal(socket.destroyed, false);
  await once(socket, 'close');
});
