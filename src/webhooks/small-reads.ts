import type { Agent, ClientRequest } from 'node:http';
import type { OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';

/** A read of this many bytes holds at most 170 chunks, or 40 informational answers. */
const READ_BYTES = 1024;
/** For the largest answer that is read to its end, and much around it. */
const MAX_READS = 512;

/** A receiver answers in a way that no receiver in good order does. */
export class InvalidAnswer extends Error {}

type Connect = (
  options: object,
  onCreate?: (error: Error | null, socket: Duplex) => void,
) => Duplex;

/**
 * Makes the sockets of an agent read little at a time. Otherwise Node reads 64 KiB, up to 32 times
 * in a row, and calls back for each part of it, also after the request was destroyed.
 */
export class SmallReads {
  /** Those left for the request that the socket is used for. */
  readonly #left = new WeakMap<Duplex, number>();
  readonly #buffer = Buffer.alloc(READ_BYTES);

  applyTo<A extends Agent>(agent: A): A {
    const connect = agent.createConnection.bind(agent) as Connect;
    const readingInto = (callback: OnReadOpts['callback']) => ({ buffer: this.#buffer, callback });
    const connectSmall: Connect = (options, onCreate) => {
      const onread = readingInto((size) => this.#take(socket, size));
      const socket = connect({ ...options, onread }, onCreate);
      return socket;
    };
    return Object.assign(agent, { createConnection: connectSmall });
  }

  /** Bounds what is read for a request. */
  bound(request: ClientRequest): ClientRequest {
    return request.once('socket', (socket) => this.#left.set(socket, MAX_READS));
  }

  /** Whether the socket is to read on. */
  #take(socket: Duplex, size: number): boolean {
    const left = this.#left.get(socket) ?? 0;
    this.#left.set(socket, left - 1);
    if (left > 0) return socket.push(Buffer.from(this.#buffer.subarray(0, size)));
    socket.destroy(new InvalidAnswer('the answer has too many parts'));
    return false;
  }
}
