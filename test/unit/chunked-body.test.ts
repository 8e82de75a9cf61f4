import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { ChunkedBody } from '../../src/http/chunked-body.ts';
import { Connections } from '../../src/http/connections.ts';

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';
const READ_BYTES = 65_536;

const chunk = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n`;

/** A server whose requests are handed out, and a socket to it. */
async function exchange(): Promise<{ server: Server; socket: Socket }> {
  const server = createServer(() => undefined);
  new Connections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { server, socket: connect(port, '127.0.0.1').on('error', () => {}) };
}

async function requestOn(server: Server): Promise<IncomingMessage> {
  const [request] = await once(server, 'request');
  return request;
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

test('a body in tiny chunks is complete, and costs its reader little', async () => {
  const { server, socket } = await exchange();
  const content = Array.from({ length: 30_000 }, (_, index) => String(index % 10)).join('');
  socket.write(HEAD + Array.from(content, chunk).join('') + END);
  const request = await requestOn(server);
  let parts = 0;
  request.on('data', () => {
    parts += 1;
  });
  assert.equal(await text(request), content);
  assert.ok(parts < 300, `${parts} parts`);
});

test('chunks of any size arrive in order, and the next request after them', async () => {
  const { server, socket } = await exchange();
  const sizes = [1, 4_095, 2, 4_096, 3, 70_000, 1, 4_097, 10, 2_000, 2_000, 2_000];
  const contents = sizes.map((size, index) => String.fromCharCode(97 + index).repeat(size));
  server.on('request', (request: IncomingMessage, response) => {
    text(request).then((content: string) => response.end(content));
  });
  socket.write(HEAD + contents.map(chunk).join('') + END + HEAD + chunk('last') + END);
  let answers = '';
  for await (const bytes of socket) {
    answers += bytes;
    if (answers.endsWith('last')) break;
  }
  assert.ok(answers.includes(`\r\n\r\n${contents.join('')}HTTP/1.1 200 OK`));
});

test('of a chunked body, no more is read than its reader takes', async () => {
  const { server, socket } = await exchange();
  const accepted = once(server, 'connection');
  const contents = Array.from({ length: 5_000 }, (_, index) => String(index).padEnd(2_000, '.'));
  socket.write(HEAD + contents.map(chunk).join('') + END);
  const [connection] = await accepted;
  const request = await requestOn(server);
  for (let turns = 0; turns < 1_000; turns++) await turn();
  assert.ok(connection.bytesRead < 8 * READ_BYTES, `${connection.bytesRead} bytes`);
  assert.equal(await text(request), contents.join(''));
});

test('tiny chunks are parsed in turns, and others are served in between', async () => {
  const { server, socket } = await exchange();
  socket.write(HEAD + chunk('x').repeat(300_000) + END);
  const request = await requestOn(server);
  let received = 0;
  request.on('data', (bytes: Buffer) => {
    received += bytes.length;
  });
  // What the head has arrived with is parsed at once.
  while (received === 0) await turn();
  let most = 0;
  while (!request.complete) {
    const before = received;
    await turn();
    most = Math.max(most, received - before);
  }
  assert.ok(most < 3_000, `${most} chunks in one turn`);
});

test('of large chunks more is parsed at once, of small ones little', () => {
  const request = new Readable({ read: () => undefined });
  const body = new ChunkedBody(request as IncomingMessage, () => true);
  const piece = (chunks: number, bytes: number): number => {
    for (let count = 0; count < chunks; count++) request.push(Buffer.alloc(bytes));
    body.endPiece();
    return body.pieceBytes;
  };
  assert.deepEqual(
    [piece(1, 2_048), piece(1, 4_096), piece(2, 4_096), piece(1, 16_384)],
    [4_096, 8_192, 16_384, 16_384],
  );
  assert.equal(piece(9, 1), 2_048);
});
