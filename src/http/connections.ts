import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Backlog } from './backlog.ts';
import { Connection } from './connection.ts';

export interface ConnectionLimits {
  /** How often connections with unsent bytes are looked for. */
  stallCheckMs: number;
  /** How long such a connection may then make no progress before it is closed. */
  stallMs: number;
  /** Bounds the received bytes that wait in all connections together. */
  maxWaitingBytes: number;
  /** For how long after a pipelined request new connections are read in pieces from the start. */
  waryMs: number;
  /** Of more new connections in a second, those beyond are read in pieces from the start. */
  newPerSecond: number;
}

const LIMITS: ConnectionLimits = {
  stallCheckMs: 5_000,
  stallMs: 25_000,
  maxWaitingBytes: 64 * 1024 * 1024,
  waryMs: 60_000,
  newPerSecond: 200,
};

/**
 * So many requests in one iteration of the event loop mean overload: libuv polls up to 48 times for
 * up to 1,024 sockets before anything else runs, and 3,000 callers blocked the process for seconds.
 */
const MANY_REQUESTS = 300;
/**
 * So do fewer, but some, that keep this thread busy for this long together. In time of the
 * processor: on a machine that does other work as well, ordinary requests may take long by the
 * clock. The clock is looked at first, since it costs less.
 */
const [SOME_REQUESTS, LONG_MS] = [3, 25];

/** How many requests that have waited for the same thing go on in one iteration. */
const RESUMED_AT_ONCE = 4;

/** So many times the limit of new connections, and all that are open are read in pieces. */
const TOO_MANY = 2;
/** So many times the limit are remembered at most. */
const REMEMBERED = 2.5;

/**
 * Serves the requests of each connection one after another, and reads no further meanwhile.
 *
 * Node parses whatever one read returns and emits every request in it: up to 3,600 small ones at
 * once from each socket. 250 sockets with pipelined requests blocked the process for two minutes
 * and then exhausted its memory. Handing the parser less at a time costs ordinary requests some
 * 10 %, so connections are left to Node until one pipelines or there is overload. Then all are
 * read in pieces. Of many new ones, those beyond the first are so from the start.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #backlog: Backlog;
  readonly #open = new Map<Socket, Connection>();
  #waryUntil = 0;
  /** In this iteration of the event loop, and when the first of them arrived, by both clocks. */
  #requests = 0;
  #since = 0;
  #processorSince = 0;
  /** Requests that went on in this iteration, after they had waited. */
  #resumed = 0;
  /** New connections that are not forgotten yet, and when the last of them was accepted. */
  #remembered = 0;
  #acceptedAt = 0;

  /** Takes the place of the server's listener for requests. */
  constructor(server: Server, changes: Partial<ConnectionLimits> = {}) {
    this.#limits = { ...LIMITS, ...changes };
    this.#backlog = new Backlog(this.#limits.maxWaitingBytes);
    // A caller that closes its side after its request still gets its answer. Node has the property,
    // but its types do not.
    Object.assign(server, { httpAllowHalfOpen: true });
    const [handle] = server.listeners('request') as RequestListener[];
    if (!handle) throw new Error('the server has no listener for requests');
    server.removeAllListeners('request');
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(request.socket);
      const before = connection?.begin(request, response);
      // Node drops what follows in the same read, so nothing may follow.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      if (!before) {
        this.#countRequest();
        handle.call(server, request, response);
        return;
      }
      before.once('close', () => {
        this.#backlog.add(connection?.caller ?? '', () => {
          if (!response.destroyed) handle.call(server, request, response);
        });
      });
      this.#becomeWary();
    });
    const check = setInterval(() => this.#watchUnsent(), this.#limits.stallCheckMs).unref();
    server.on('close', () => clearInterval(check));
  }

  /** Calls back once every request of the connection that arrived in full is answered. */
  afterAnswers(socket: Socket, then: () => void): void {
    const connection = this.#open.get(socket);
    if (connection) connection.close(then);
    else then();
  }

  /** Resolves when a request may go on that has waited with others; the first ones may at once. */
  turn(caller: string): Promise<void> | undefined {
    if (this.#resumed === 0) setImmediate(this.#endTurn);
    this.#resumed += 1;
    return this.#resumed > RESUMED_AT_ONCE ? this.#backlog.turn(caller) : undefined;
  }

  readonly #endTurn = (): void => {
    this.#resumed = 0;
  };

  #add(socket: Socket): void {
    this.#backlog.delay.want();
    const connection = new Connection(socket, this.#backlog);
    this.#open.set(socket, connection);
    socket.on('close', () => {
      connection.close();
      this.#open.delete(socket);
    });
    const now = performance.now();
    this.#countConnection(now);
    const isBurst = this.#remembered > this.#limits.newPerSecond;
    if (isBurst || now < this.#waryUntil) connection.readInPieces();
  }

  #countConnection(now: number): void {
    const { newPerSecond } = this.#limits;
    const forgotten = (newPerSecond * (now - this.#acceptedAt)) / 1_000;
    const before = Math.max(0, this.#remembered - forgotten);
    this.#remembered = Math.min(before + 1, REMEMBERED * newPerSecond);
    this.#acceptedAt = now;
    const tooMany = TOO_MANY * newPerSecond;
    if (before < tooMany && this.#remembered >= tooMany) this.#readInPieces();
  }

  #countRequest(): void {
    this.#requests += 1;
    if (this.#requests === 1) {
      this.#since = performance.now();
      this.#processorSince = processorTime();
      setImmediate(this.#endIteration);
    } else if (this.#isOverloaded()) this.#becomeWary();
  }

  #isOverloaded(): boolean {
    if (this.#requests >= MANY_REQUESTS) return true;
    const isLong = performance.now() >= this.#since + LONG_MS;
    if (this.#requests < SOME_REQUESTS || !isLong) return false;
    return processorTime() > this.#processorSince + LONG_MS;
  }

  readonly #endIteration = (): void => {
    this.#requests = 0;
  };

  #becomeWary(): void {
    const isWary = performance.now() < this.#waryUntil;
    this.#waryUntil = performance.now() + this.#limits.waryMs;
    // On the next tick, when this read has been parsed and before another socket is read.
    if (!isWary) process.nextTick(() => this.#readInPieces());
  }

  #readInPieces(): void {
    for (const connection of this.#open.values()) connection.readInPieces();
  }

  /** A timeout of a socket counts from its last progress, so that a slow reader is not cut off. */
  #watchUnsent(): void {
    const { stallMs } = this.#limits;
    for (const socket of this.#open.keys()) {
      if (socket.writableLength > 0 && socket.timeout !== stallMs) socket.setTimeout(stallMs);
    }
  }
}

/** Of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
