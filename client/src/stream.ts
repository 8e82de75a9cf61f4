import { backoffMs, pause } from './deadline.ts';
import type { EventType, RealmEvent } from './generated.ts';
import { RealmkeepError } from './problem.ts';
import { SseParser } from './sse-parser.ts';

export interface StreamOptions<T extends EventType = EventType> {
  /** The `seq` of the last event that you have; by default 0, so that the stream has all events. */
  after?: number;
  /** Only events of these types. */
  types?: T[];
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** The service sends something every 15 seconds. A connection that is silent longer is broken. */
const SILENCE_MS = 45_000;

type Open = (after: number, signal: AbortSignal) => Promise<Response>;

/** All events after `after`, and then each as it happens. A broken connection is resumed. */
export async function* streamOf<T extends EventType>(
  open: Open,
  { after = 0, signal = new AbortController().signal }: StreamOptions<T>,
): AsyncGenerator<RealmEvent<T>, void> {
  let position = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const { id, data } of blocksOf(open, position, signal)) {
        failures = 0;
        // Without data, it says how far the stream is if `types` has left out the latest events.
        if (id !== undefined) position = Number(id);
        if (data !== undefined) yield JSON.parse(data);
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

/** The blocks of one connection, until it ends, fails, falls silent or is no longer wanted. */
async function* blocksOf(
  open: Open,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<{ id?: string; data?: string }> {
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
    reader = (await open(after, connection.signal)).body?.getReader();
    const decoder = new TextDecoder();
    const parser = new SseParser();
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    end();
  }
}
