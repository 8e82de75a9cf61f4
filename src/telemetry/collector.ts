/** `refused`: it will never be accepted. `failed`: it may be later. */
type Delivery = 'sent' | 'refused' | 'failed';

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
      await response.body?.cancel();
      if (response.ok) return this.#working();
      const isPassing = RETRYABLE.includes(response.status);
      return this.#failing(isPassing ? 'failed' : 'refused', `status ${response.status}`);
    } catch (error) {
      return this.#failing('failed', reasonOf(error as Error));
    }
  }

  #working(): Delivery {
    if (this.#isFailing) this.#options.events.onWorking(this.#options.signal);
    this.#isFailing = false;
    return 'sent';
  }

  #failing(delivery: Delivery, reason: string): Delivery {
    this.failures += 1;
    if (!this.#isFailing) this.#options.events.onFailing(this.#options.signal, reason);
    this.#isFailing = true;
    return delivery;
  }
}

/** `fetch` says no more than that it failed, and why in its cause. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}
