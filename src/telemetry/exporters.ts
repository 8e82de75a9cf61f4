import type { MetricSnapshot } from '../http/metrics.ts';
import type { Collector } from './collector.ts';
import type { OtlpEncoder } from './otlp.ts';
import type { Span } from './spans.ts';

/** Those that do not fit are dropped: memory is bounded, whatever the collector does. */
const MAX_SPANS = 4_096;
/** How many are sent at once. To encode them takes about two milliseconds. */
const MAX_SENT = 512;
/** The longest pause after failures. */
const MAX_PAUSE_MS = 60_000;

/** Spans on their way to a collector: in order, one export at a time. */
export class SpanExporter {
  readonly counts = { sent: 0, dropped: 0 };
  readonly #collector: Collector;
  readonly #encoder: OtlpEncoder;
  readonly #everyMs: number;
  readonly #spans: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;
  #pauseMs = 0;
  #pausedUntil = 0;

  constructor(collector: Collector, encoder: OtlpEncoder, everyMs: number) {
    this.#collector = collector;
    this.#encoder = encoder;
    this.#everyMs = everyMs;
  }

  start(): void {
    this.#timer = setInterval(() => this.#sendAll(), this.#everyMs).unref();
  }

  add(span: Span): void {
    if (this.#spans.length >= MAX_SPANS) {
      this.counts.dropped += 1;
      return;
    }
    this.#spans.push(span);
    if (this.#spans.length >= MAX_SENT) this.#sendAll();
  }

  /** Sends what is left, until the collector fails. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    while (this.#spans.length > 0 && (await this.#sendSome()));
    this.counts.dropped += this.#spans.splice(0).length;
  }

  #sendAll(): void {
    if (performance.now() < this.#pausedUntil) return;
    this.#sending ??= this.#run().finally(() => {
      this.#sending = null;
    });
  }

  /** Full exports follow one another at once; what is left waits for more. */
  async #run(): Promise<void> {
    do {
      if (this.#spans.length === 0 || !(await this.#sendSome())) return;
    } while (this.#spans.length >= MAX_SENT);
  }

  /** Whether the collector took them, or never will. */
  async #sendSome(): Promise<boolean> {
    const spans = this.#spans.slice(0, MAX_SENT);
    const body = this.#encoder.traces(spans);
    const { outcome, rejected, retryAfterMs } = await this.#collector.send(body);
    if (outcome === 'failed') {
      // Each pause is twice as long as the one before, unless the collector asks for a longer one.
      this.#pauseMs = Math.min(2 * this.#pauseMs || this.#everyMs, MAX_PAUSE_MS);
      this.#pausedUntil = performance.now() + Math.max(this.#pauseMs, retryAfterMs);
      return false;
    }
    this.#pauseMs = 0;
    this.#spans.splice(0, spans.length);
    const dropped = outcome === 'refused' ? spans.length : Math.min(rejected, spans.length);
    this.counts.sent += spans.length - dropped;
    this.counts.dropped += dropped;
    return true;
  }
}

/** Sends the metrics periodically. One that is lost is made up for by the next: they are totals. */
export class MetricExporter {
  readonly #collector: Collector;
  readonly #encoder: OtlpEncoder;
  readonly #everyMs: number;
  #read: () => Promise<MetricSnapshot[]> = async () => [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;
  #pausedUntil = 0;

  constructor(collector: Collector, encoder: OtlpEncoder, everyMs: number) {
    this.#collector = collector;
    this.#encoder = encoder;
    this.#everyMs = everyMs;
  }

  start(read: () => Promise<MetricSnapshot[]>): void {
    this.#read = read;
    this.#timer = setInterval(() => {
      if (performance.now() < this.#pausedUntil) return;
      this.#sending ??= this.#send().finally(() => {
        this.#sending = null;
      });
    }, this.#everyMs).unref();
  }

  /** Sends the last totals. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#send();
  }

  async #send(): Promise<void> {
    // If they cannot be read, GET /metrics says why.
    const metrics = await this.#read().catch(() => []);
    const { retryAfterMs } = await this.#collector.send(this.#encoder.metrics(metrics));
    this.#pausedUntil = performance.now() + retryAfterMs;
  }
}
