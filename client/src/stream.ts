import { backoffMs, onAbort, pause } from './deadline.ts';
import type { EventType, RealmEvent } from './generated.ts';
import { RealmkeepError } from './problem.ts';
import { SseParser } from './sse-parser.ts';

export interface StreamOptions<T extends EventType = EventType> {
  /** The `seq` of the last event that you have; by default 0, so that the stream has all events. */
  after?: number | undefined;
  /** Only events of these types. */
  types?: readonly T[] | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Called with each failure that the stream gets over; what it throws ends the stream. */
  onRetry?: ((failure: unknown) => void) | undefined;
}

/** The service sends something every 15 seconds. A connection that is silent longer is broken. */
const SILENCE_MS = 45_000;

type Open = (after: number, signal: AbortSignal) => Promise<Response>;

/** All events after `after`, and then each as it happens. A broken connection is resumed. */
export async function* streamOf<T extends EventType>(
  open: Open,
  { after = 0, signal = new AbortController().signal, onRetry }: StreamOptions<T>,
): AsyncGenerator<RealmEvent<T>, void> {
  let position = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let askedMs = 0;
    try {
      for await (const { id, data } of blocksOf(open, position, signal)) {
        if (signal.aborted) return;
        failures = 0;
        // Without data, it says how far the stream is if `types` has left out the latest events.
        if (id !== undefined) position = Number(id);
        if (data !== undefined) yield JSON.parse(data);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      if (error instanceof RealmkeepError) askedMs = error.retryAfterMs ?? 0;
      onRetry?.(error);
    }
    await pause(askedMs + backoffMs(failures), signal).catch(() => {});
  }
}

/** Whether the service has refused, in which case it would refuse again. */
const isFinal = (error: unknown): boolean =>
  error instanceof RealmkeepError &&
  error.code !== 'connection-failed' &&
  error.status < 500 &&
  ![408, 429].includes(error.status);

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
  const forget = onAbort(signal, end);
  try {
    const { body } = await unlessSilent(open(after, connection.signal), end);
    reader = body?.getReader();
    const decoder = new TextDecoder();
    const parser = new SseParser();
    while (reader) {
      const { done, value } = await unlessSilent(reader.read(), end);
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    forget();
    end();
  }
}

/** Waits for the service, but not for ever: a broken connection may never say so. */
async function unlessSilent<T>(step: Promise<T>, end: () => void): Promise<T> {
  const timer = setTimeout(end, SILENCE_MS);
  try {
    return await step;
  } finally {
    clearTimeout(timer);
  }
}
