import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { TestRealm } from './service.ts';

interface StreamedEvent {
  seq: number;
  type: string;
  at: string;
  actor: string;
  data: Record<string, unknown>;
}

interface ReaderOptions {
  /** Null for none. */
  key?: string | null;
  headers?: Record<string, string>;
  /** The query, with its question mark. */
  query?: string;
  lastEventId?: number | string;
  onEvent?: (event: StreamedEvent) => void;
}

/** A client that reads a stream of server-sent events as a browser would. */
export class EventReader {
  readonly events: StreamedEvent[] = [];
  /** What is not part of an event: comments, and ids without one. */
  readonly others: string[] = [];
  lastEventId: number | null = null;
  retryMs: number | null = null;
  /** Resolves when the stream has ended: true if it did so between two blocks. */
  readonly ended: Promise<boolean>;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  readonly #onEvent: (event: StreamedEvent) => void;
  readonly #waiting = new Set<() => void>();
  #rest = '';
  #hasEnded = false;

  private constructor(
    outgoing: ClientRequest,
    response: IncomingMessage,
    onEvent: (event: StreamedEvent) => void,
  ) {
    this.#request = outgoing;
    this.#response = response;
    this.#onEvent = onEvent;
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.#hasEnded = true;
        this.#wake();
        resolve(response.complete && this.#rest === '');
      });
    });
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#receive(text));
    response.on('error', () => undefined);
  }

  static open(realm: TestRealm, options: ReaderOptions = {}): Promise<EventReader> {
    const { key = realm.key, query = '', lastEventId, onEvent = () => undefined } = options;
    const outgoing = request(`${realm.service.url}${realm.path(`/events${query}`)}`, {
      agent: false,
      headers: {
        accept: 'text/event-stream',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...options.headers,
        ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      },
    });
    return new Promise((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.once('response', (response) => {
        if (response.statusCode === 200) resolve(new EventReader(outgoing, response, onEvent));
        else reject(new Error(`${response.statusCode} instead of a stream`));
      });
      outgoing.end();
    });
  }

  get headers(): IncomingMessage['headers'] {
    return this.#response.headers;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq);
  }

  /** Resolves when the condition holds after something was received; rejects at the end. */
  async until(condition: (reader: this) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.#hasEnded) throw new Error('the stream has ended');
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
    }
  }

  /** Resolves when the event with this number has been received. */
  reaches(seq: number): Promise<void> {
    return this.until(() => (this.events.at(-1)?.seq ?? 0) >= seq);
  }

  close(): void {
    this.#request.destroy();
  }

  #receive(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#readBlock(block);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #readBlock(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name !== '') fields.set(name, value);
    }
    const [id, data, retry] = [fields.get('id'), fields.get('data'), fields.get('retry')];
    if (retry !== undefined) this.retryMs = Number(retry);
    if (id !== undefined) this.lastEventId = Number(id);
    if (data === undefined) {
      this.others.push(block);
      return;
    }
    const event: StreamedEvent = JSON.parse(data);
    if (event.type !== fields.get('event') || String(event.seq) !== id) {
      throw new Error(`an event that contradicts itself: ${block}`);
    }
    this.events.push(event);
    this.#onEvent(event);
  }
}
