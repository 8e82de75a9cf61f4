import { randomUUID } from 'node:crypto';
import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import type { MetricSnapshot } from '../http/metrics.ts';
import { Collector, type CollectorEvents, type Signal } from './collector.ts';
import { MetricExporter, SpanExporter } from './exporters.ts';
import { OtlpEncoder } from './otlp.ts';
import { samplerOf, Tracer } from './tracer.ts';

/** How long a stop waits for the collector to take what is left. */
const STOP_MS = 900;

/** Traces and metrics for an OpenTelemetry collector, over OTLP/HTTP with JSON. */
export class Telemetry {
  /** Null if requests are not traced. */
  readonly tracer: Tracer | null;
  readonly #closing = new AbortController();
  readonly #collectors: Partial<Record<Signal, Collector>> = {};
  readonly #spans: SpanExporter | null;
  readonly #metrics: MetricExporter | null;

  constructor(settings: TelemetrySettings, version: string, events: CollectorEvents) {
    const { tracesUrl, metricsUrl, tracesEveryMs, metricsEveryMs, ...common } = settings;
    const { headers, timeoutMs, attributes } = common;
    const process = { 'service.version': version, 'service.instance.id': randomUUID() };
    const encoder = new OtlpEncoder({ ...process, ...attributes }, { name: 'realmkeep', version });
    const collectorOf = (signal: Signal, url: string): Collector => {
      const { signal: closing } = this.#closing;
      const collector = new Collector({ signal, url, headers, timeoutMs, events, closing });
      this.#collectors[signal] = collector;
      return collector;
    };
    const spans =
      tracesUrl === null
        ? null
        : new SpanExporter(collectorOf('traces', tracesUrl), encoder, tracesEveryMs);
    this.#spans = spans;
    this.tracer = spans && new Tracer(samplerOf(settings), (span) => spans.add(span));
    this.#metrics =
      metricsUrl === null
        ? null
        : new MetricExporter(collectorOf('metrics', metricsUrl), encoder, metricsEveryMs);
  }

  start(readMetrics: () => Promise<MetricSnapshot[]>): void {
    this.#spans?.start();
    this.#metrics?.start(readMetrics);
  }

  /** Sends what is left, unless that takes too long. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), STOP_MS);
    await Promise.all([this.#spans?.stop(), this.#metrics?.stop()]);
    clearTimeout(timer);
  }

  counts() {
    const failures = Object.entries(this.#collectors).map(([signal, { failures }]) => [
      signal,
      failures,
    ]);
    return { spans: { ...this.#spans?.counts }, failures: Object.fromEntries(failures) };
  }
}
