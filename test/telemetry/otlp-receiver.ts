import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { TelemetrySettings } from '../../src/config/telemetry-settings.ts';
import { bodies } from './otlp-format.ts';

type Attributes = Record<string, string | number | boolean>;

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: Attributes;
  links: { traceId: string; spanId: string }[];
  status: { code?: number };
}

interface ReceivedMetric {
  name: string;
  type: 'gauge' | 'sum' | 'histogram';
  points: { attributes: Attributes; value: number; bucketCounts: number[] }[];
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; boolValue?: boolean; intValue?: string; doubleValue?: number };
}

interface Resource {
  attributes: KeyValue[];
}

type WireSpan = Omit<ReceivedSpan, 'start' | 'end' | 'attributes' | 'links' | 'status'> & {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
};

interface Traces {
  resourceSpans: { resource: Resource; scopeSpans: { spans: WireSpan[] }[] }[];
}

interface Points {
  dataPoints: {
    attributes: KeyValue[];
    asDouble?: number;
    count?: string;
    bucketCounts?: string[];
  }[];
}

interface WireMetric {
  name: string;
  gauge?: Points;
  sum?: Points;
  histogram?: Points;
}

interface Metrics {
  resourceMetrics: { resource: Resource; scopeMetrics: { metrics: WireMetric[] }[] }[];
}

/** A collector that takes only what the protocol allows, and remembers what it has got. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Of the last export. */
  metrics: ReceivedMetric[] = [];
  /** What came with the last export. */
  resource: Attributes = {};
  headers: IncomingMessage['headers'] = {};
  /** All that was received. */
  readonly texts: string[] = [];
  /** What does not follow the protocol. */
  readonly faults: Error[] = [];
  requests = 0;
  /** What is answered; null for nothing. */
  status: number | null = 200;
  answer: object = {};
  readonly #server = createServer((request, response) => void this.#receive(request, response));
  readonly #waiting: (() => void)[] = [];

  /** For all tests of a file; nothing may be received that does not follow the protocol. */
  static async forFile(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((done) => receiver.#server.listen(0, '127.0.0.1', done));
    after(async () => {
      receiver.#server.closeAllConnections();
      await new Promise((done) => receiver.#server.close(done));
      assert.deepEqual(receiver.faults, []);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settings that send to it, often. */
  settings(more: Record<string, string> = {}): TelemetrySettings | null {
    return readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: this.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
      ...more,
    }).telemetry;
  }

  /** Resolves when the condition holds; it is checked after each request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((done) => this.#waiting.push(done));
    }
  }

  spansOf(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  metric(name: string): ReceivedMetric {
    const found = this.metrics.find((metric) => metric.name === name);
    assert.ok(found, `${name} was not received`);
    return found;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.requests += 1;
    const text = Buffer.concat(chunks).toString();
    if (this.status === 200) this.#keep(request, text);
    if (this.status !== null) {
      const headers = { 'content-type': 'application/json' };
      response.writeHead(this.status, headers).end(JSON.stringify(this.answer));
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #keep({ method, url = '', headers }: IncomingMessage, text: string): void {
    try {
      assert.deepEqual([method, headers['content-type']], ['POST', 'application/json']);
      const body = JSON.parse(text);
      const check = bodies[url];
      assert.ok(check, url);
      check(body, url);
      this.headers = headers;
      this.texts.push(text);
      if (url === '/v1/traces') this.#keepSpans(body);
      else this.#keepMetrics(body);
    } catch (error) {
      this.faults.push(error as Error);
    }
  }

  #keepSpans({ resourceSpans }: Traces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const { startTimeUnixNano, endTimeUnixNano, ...span } of spansIn(scopeSpans)) {
        this.spans.push({
          status: {},
          links: [],
          ...span,
          start: BigInt(startTimeUnixNano),
          end: BigInt(endTimeUnixNano),
          attributes: plain(span.attributes),
        });
      }
    }
  }

  #keepMetrics({ resourceMetrics }: Metrics): void {
    for (const { resource, scopeMetrics } of resourceMetrics) {
      this.resource = plain(resource.attributes);
      this.metrics = scopeMetrics.flatMap(({ metrics }) => metrics.map(receivedMetric));
    }
  }
}

const spansIn = (scopes: Traces['resourceSpans'][number]['scopeSpans']) =>
  scopes.flatMap(({ spans }) => spans);

function receivedMetric({ name, gauge, sum, histogram }: WireMetric): ReceivedMetric {
  const points = (gauge ?? sum ?? histogram)?.dataPoints ?? [];
  return {
    name,
    type: gauge ? 'gauge' : sum ? 'sum' : 'histogram',
    points: points.map(({ attributes, asDouble, count, bucketCounts = [] }) => ({
      attributes: plain(attributes),
      value: asDouble ?? Number(count),
      bucketCounts: bucketCounts.map(Number),
    })),
  };
}

const plain = (attributes: KeyValue[] = []): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

function plainValue({ stringValue, boolValue, intValue, doubleValue }: KeyValue['value']) {
  return (
    stringValue ?? boolValue ?? (intValue === undefined ? (doubleValue ?? 0) : Number(intValue))
  );
}
