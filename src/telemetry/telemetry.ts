import { randomUUID } from 'node:crypto';
import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import { type MetricSnapshot, OtlpEncoder } from './otlp.ts';
import { type Span, samplerOf, Tracer } from './tracer.ts';

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

type Signal = 'traces' | 'metrics';

export interface CollectorEvents {
  /** Called once per outage. */
  onFailing(signal: Signal, reason: string): void;
  onWorking(signal: Signal): void;
}

interface ExporterOptions {
  signal: Signal;
  url: string;
  headers: Record<string, string>;
  everyMs: number;
  timeoutMs: number;
  encoder: OtlpEncoder;
  events: CollectorEvents;
  /** Ends what is being sent, and fails what is sent later. */
  closing: AbortSignal;
}

/** The statuses that the protocol names as passing. */
const RETRYABLE = [429, 502, 503, 504];
/** The first pause after a failure, and the longest: each is twice as long as the one before. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [1_000, 60_000];
/** Spans would be dropped meanwhile, so no collector is obeyed for longer. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_REASON_LENGTH = 200;

/**
 * Sends one kind of data to a collector, periodically, one export at a time. Nothing that the
 * collector does, or does not do, reaches a caller.
 */
abstract class Exporter {
  failures = 0;
  protected readonly encoder: OtlpEncoder;
  readonly #options: ExporterOptions;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | null = null;
  #isFailing = false;
  #pauseMs = 0;
  #pausedUntil = 0;

  constructor(options: ExporterOptions) {
    this.encoder = options.encoder;
    this.#options = options;
  }

  /** Sends an export; whether another should follow at once. */
  protected abstract sendOne(): Promise<boolean>;

  start(): void {
    this.#timer = setInterval(() => this.send(), this.#options.everyMs).unref();
  }

  /** Sends what is left, until the collector fails. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#sendAll();
  }

  protected send(): void {
    if (performance.now() < this.#pausedUntil) return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  async #sendAll(): Promise<void> {
    while (await this.sendOne());
  }

  /** How many spans or values were not accepted, for good; null if it failed. Never rejects. */
  protected async post(body: string): Promise<number | null> {
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
      // What was accepted stays so if the rest of the answer does not arrive.
      const answer = (await response.json().catch(() => null)) as Answer | null;
      if (response.ok) return this.#delivered(answer?.partialSuccess ?? {});
      this.#onFailure(`status ${response.status}`);
      if (!RETRYABLE.includes(response.status)) return Number.POSITIVE_INFINITY;
      this.#pause(Number(response.headers.get('retry-after')) * 1_000 || 0);
    } catch (error) {
      this.#onFailure(reasonOf(error as Error));
      this.#pause(0);
    }
    return null;
  }

  /** What was rejected must not be sent again, says the protocol. */
  #delivered({ rejectedSpans, rejectedDataPoints, errorMessage = '' }: PartialSuccess): number {
    this.#pauseMs = 0;
    const rejected = Math.max(0, Number(rejectedSpans ?? rejectedDataPoints) || 0);
    if (rejected > 0) this.#onFailure(`rejected ${rejected}: ${errorMessage}`);
    else if (this.#isFailing) {
      this.#isFailing = false;
      this.#options.events.onWorking(this.#options.signal);
    }
    return rejected;
  }

  #onFailure(reason: string): void {
    const { events, signal } = this.#options;
    this.failures += 1;
    if (!this.#isFailing) events.onFailing(signal, reason.slice(0, MAX_REASON_LENGTH));
    this.#isFailing = true;
  }

  #pause(retryAfterMs: number): void {
    this.#pauseMs = Math.min(2 * this.#pauseMs || MIN_PAUSE_MS, MAX_PAUSE_MS);
    const wanted = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    this.#pausedUntil = performance.now() + Math.max(this.#pauseMs, wanted);
  }
}

interface PartialSuccess {
  rejectedSpans?: string;
  rejectedDataPoints?: string;
  errorMessage?: string;
}

type Answer = { partialSuccess?: PartialSuccess };

/** `fetch` says no more than that it failed, and why in its cause. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.message;
}

/** Those that do not fit are dropped: memory is bounded, whatever the collector does. */
const MAX_SPANS = 4_096;
/** How many are sent at once. To encode them takes about two milliseconds. */
const MAX_SENT = 512;

/** Spans on their way to a collector, in order. */
export class SpanExporter extends Exporter {
  readonly counts = { sent: 0, dropped: 0 };
  readonly #spans: Span[] = [];

  add(span: Span): void {
    if (this.#spans.length >= MAX_SPANS) {
      this.counts.dropped += 1;
      return;
    }
    this.#spans.push(span);
    if (this.#spans.length >= MAX_SENT) this.send();
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.counts.dropped += this.#spans.splice(0).length;
  }

  protected async sendOne(): Promise<boolean> {
    const spans = this.#spans.slice(0, MAX_SENT);
    if (spans.length === 0) return false;
    const rejected = await this.post(this.encoder.traces(spans));
    if (rejected === null) return false;
    this.#spans.splice(0, spans.length);
    const dropped = Math.min(rejected, spans.length);
    this.counts.sent += spans.length - dropped;
    this.counts.dropped += dropped;
    return spans.length === MAX_SENT;
  }
}

/** Sends the metrics. An export that is lost is made up for by the next: they are totals. */
class MetricExporter extends Exporter {
  read: () => Promise<MetricSnapshot[]> = async () => [];

  protected async sendOne(): Promise<boolean> {
    // If they cannot be read, GET /metrics says why.
    const metrics = await this.read().catch(() => []);
    await this.post(this.encoder.metrics(metrics));
    return false;
  }
}
