import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is added to a key before it is hashed (RFC 6455, section 1.3). */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const OPCODE = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

/** The server's end of a WebSocket (RFC 6455), as far as a gateway of JSON needs it. */
export class ServerSocket {
  readonly #stream: Duplex;
  #received: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  onText: (text: string) => void = () => {};
  /** With the code that the client gave; 1006 if it just went away. */
  onClose: (code: number) => void = () => {};
  #isClosed = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => this.#finish(1006));
    stream.on('close', () => this.#finish(1006));
  }

  /** One message, in as many frames as there are parts. */
  send(...parts: Buffer[]): void {
    for (const [index, part] of parts.entries()) {
      const opcode = index === 0 ? OPCODE.text : OPCODE.continuation;
      this.#write(opcode, part, index === parts.length - 1);
    }
  }

  close(code: number): void {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#write(OPCODE.close, payload);
    this.#stream.end();
  }

  /** Cuts the connection without a word. */
  destroy(): void {
    this.#stream.destroy();
  }

  #write(opcode: number, payload: Buffer, isFinal = true): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    const head = [(isFinal ? 0x80 : 0) | opcode];
    if (payload.length < 126) head.push(payload.length);
    else if (payload.length < 65_536) head.push(126, payload.length >> 8, payload.length & 0xff);
    else {
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(payload.length));
      head.push(127, ...length);
    }
    this.#stream.write(Buffer.concat([Buffer.from(head), payload]));
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let frame = this.#next(); frame; frame = this.#next()) this.#take(frame);
  }

  /** The next whole frame. A client's frames are masked. */
  #next(): { opcode: number; isFinal: boolean; payload: Buffer } | null {
    const [first = 0, second = 0] = this.#received;
    const size = second & 0x7f;
    const extra = size === 126 ? 2 : size === 127 ? 8 : 0;
    const start = 2 + extra + 4;
    if (this.#received.length < start) return null;
    const length =
      extra === 0
        ? size
        : extra === 2
          ? this.#received.readUInt16BE(2)
          : Number(this.#received.readBigUInt64BE(2));
    if (this.#received.length < start + length) return null;
    const mask = this.#received.subarray(start - 4, start);
    const masked = this.#received.subarray(start, start + length);
    const payload = Buffer.from(masked.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
    this.#received = this.#received.subarray(start + length);
    return { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, payload };
  }

  #take({ opcode, isFinal, payload }: { opcode: number; isFinal: boolean; payload: Buffer }): void {
    if (opcode === OPCODE.close) {
      this.#finish(payload.length >= 2 ? payload.readUInt16BE(0) : 1005);
      this.#write(OPCODE.close, payload);
      this.#stream.end();
    } else if (opcode === OPCODE.ping) this.#write(OPCODE.pong, payload);
    else if (opcode === OPCODE.text || opcode === OPCODE.continuation) {
      this.#parts.push(payload);
      if (!isFinal) return;
      const text = Buffer.concat(this.#parts).toString();
      this.#parts = [];
      this.onText(text);
    }
  }

  #finish(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClose(code);
  }
}

/** Calls back with each WebSocket that a client opens at the server. */
export function onWebSocket(
  server: Server,
  accept: (socket: ServerSocket, request: IncomingMessage) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const key = `${request.headers['sec-websocket-key']}${MAGIC}`;
    const answer = createHash('sha1').update(key).digest('base64');
    stream.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        `Sec-WebSocket-Accept: ${answer}\r\n\r\n`,
    );
    accept(new ServerSocket(stream), request);
  });
}
