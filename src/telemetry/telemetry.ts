import { randomUUID } from 'node:crypto';
import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import type { MetricSnapshot } from '../http/metrics.ts';
import { type CollectorEvents, MetricExporter, SpanExporter } from './exporters.ts';
import { OtlpEncoder } from './otlp.ts';
import { samplerOf, Tracer } from './tracer.ts';

/** How long a stop waits for the collector to take what is left. */
const STOP_MS = 900;

/** Traces and metrics for an OpenTelemetry collector, over OTLP/HTTP with JSON. */
export class Telemetry {
  /** Null if requests are not traced. */
  readonly tracer: Tracer | null = null;
  readonly #closing = new AbortController();
  readonly #spans: SpanExporter | null = null;
  readonly #metrics: MetricExporter | null = null;

  constructor(settings: TelemetrySettings, version: string, events: CollectorEvents) {
    const { headers, timeoutMs, attributes, tracesUrl, metricsUrl } = settings;
    const process = { 'service.version': version, 'service.instance.id': randomUUID() };
    const encoder = new OtlpEncoder({ ...process, ...attributes }, { name: 'realmkeep', version });
    const common = { headers, timeoutMs, encoder, events, closing: this.#closing.signal };
    if (tracesUrl !== null) {
      const everyMs = settings.tracesEveryMs;
      const spans = new SpanExporter({ ...common, signal: 'traces', url: tracesUrl, everyMs });
      this.#spans = spans;
      this.tracer = new Tracer(samplerOf(settings), (span) => spans.add(span));
    }
    if (metricsUrl !== null) {
      const everyMs = settings.metricsEveryMs;
      this.#metrics = new MetricExporter({
        ...common,
        signal: 'metrics',
        url: metricsUrl,
        everyMs,
      });
    }
  }

  start(readMetrics: () => Promise<MetricSnapshot[]>): void {
    this.#spans?.start();
    if (!this.#metrics) return;
    this.#metrics.read = readMetrics;
    this.#metrics.start();
  }

  /** Sends what is left, unless that takes too long. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), STOP_MS);
    await Promise.all([this.#spans?.stop(), this.#metrics?.stop()]);
    clearTimeout(timer);
  }

  counts() {
    const failures = {
      ...(this.#spans && { traces: this.#spans.failures }),
      ...(this.#metrics && { metrics: this.#metrics.failures }),
    };
    return { spans: { ...this.#spans?.counts }, failures };
  }
}
