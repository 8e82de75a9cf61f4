import { backoffMs, pause } from './deadline.ts';
import type { RealmEvent } from './generated.ts';
import { RealmkeepError } from './problem.ts';

export interface StreamOptions {
  /** The `seq` of the last event that you have seen; 0, which is from the start, by default. */
  after?: number;
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** The service sends something at least every 15 seconds; the connection is dead without. */
const SILENCE_MS = 45_000;

type Open = (after: number, signal: AbortSignal) => Promise<Response>;

/** All events after `after`, then each as it happens. A broken connection is resumed. */
export async function* streamOf(open: Open, options: StreamOptions): AsyncGenerator<RealmEvent> {
  const { signal = new AbortController().signal } = options;
  let { after = 0 } = options;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const event of connect(open, after, signal)) {
        // A failure is over when something has arrived.
        failures = 0;
        after = event.seq;
        yield event;
      }
    } catch (error) {
      if (!signal.aborted && isFinal(error)) throw error;
    }
    await pause(backoffMs(failures), signal).catch(() => {});
  }
}

/** Whether the service has refused, in which case it would refuse again. */
const isFinal = (error: unknown): boolean =>
  error instanceof RealmkeepError && error.status < 500 && ![408, 429].includes(error.status);

async function* connect(
  open: Open,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RealmEvent> {
  const connection = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const end = (): void => {
    connection.abort();
    // It fails if the connection has failed, which is as good an end.
    reader?.cancel().catch(() => {});
  };
  signal.addEventListener('abort', end);
  let silence = setTimeout(end, SILENCE_MS);
  try {
    const { body } = await open(after, connection.signal);
    if (!body) return;
    const parser = new SseParser();
    const decoder = new TextDecoder();
    reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      for (const data of parser.push(decoder.decode(value, { stream: true }))) {
        yield JSON.parse(data);
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    end();
  }
}

/** Reads server-sent events, however they are cut into chunks. */
export class SseParser {
  #rest = '';
  #data: string[] = [];

  /** The data of the events that this text completes. */
  push(text: string): string[] {
    // The line feed that belongs to a carriage return at the end may be in the next chunk.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const complete: string[] = [];
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(5).replace(/^ /, ''));
      if (line !== '' || this.#data.length === 0) continue;
      complete.push(this.#data.join('\n'));
      this.#data = [];
    }
    return complete;
  }
}
