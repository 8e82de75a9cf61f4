import { monotonicMs } from '../engine/batch-timing.ts';
import type { MetricSnapshot } from '../http/metrics.ts';
import type { Collector } from './collector.ts';
import type { OtlpEncoder } from './otlp-encoder.ts';
import { otlpMetrics } from './otlp-metrics.ts';
import { WallClock } from './wall-clock.ts';

/** Sends the metrics periodically. One that is lost is made up for by the next: they are totals. */
export class MetricExporter {
  readonly #collector: Collector;
  readonly #encoder: OtlpEncoder;
  readonly #everyMs: number;
  readonly #clock = new WallClock();
  readonly #startedAt = this.#clock.nanosecondsAt(monotonicMs());
  #read: () => Promise<MetricSnapshot[]> = async () => [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<unknown> | null = null;
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
    clearInterval(this.#timer ?? undefined);
    await this.#sending;
    await this.#send();
  }

  async #send(): Promise<void> {
    this.#clock.adjust();
    // If they cannot be read, GET /metrics says why.
    const snapshot = await this.#read().catch(() => []);
    const period = {
      startTimeUnixNano: this.#startedAt,
      timeUnixNano: this.#clock.nanosecondsAt(monotonicMs()),
    };
    const body = this.#encoder.metrics(otlpMetrics(snapshot, period));
    const { retryAfterMs } = await this.#collector.send(body);
    this.#pausedUntil = performance.now() + retryAfterMs;
  }
}
