import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Backlog } from './backlog.ts';
import { ChunkedBody } from './chunked-body.ts';

/**
 * How long a caller that has closed its side waits for its answer. It may as well have left, which
 * cannot be told apart before something is sent to it, and then its work is to be dropped.
 */
const HALF_CLOSED_MS = 2_000;

const NOTHING: Buffer = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');
/** As much of a first request as is searched for its key. Without one, few are longer. */
const HEAD_BYTES = 4_096;
export const AUTHORIZATION = /^authorization:(.*)/im;
/** Callers without a key take turns together, but health checks and those who pipeline apart. */
const NO_KEY = '';
const NO_KEY_PIPELINED = '\n';
const HEALTH_CHECK = '\t';
const GET = Buffer.from('GET ');
const HEALTH_CHECKS = [Buffer.from('GET /healthz '), Buffer.from('GET /readyz ')];
const CR = 13;
const LF = 10;

/**
 * One socket and the last request on it. In pieces, its bytes are handed to Node's parser up to the
 * end of a head or of a body, and of a chunked body a little at a time; while a complete request is
 * being answered, further bytes wait and the socket is not read. Where the pieces end only bounds
 * the work: the parser gets every byte.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #backlog: Backlog;
  #parser: Parser | null = null;
  #request: IncomingMessage | null = null;
  #response: ServerResponse | null = null;
  /** The body of the last request, if its length was not announced. */
  #chunked: ChunkedBody | null = null;
  /** How much is still to come of a body whose length was announced. */
  #bodyLeft = 0;
  /** Received, but not parsed yet. */
  #rest = NOTHING;
  /** Whether the rest waits for the answer to the previous request, or for a turn. */
  #isWaiting = false;
  /** Whether its turn came while the reader of its body had enough. */
  #isStalled = false;
  #hasPipelined = false;
  #hasEnded = false;
  #isClosing = false;

  constructor(socket: Socket, backlog: Backlog) {
    this.#socket = socket;
    this.#backlog = backlog;
    socket.on('end', () => {
      if (this.#isAnswering()) socket.setTimeout(HALF_CLOSED_MS);
    });
  }

  /** Whose turn its bytes take: that of the key last presented, if it was not refused. */
  get caller(): string {
    const key = this.#key();
    if (key !== undefined) return key;
    const rest = this.#rest;
    if (this.#hasPipelined || rest.length > HEAD_BYTES) return NO_KEY_PIPELINED;
    // It may as well be the rest of a body.
    if (this.#request?.complete === false) return NO_KEY;
    if (hasSeveral(rest)) return NO_KEY_PIPELINED;
    return HEALTH_CHECKS.some((start) => startsWith(rest, start)) ? HEALTH_CHECK : NO_KEY;
  }

  #key(): string | undefined {
    if (!this.#request) return keyIn(this.#rest);
    return this.#response?.statusCode === 401 ? undefined : this.#request.headers.authorization;
  }

  /** Records the head of a request, and returns the response that has to be sent before, if any. */
  begin(request: IncomingMessage, response: ServerResponse): ServerResponse | null {
    const before = this.#response;
    this.#request = request;
    this.#response = response;
    if (this.#parser) this.#bodyLeft = Number(request.headers['content-length'] ?? 0);
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    this.#chunked = isChunked ? this.#readChunked(request) : null;
    if (before === null || before.writableFinished) return null;
    this.#hasPipelined = true;
    return before;
  }

  #readChunked(request: IncomingMessage): ChunkedBody {
    // When the head has been parsed, before Node reads on.
    process.nextTick(() => this.readInPieces());
    return new ChunkedBody(request, () => this.#readOn());
  }

  /** Node itself would resume the socket, whoever waits for a turn. */
  #readOn(): boolean {
    if (!this.#parser) return false;
    if (this.#isStalled) this.#takeTurn();
    else if (!this.#isWaiting) this.#socket.resume();
    this.#isStalled = false;
    return true;
  }

  readInPieces(): void {
    if (this.#parser || this.#isClosing) return;
    this.#parser = detachParser(this.#socket);
    if (!this.#parser) return;
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('end', () => this.#end());
    // Node's parser took the bytes before the stream, whose first read is thus still in progress.
    // This ends it: otherwise a stream that is paused now would never read again.
    this.#socket.push(NOTHING);
  }

  /** Ignores what is still to come, and calls back once the answers in progress are sent. */
  close(then?: () => void): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (this.#isWaiting) this.#backlog.count(-this.#rest.length);
    this.#rest = NOTHING;
    if (!then) return;
    if (this.#isAnswering()) this.#response?.once('close', then);
    else then();
  }

  #isAnswering(): boolean {
    return this.#request?.complete === true && !this.#response?.writableFinished;
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const mustWait = this.#isWaiting || this.#isAnswering() || this.#chunked?.isFull;
    if (mustWait || !this.#backlog.isIdle) this.#wait(bytes);
    else this.#parse(bytes);
  }

  /** Parses one piece, and the body that has arrived with its head. */
  #parse(bytes: Buffer): void {
    let rest = bytes;
    let end = 0;
    do {
      end = this.#pieceEnd(rest);
      const piece = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (this.#bodyLeft > 0) this.#bodyLeft -= end;
      if (end > 0) this.#parser?.execute(piece);
      this.#chunked?.endPiece();
    } while (rest.length > 0 && this.#bodyLeft > 0);
    if (this.#isClosing) return;
    if (end > 0 && rest.length > 0) this.#wait(rest);
    else this.#rest = rest;
  }

  #pieceEnd(bytes: Buffer): number {
    if (this.#bodyLeft > 0) return Math.min(this.#bodyLeft, bytes.length);
    const most = this.#chunkedLeft?.pieceBytes ?? bytes.length;
    const headEnd = bytes.subarray(0, most).indexOf(HEAD_END);
    if (headEnd >= 0) return headEnd + HEAD_END.length;
    if (bytes.length > most) return most - startedHeadEnd(bytes.subarray(0, most));
    // The beginning of the four bytes stays back: with their end, another request could follow in
    // the same piece.
    return bytes.length - startedHeadEnd(bytes);
  }

  /** A chunked body of which more is to come. */
  get #chunkedLeft(): ChunkedBody | null {
    return this.#request?.complete === false ? this.#chunked : null;
  }

  #wait(bytes: Buffer): void {
    if (this.#isAnswering()) this.#hasPipelined = true;
    const more = bytes.length - (this.#isWaiting ? this.#rest.length : 0);
    this.#rest = bytes;
    this.#socket.pause();
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      if (this.#isAnswering()) this.#response?.once('close', () => this.#takeTurn());
      else this.#takeTurn();
    }
    if (!this.#backlog.count(more)) this.close(() => this.#socket.destroySoon());
  }

  #takeTurn(): void {
    this.#backlog.add(this.caller, this.#proceed);
  }

  readonly #proceed = (): void => {
    if (this.#isClosing) return;
    this.#isStalled = this.#chunkedLeft?.isFull === true;
    if (this.#isStalled) return;
    const bytes = this.#rest;
    this.#isWaiting = false;
    this.#backlog.count(-bytes.length);
    this.#rest = NOTHING;
    // After an answer with "Connection: close", nothing follows.
    if (!this.#socket.writable) return;
    this.#parse(bytes);
    if (this.#isWaiting) return;
    this.#socket.resume();
    if (this.#hasEnded) this.#finish();
  };

  #end(): void {
    if (this.#isWaiting) this.#hasEnded = true;
    else this.#finish();
  }

  #finish(): void {
    if (this.#rest.length > 0) this.#parser?.execute(this.#rest);
    if (!this.#isClosing) this.#parser?.finish();
  }
}

interface Parser {
  execute(bytes: Buffer): void;
  finish(): void;
}

/**
 * Takes from the socket the listeners through which Node's server receives its bytes, so that ours
 * can hand them on. Which listeners there are is not documented: if they change, the socket stays
 * as it is, which serves correctly but parses ahead what one read returns.
 */
function detachParser(socket: Socket): Parser | null {
  const data = socket.listeners('data') as Parser['execute'][];
  // Of the socket itself, of Node's server, and of the connection above.
  const end = socket.listeners('end') as Parser['finish'][];
  const [execute] = data;
  const [, finish] = end;
  if (!execute || !finish || data.length !== 1 || end.length !== 3) return null;
  socket.removeListener('data', execute);
  socket.removeListener('end', finish);
  return { execute, finish };
}

const startsWith = (bytes: Buffer, start: Buffer): boolean =>
  bytes.subarray(0, start.length).equals(start);

/** Whether something follows the first request. Behind other methods it would be a body. */
function hasSeveral(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END);
  return headEnd >= 0 && headEnd + HEAD_END.length < bytes.length && startsWith(bytes, GET);
}

/** How many bytes at the end may be the beginning of HEAD_END. */
function startedHeadEnd(bytes: Buffer): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF) return bytes[length - 2] === CR ? 2 : 0;
  if (bytes[length - 1] !== CR) return 0;
  return bytes[length - 2] === LF && bytes[length - 3] === CR ? 3 : 1;
}

/**
 * The key in the head of a first request. Its blanks are trimmed apart: an expression that did so
 * took 130 ms for a head of 4 kB of them.
 */
export const keyIn = (head: Buffer): string | undefined =>
  AUTHORIZATION.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1]?.trim();
