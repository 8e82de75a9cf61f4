/** What became of an export. */
export interface Delivery {
  /** `refused`: it will never be accepted. `failed`: it may be later. */
  outcome: 'sent' | 'refused' | 'failed';
  /** How many spans, or values of metrics, of one that was sent were not accepted. */
  rejected: number;
  /** How long the collector asks to be left alone. */
  retryAfterMs: number;
}

export type Signal = 'traces' | 'metrics';

export interface CollectorEvents {
  /** Called once per outage. */
  onFailing(signal: Signal, reason: string): void;
  onWorking(signal: Signal): void;
}

interface CollectorOptions {
  signal: Signal;
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  events: CollectorEvents;
  /** Ends what is being sent, and fails what is sent later. */
  closing: AbortSignal;
}

/** The statuses that the protocol names as passing. */
const RETRYABLE = [429, 502, 503, 504];
/** Spans would be dropped meanwhile, so no collector is obeyed for longer. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_REASON_LENGTH = 200;

/** Where one kind of data is sent to. Nothing that it does, or does not do, reaches a caller. */
export class Collector {
  failures = 0;
  readonly #options: CollectorOptions;
  #isFailing = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async send(body: string): Promise<Delivery> {
    const { url, headers, timeoutMs, closing } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        // The headers may have a secret, which is for this host alone.
        redirect: 'error',
        signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
      });
      const { ok, status } = response;
      // What was accepted stays so if the rest of the answer does not arrive.
      const answer = (await response.json().catch(() => null)) as Answer | null;
      if (ok) return this.#delivered(answer?.partialSuccess ?? {});
      const outcome = RETRYABLE.includes(status) ? 'failed' : 'refused';
      const retryAfterMs = retryAfterOf(response.headers);
      return this.#failed({ outcome, rejected: 0, retryAfterMs }, `status ${status}`);
    } catch (error) {
      const delivery: Delivery = { outcome: 'failed', rejected: 0, retryAfterMs: 0 };
      return this.#failed(delivery, reasonOf(error as Error));
    }
  }

  /** What was rejected must not be sent again, says the protocol. */
  #delivered({ rejectedSpans, rejectedDataPoints, errorMessage = '' }: PartialSuccess): Delivery {
    const rejected = Math.max(0, Number(rejectedSpans ?? rejectedDataPoints) || 0);
    const delivery: Delivery = { outcome: 'sent', rejected, retryAfterMs: 0 };
    if (rejected > 0) return this.#failed(delivery, `rejected ${rejected}: ${errorMessage}`);
    if (this.#isFailing) this.#options.events.onWorking(this.#options.signal);
    this.#isFailing = false;
    return delivery;
  }

  #failed(delivery: Delivery, reason: string): Delivery {
    const { events, signal } = this.#options;
    this.failures += 1;
    if (!this.#isFailing) events.onFailing(signal, reason.slice(0, MAX_REASON_LENGTH));
    this.#isFailing = true;
    return delivery;
  }
}

type PartialSuccess = NonNullable<Answer['partialSuccess']>;

interface Answer {
  partialSuccess?: { rejectedSpans?: string; rejectedDataPoints?: string; errorMessage?: string };
}

/** A number of seconds, or a date; 0 if there is neither. */
function retryAfterOf(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}

/** `fetch` says no more than that it failed, and why in its cause. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}
