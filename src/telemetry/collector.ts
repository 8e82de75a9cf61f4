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
/** What is read of an answer: nobody knows how long it is. */
const MAX_ANSWER_BYTES = 16_384;
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
      if (response.ok) return this.#delivered(partialSuccessIn(await beginningOf(response)));
      await response.body?.cancel();
      const outcome = RETRYABLE.includes(response.status) ? 'failed' : 'refused';
      const retryAfterMs = retryAfterOf(response.headers);
      return this.#failing({ outcome, rejected: 0, retryAfterMs }, `status ${response.status}`);
    } catch (error) {
      const delivery: Delivery = { outcome: 'failed', rejected: 0, retryAfterMs: 0 };
      return this.#failing(delivery, reasonOf(error as Error));
    }
  }

  /** What was rejected must not be sent again, says the protocol. */
  #delivered({ rejected, reason }: PartialSuccess): Delivery {
    const delivery: Delivery = { outcome: 'sent', rejected, retryAfterMs: 0 };
    if (rejected > 0) return this.#failing(delivery, `rejected ${rejected}: ${reason}`);
    if (this.#isFailing) this.#options.events.onWorking(this.#options.signal);
    this.#isFailing = false;
    return delivery;
  }

  #failing(delivery: Delivery, reason: string): Delivery {
    this.failures += 1;
    if (!this.#isFailing) this.#options.events.onFailing(this.#options.signal, reason);
    this.#isFailing = true;
    return delivery;
  }
}

/** What was accepted stays so if the rest of the answer does not arrive. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body ?? []) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    return '';
  }
  return Buffer.concat(parts).toString();
}

interface PartialSuccess {
  rejected: number;
  reason: string;
}

/** Whatever else a collector answers, it has accepted everything. */
function partialSuccessIn(answer: string): PartialSuccess {
  try {
    const { partialSuccess } = JSON.parse(answer);
    const { rejectedSpans, rejectedDataPoints, errorMessage } = partialSuccess ?? {};
    const rejected = Math.max(0, Number(rejectedSpans ?? rejectedDataPoints) || 0);
    return { rejected, reason: String(errorMessage ?? '').slice(0, MAX_REASON_LENGTH) };
  } catch {
    return { rejected: 0, reason: '' };
  }
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
