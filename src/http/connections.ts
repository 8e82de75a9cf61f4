import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { invalidRequest, ProblemError } from '../contract/problems.ts';
import { Unavailable } from '../ledger/errors.ts';
import { FairQueue, type Waiting } from '../ledger/fair-queue.ts';

/** A connection with more unanswered requests is closed. */
const MAX_UNANSWERED = 16;
/** Of all answers together. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const CHECK_MS = 1_000;
/** How long an answer may make no progress. Node counts from the last progress. */
const STALL_MS = 25_000;
/**
 * How long a caller that has closed its side waits for its answer. It may as well have left, which
 * cannot be told apart before something is sent to it.
 */
const HALF_CLOSED_MS = 2_000;
/** For an answer that comes before the end of its request. */
const LINGER_MS = 1_000;
/** Each costs a call, whatever its size. */
const MAX_CHUNKS = 4_000;

/** Somebody who is sent something. */
interface Reader {
  readonly unreadBytes: number;
  drop(): void;
}

/** Drops those who have left the most unread, until the others have at most so many bytes. */
export function dropSlowest(readers: Iterable<Reader>, most: number): void {
  const slowest = [...readers].sort((one, two) => two.unreadBytes - one.unreadBytes);
  let unread = slowest.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0);
  for (const reader of slowest) {
    if (unread <= most) return;
    unread -= reader.unreadBytes;
    reader.drop();
  }
}

/** One socket, whose requests are served one at a time. */
class Connection implements Reader {
  readonly #socket: Socket;
  readonly #serve: RequestListener;
  /** The one that is being answered comes first. */
  readonly #unanswered: ServerResponse[] = [];
  #last: (() => void) | null = null;

  constructor(socket: Socket, serve: RequestListener) {
    this.#socket = socket;
    this.#serve = serve;
    socket.on('end', () => {
      if (this.#unanswered.length > 0) socket.setTimeout(HALF_CLOSED_MS);
    });
  }

  get unreadBytes(): number {
    return this.#socket.writableLength;
  }

  drop(): void {
    this.#socket.destroy();
  }

  add(response: ServerResponse): void {
    if (this.#unanswered.length === MAX_UNANSWERED) this.drop();
    if (this.#socket.destroyed) return;
    this.#unanswered.push(response);
    if (response.req.headers['transfer-encoding'] !== undefined) this.#endIfUnfinished(response);
    response.on('close', this.#serveNext);
    if (this.#unanswered.length === 1) this.#serve(response.req, response);
  }

  readonly #serveNext = (): void => {
    this.#unanswered.shift();
    if (this.#socket.destroyed) return;
    const [next] = this.#unanswered;
    // In a turn of its own: others must not wait until all of a pipeline is answered.
    if (next) setImmediate(() => this.#serve(next.req, next));
    else this.#last?.();
  };

  /**
   * If a body in chunks is answered before its end, the connection ends with the answer, which says
   * so. It is not reset at once, because that would discard the answer.
   */
  #endIfUnfinished(response: ServerResponse): void {
    const socket = this.#socket;
    const { writeHead } = response;
    response.writeHead = ((...head: Parameters<typeof writeHead>) => {
      if (!response.req.complete) {
        response.shouldKeepAlive = false;
        socket.destroySoon = () => {
          socket.end();
          // Behind Node, which begins to read and drop the rest: that may be a million chunks.
          setImmediate(() => socket.pause());
          setTimeout(() => this.drop(), LINGER_MS).unref();
        };
      }
      return writeHead.apply(response, head);
    }) as typeof writeHead;
  }

  /** Calls back once every request that has arrived in full is answered. Nothing follows. */
  afterAnswers(last: () => void): void {
    const newest = this.#unanswered.at(-1);
    if (newest?.req.complete === false) {
      newest.off('close', this.#serveNext);
      this.#unanswered.pop();
    }
    if (this.#unanswered.length === 0) last();
    else this.#last = last;
  }

  /** A timeout that is set again would begin anew. */
  watchUnread(): void {
    const socket = this.#socket;
    if (this.unreadBytes > 0 && socket.timeout !== STALL_MS) socket.setTimeout(STALL_MS);
  }
}

/**
 * Serves the requests of a connection one after another. Node parses all that one read of a socket
 * returns, which may be thousands of requests, and would serve them at once.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();

  /** Follows a server, and has its requests served. */
  follow(server: Server, serve: RequestListener): void {
    // A caller that closes its side after its request still gets its answer. Node has the property,
    // but its types do not.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, new Connection(socket, serve));
      socket.on('close', () => this.#open.delete(socket));
    });
    server.on('request', (request, response: ServerResponse) => {
      // Node drops what follows in the same read, so nothing may follow.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      this.#open.get(request.socket)?.add(response);
    });
    const check = setInterval(() => this.#checkUnread(), CHECK_MS).unref();
    server.on('close', () => clearInterval(check));
  }

  /** The bytes of answers that callers have not read yet. */
  get unreadBytes(): number {
    return this.#open.values().reduce((sum, { unreadBytes }) => sum + unreadBytes, 0);
  }

  /** Calls back once what is in progress on a connection is answered. */
  afterAnswers(socket: Socket, last: () => void): void {
    const connection = this.#open.get(socket);
    if (connection) connection.afterAnswers(last);
    else last();
  }

  #checkUnread(): void {
    for (const connection of this.#open.values()) connection.watchUnread();
    if (this.unreadBytes > MAX_UNREAD_BYTES) dropSlowest(this.#open.values(), MAX_UNREAD_BYTES);
  }
}

/**
 * The bytes of a body. What is left of one that is refused is read and dropped by Node, unless it
 * comes in chunks: then its connection ends.
 */
export function receive(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const add = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit && chunks.length <= MAX_CHUNKS) return;
      request.off('data', add);
      const detail = `must have its body in at most ${MAX_CHUNKS} chunks`;
      reject(length > limit ? tooLarge(limit) : invalidRequest([{ pointer: '', detail }]));
    };
    const end = (): void => {
      const [first] = chunks;
      // Nearly every body arrives in one piece.
      resolve(first?.length === length ? first : Buffer.concat(chunks));
    };
    const leave = (): void => {
      if (!request.readableEnded) reject(new Unavailable('overloaded', 'the caller has left'));
    };
    if (Number(request.headers['content-length']) > limit) return reject(tooLarge(limit));
    if (request.destroyed) return leave();
    request.on('data', add).on('end', end).on('close', leave);
  });
}

const tooLarge = (limit: number): ProblemError => new ProblemError('body-too-large', { limit });

/** Node keeps only the first of several, but which one was meant must not be guessed. */
export function isRepeated(rawHeaders: readonly string[], header: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === header.length && name.toLowerCase() === header) seen += 1;
  }
  return seen > 1;
}

/**
 * The bytes that one turn of the event loop takes on: half a millisecond of work. Node accepts one
 * connection in such a turn, so new callers wait for a thousand others if there are as many.
 */
export const WHOLE_TURN = 4 * 1024;
/** A check of a signature, which takes as long as so many bytes. */
export const SIGNATURE = 128 * 1024;
/** What has fewer bytes is done at once. */
const SMALL = 1024;
const LIMITS = { perRealm: 8 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

interface Waiter extends Waiting {
  resolve: () => void;
}

/**
 * Bodies and documents that are not small are worked on a few at a time, in turns by realm. Between
 * two turns of the event loop everybody else is served.
 */
class Turns {
  readonly #waiting = new FairQueue<Waiter>(LIMITS);
  #isRunning = false;

  /** Resolves when it is the turn of so many bytes; null if it is now. */
  next(realmId: string, bytes: number): Promise<void> | null {
    if (bytes < SMALL) return null;
    return new Promise((resolve, reject) => {
      if (!this.#waiting.add({ realmId, cost: bytes, resolve })) {
        reject(new Unavailable('overloaded', 'too many large requests of the realm are waiting'));
      } else if (!this.#isRunning) {
        this.#isRunning = true;
        setImmediate(this.#run);
      }
    });
  }

  readonly #run = (): void => {
    let bytes = 0;
    while (bytes < WHOLE_TURN) {
      const next = this.#waiting.take();
      if (!next) break;
      bytes += next.cost;
      next.resolve();
    }
    this.#isRunning = this.#waiting.length > 0;
    if (this.#isRunning) setImmediate(this.#run);
  };
}

/** A process has one event loop. */
export const turns = new Turns();
