import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { EventFilter } from '../ledger/feeds/event-page.ts';
import type { StreamKey, Subscriber } from '../ledger/feeds/realm-feed.ts';

/** A reader that has left more than this unread is dropped, and resumes when it can. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Readers whose streams end together do not all come back at the same moment. */
const [MIN_RETRY_MS, MAX_RETRY_MS] = [1_000, 3_000];
/** How long a reader has to take the end of its stream, and whatever it has left unread. */
const END_MS = 1_000;
const COMMENT = Buffer.from(':\n\n');

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

export class EventStream implements Subscriber {
  readonly filter: EventFilter;
  readonly key: StreamKey | null;
  readonly closed: Promise<void>;
  position: number;
  isClosed = false;
  readonly #options: StreamOptions;
  /** The last id that the reader knows. */
  #sentId: number;

  constructor(options: StreamOptions) {
    const { response, socket, filter, key, position, counts } = options;
    this.#options = options;
    this.filter = filter;
    this.key = key;
    this.position = position;
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
      counts.dropped += 1;
    });
  }

  get unreadBytes(): number {
    return this.#options.socket.writableLength;
  }

  /** Sends the head, and how long to wait before connecting again. */
  begin(headers: Record<string, number | string | string[] | undefined>): void {
    // The stream is the last answer on its connection, and ends with it: chunks would only cost.
    const { response } = this.#options;
    response.removeHeader('transfer-encoding');
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // Otherwise nginx would keep events back until it has a buffer full of them.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    response.write(`retry: ${retryMs()}\n\n`);
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
    const { counts, socket, response, onSent } = this.#options;
    counts.events += events;
    // Flushed now, so that the time of the slice includes the write.
    socket.cork();
    response.write(bytes);
    socket.uncork();
    onSent(bytes.length);
  }

  async drained(): Promise<void> {
    const { response } = this.#options;
    if (!response.writableNeedDrain || this.isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('drain', resolve).once('close', resolve);
    await promise;
    response.off('drain', resolve).off('close', resolve);
  }

  /** Shows that the stream is alive, and how far it is if its filter has left out the latest. */
  beat(): void {
    if (this.isClosed || this.unreadBytes > 0) return;
    this.#options.response.write(this.#idBlock() || COMMENT);
  }

  drop(): void {
    if (this.isClosed) return;
    this.#options.counts.dropped += 1;
    this.isClosed = true;
    this.#options.response.destroy();
  }

  end(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#options.response.end(`${this.#idBlock()}: ${reason}\nretry: ${retryMs()}\n\n`);
    const cut = setTimeout(() => this.#options.response.destroy(), END_MS);
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
