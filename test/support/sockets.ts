import { connect, type Socket } from 'node:net';
import type { Reply, TestService } from './service.ts';

/** A raw socket to the service. */
export function dial(service: TestService): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  // A service that does not answer must fail the test, not hang it.
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on('error', () => {});
  return socket;
}

/** Writes the bytes and resolves with the replies, once there are `count` or the socket closes. */
export function converse(
  service: TestService,
  bytes: string | Buffer,
  count: number,
): Promise<Reply[]> {
  const socket = dial(service);
  socket.write(bytes);
  return repliesOn(socket, count).finally(() => socket.destroy());
}

/** The replies on a socket, including interim ones (1xx). */
export function repliesOn(socket: Socket, count: number): Promise<Reply[]> {
  return new Promise((resolve) => {
    const replies: Reply[] = [];
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = takeReplies(Buffer.concat([rest, chunk]), replies);
      if (replies.length >= count) resolve(replies);
    });
    socket.on('close', () => resolve(replies));
  });
}

/** Writes the head of a request and waits until the service has read it. */
export async function announce(
  socket: Socket,
  method: string,
  path: string,
  headers: Record<string, string | number>,
): Promise<void> {
  const interim = repliesOn(socket, 1);
  socket.write(requestText(method, path, { ...headers, expect: '100-continue' }));
  const [reply] = await interim;
  if (reply?.status !== 100) throw new Error(`${reply?.status} instead of 100: ${reply?.text}`);
}

/** Adds the complete replies in the bytes, and returns what follows them. */
function takeReplies(bytes: Buffer, replies: Reply[]): Buffer {
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(lines.map(headerOf));
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (rest.length < bodyEnd) return rest;
    const text = rest.subarray(end + 4, bodyEnd).toString();
    const isJson = /json/.test(headers['content-type'] ?? '');
    const status = Number(statusLine.split(' ')[1]);
    replies.push({ status, headers, text, json: isJson ? JSON.parse(text) : undefined });
    rest = rest.subarray(bodyEnd);
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** A request as text. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const all = Object.entries({ host: 'test', ...headers });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`;
}
