import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { OtlpEncoder } from '../../src/telemetry/otlp.ts';
import { SpanExporter } from '../../src/telemetry/telemetry.ts';
import { parseTraceparent, type Span, samplerOf, Tracer } from '../../src/telemetry/tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent is read as Trace Context says', () => {
  const sampled = { traceId: TRACE, spanId: SPAN, isSampled: true };
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-01`), sampled);
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-03`), sampled);
  assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`), sampled);
  const silent = { ...sampled, isSampled: false };
  assert.deepEqual(parseTraceparent(`00-${TRACE}-${SPAN}-00`), silent);
  const invalid = [
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    // Two headers, as Node joins them.
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ];
  for (const header of invalid) assert.equal(parseTraceparent(header), null, String(header));
});

test('samplers go by the parent, by the trace id, or always the same way', () => {
  const parents = [null, false, true].map(
    (isSampled) => isSampled !== null && { traceId: TRACE, spanId: SPAN, isSampled },
  );
  const answers = (sampler: Parameters<typeof samplerOf>[0]['sampler'], ratio = 1) =>
    parents.map((parent) => samplerOf({ sampler, ratio })(TRACE, parent || null));
  assert.deepEqual(answers('always_on'), [true, true, true]);
  assert.deepEqual(answers('always_off'), [false, false, false]);
  assert.deepEqual(answers('parentbased_always_on'), [true, false, true]);
  assert.deepEqual(answers('parentbased_always_off'), [false, false, true]);
  assert.deepEqual(answers('traceidratio', 1), [true, true, true]);
  assert.deepEqual(answers('traceidratio', 0), [false, false, false]);
  assert.deepEqual(answers('parentbased_traceidratio', 0), [false, false, true]);
});

test('a share of all trace ids is sampled, and a larger share has all of a smaller one', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) =>
    createHash('md5').update(String(index)).digest('hex'),
  );
  const sampled = (ratio: number) => {
    const isSampled = samplerOf({ sampler: 'traceidratio', ratio });
    return new Set(ids.filter((id) => isSampled(id, null)));
  };
  const [tenth, half] = [sampled(0.1), sampled(0.5)];
  assert.ok(Math.abs(tenth.size - 1_000) < 150, String(tenth.size));
  assert.ok(Math.abs(half.size - 5_000) < 250, String(half.size));
  assert.ok(tenth.isSubsetOf(half));
});

test('an answer of 5xx is an error of the service', () => {
  const spans: Span[] = [];
  const tracer = new Tracer(
    () => true,
    (span) => spans.push(span),
  );
  const request = { method: 'PROPFIND', route: '/x', realmId: undefined };
  tracer.begin(undefined)?.end({ ...request, status: 503, problemCode: 'overloaded' });
  const [span] = spans;
  assert.equal(span?.isError, true);
  assert.equal(span?.name, '_OTHER /x');
  assert.equal(span?.attributes['error.type'], 'overloaded');
});

test('a batch that failed makes its spans errors', () => {
  const spans: Span[] = [];
  const tracer = new Tracer(
    () => true,
    (span) => spans.push(span),
  );
  tracer.addBatch({
    size: 2,
    startedAt: 2,
    decidedAt: null,
    endedAt: 3,
    error: 'storage-full',
    traced: [{ trace: `00-${TRACE}-${SPAN}-01`, pushedAt: 1 }],
  });
  assert.deepEqual(
    spans.map(({ name, isError, attributes }) => [name, isError, attributes['error.type']]),
    [['batch', true, 'storage-full']],
  );
});

const span: Span = {
  traceId: TRACE,
  spanId: SPAN,
  parentSpanId: null,
  name: 'x',
  kind: 'server',
  startedAt: 1,
  endedAt: 2,
  attributes: {},
  links: [],
  isError: false,
};

/** An exporter to a collector that answers as it is told, and how often it was sent to. */
function exporterTo(context: TestContext, answer: () => Response) {
  const calls = { count: 0 };
  context.mock.method(globalThis, 'fetch', async () => {
    calls.count += 1;
    return answer();
  });
  const exporter = new SpanExporter({
    signal: 'traces',
    url: 'http://127.0.0.1/',
    headers: {},
    everyMs: 5_000,
    timeoutMs: 10_000,
    encoder: new OtlpEncoder({}, { name: 'test', version: '1' }),
    events: { onFailing: () => undefined, onWorking: () => undefined },
    closing: new AbortController().signal,
  });
  const addFull = async (): Promise<void> => {
    for (let count = 0; count < 512; count++) exporter.add(span);
    await new Promise(setImmediate);
  };
  return { exporter, calls, addFull };
}

test('no more spans are kept than there is room for; the others are counted', async (context) => {
  let status = 503;
  const { exporter, calls, addFull } = exporterTo(context, () => Response.json({}, { status }));
  for (let round = 0; round < 10; round++) await addFull();
  assert.equal(exporter.counts.dropped, 5_120 - 4_096);
  const { count: failed } = calls;
  status = 200;
  await exporter.stop();
  assert.equal(exporter.counts.sent, 4_096);
  assert.equal(calls.count - failed, 4_096 / 512);
});

test('a collector that asks for it is left alone, within reason', async (context) => {
  const clock = { now: 10_000 };
  context.mock.method(performance, 'now', () => clock.now);
  let seconds = '120';
  const answer = () => Response.json({}, { status: 429, headers: { 'retry-after': seconds } });
  const { calls, addFull } = exporterTo(context, answer);
  await addFull();
  clock.now += 119_999;
  await addFull();
  assert.equal(calls.count, 1);
  clock.now += 1;
  seconds = '86400';
  await addFull();
  clock.now += 600_000;
  seconds = 'soon';
  await addFull();
  assert.equal(calls.count, 3);
  clock.now += 4_000;
  await addFull();
  assert.equal(calls.count, 4, 'each pause is twice as long as the one before');
});

test('what a collector rejects is dropped', async (context) => {
  const rejected = { partialSuccess: { rejectedSpans: '2' } };
  const { exporter, addFull } = exporterTo(context, () => Response.json(rejected));
  await addFull();
  await exporter.stop();
  assert.deepEqual(exporter.counts, { sent: 510, dropped: 2 });
});
