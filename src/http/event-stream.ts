import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { EventFilter } from '../ledger/feeds/event-filter.ts';
import type { Subscriber } from '../ledger/feeds/realm-feed.ts';
import type { StreamKey } from '../ledger/feeds/stream-key.ts';

/** A reader that has left more than this unread is dropped, and resumes when it can. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Readers whose streams end together do not all come back at the same moment. */
const [MIN_RETRY_MS, MAX_RETRY_MS] = [1_000, 3_000];
/** How long a reader has to take the end of its stream, and whatever it has left unread. */
const END_MS = 1_000;
const COMMENT = Buffer.from(':\n\n');

/** All streams, counted. */
export interface StreamCounts {
  events: number;
  dropped: number;
}

interface StreamOptions {
  response: ServerResponse;
  socket: Socket;
  filter: EventFilter;
  key: StreamKey | null;
  /** The last event that the reader has. */
  position: number;
  counts: StreamCounts;
  onSent: (bytes: number) => void;
}

/** One reader of server-sent events. */
export class EventStream implements Subscriber {
  readonly filter: EventFilter;
  readonly key: StreamKey | null;
  readonly caller: Socket;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  position: number;
  isClosed = false;
  readonly #response: ServerResponse;
  readonly #counts: StreamCounts;
  readonly #onSent: (bytes: number) => void;
  /** The last id that the reader knows. */
  #sentId: number;

  constructor({ response, socket, filter, key, position, counts, onSent }: StreamOptions) {
    this.filter = filter;
    this.key = key;
    this.caller = socket;
    this.position = position;
    this.#response = response;
    this.#counts = counts;
    this.#onSent = onSent;
    this.#sentId = position;
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
    // A reader that closes its side has left; whoever waits for an answer may do so.
    socket.once('end', () => response.destroy());
    socket.once('timeout', () => {
      this.#counts.dropped += 1;
    });
  }

  get unreadBytes(): number {
    return this.caller.writableLength;
  }

  /** Sends the head, and how long to wait before connecting again. */
  begin(headers: Record<string, number | string | string[] | undefined>): void {
    // The stream is the last answer on its connection, and ends with it: chunks would only cost.
    this.#response.removeHeader('transfer-encoding');
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // Otherwise nginx would keep events back until it has a buffer full of them.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    this.#response.write(`retry: ${retryMs()}\n\n`);
  }

  advance(position: number, bytes: Buffer | null, events: number): void {
    if (this.isClosed) return;
    this.position = position;
    if (bytes === null) return;
    if (this.unreadBytes > MAX_UNREAD_BYTES) {
      this.drop();
      return;
    }
    this.#sentId = position;
    this.#counts.events += events;
    // Flushed now, so that the time of the slice includes the write.
    this.caller.cork();
    this.#response.write(bytes);
    this.caller.uncork();
    this.#onSent(bytes.length);
  }

  async drained(): Promise<void> {
    if (!this.#response.writableNeedDrain || this.isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#response.once('drain', resolve).once('close', resolve);
    await promise;
    this.#response.off('drain', resolve).off('close', resolve);
  }

  /** Shows that the stream is alive, and how far it is if its filter has left out the latest. */
  beat(): void {
    if (this.isClosed || this.unreadBytes > 0) return;
    this.#response.write(this.#idBlock() || COMMENT);
  }

  /** Cuts off a reader that does not read. */
  drop(): void {
    if (this.isClosed) return;
    this.#counts.dropped += 1;
    this.isClosed = true;
    this.#response.destroy();
  }

  end(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#response.end(`${this.#idBlock()}: ${reason}\nretry: ${retryMs()}\n\n`);
    const cut = setTimeout(() => this.#response.destroy(), END_MS);
    void this.closed.then(() => clearTimeout(cut));
  }

  /** An id without an event, so that a resumed stream need not go over what was left out. */
  #idBlock(): string {
    if (this.#sentId === this.position) return '';
    this.#sentId = this.position;
    return `id: ${this.position}\n\n`;
  }
}

const retryMs = (): number =>
  Math.round(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
