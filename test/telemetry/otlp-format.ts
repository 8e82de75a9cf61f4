/**
 * The messages of OTLP in JSON, as far as they are received here: whatever is not in these tables
 * is refused. Ids are hexadecimal, integers of 64 bits are text, and enumerations are numbers.
 */
import assert from 'node:assert/strict';

type Check = (value: unknown, at: string) => void;

const matching =
  (pattern: RegExp): Check =>
  (value, at) => {
    assert.equal(typeof value, 'string', at);
    assert.match(value as string, pattern, at);
  };
const text: Check = (value, at) => assert.equal(typeof value, 'string', at);
const flag: Check = (value, at) => assert.equal(typeof value, 'boolean', at);
const real: Check = (value, at) => assert.ok(Number.isFinite(value), at);
const integer: Check = (value, at) => assert.ok(Number.isSafeInteger(value), at);
const integer64 = matching(/^-?\d{1,19}$/);
const instant = matching(/^[1-9]\d{18}$/);
const traceId = matching(/^(?!0+$)[\da-f]{32}$/);
const spanId = matching(/^(?!0+$)[\da-f]{16}$/);
const oneOf =
  (...values: number[]): Check =>
  (value, at) =>
    assert.ok(values.includes(value as number), at);
const listOf =
  (check: Check): Check =>
  (value, at) => {
    assert.ok(Array.isArray(value), at);
    for (const [index, one] of value.entries()) check(one, `${at}/${index}`);
  };

/** A message with these fields, and those of `required`. */
const message =
  (required: Record<string, Check>, fields: Record<string, Check> = {}): Check =>
  (value, at) => {
    assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), at);
    const checks = { ...required, ...fields };
    for (const name of Object.keys(required)) assert.ok(name in value, `${at}/${name} is missing`);
    for (const [name, one] of Object.entries(value)) {
      assert.ok(checks[name], `${at}/${name} is unknown`);
      checks[name](one, `${at}/${name}`);
    }
  };

const oneFieldOf = (fields: Record<string, Check>, value: object, at: string): void => {
  const names = Object.keys(fields).filter((name) => name in value);
  assert.equal(names.length, 1, `${at} has ${names.join(' and ') || 'no value'}`);
};

const anyValue: Check = (value, at) => {
  const kinds = { stringValue: text, boolValue: flag, intValue: integer64, doubleValue: real };
  message({}, kinds)(value, at);
  oneFieldOf(kinds, value as object, at);
};
const attributes: Check = (value, at) => {
  listOf(message({ key: text, value: anyValue }))(value, at);
  const keys = (value as { key: string }[]).map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, `${at} has a key twice`);
};

const resource = message({ attributes });
const scope = message({ name: text }, { version: text });
const span = message(
  { traceId, spanId, name: text, startTimeUnixNano: instant, endTimeUnixNano: instant },
  {
    parentSpanId: spanId,
    flags: integer,
    kind: oneOf(1, 2, 3, 4, 5),
    attributes,
    links: listOf(message({ traceId, spanId }, { attributes, flags: integer })),
    status: message({}, { code: oneOf(0, 1, 2), message: text }),
  },
);

const when = { startTimeUnixNano: instant, timeUnixNano: instant };
const numberPoint: Check = (value, at) => {
  const kinds = { asDouble: real, asInt: integer64 };
  message({ attributes, ...when }, kinds)(value, at);
  oneFieldOf(kinds, value as object, at);
};
const histogramPoint: Check = (value, at) => {
  const bounds = { explicitBounds: listOf(real), bucketCounts: listOf(integer64) };
  message({ attributes, ...when, count: integer64, sum: real, ...bounds })(value, at);
  const point = value as { count: string; explicitBounds: number[]; bucketCounts: string[] };
  const { count, explicitBounds, bucketCounts } = point;
  assert.equal(bucketCounts.length, explicitBounds.length + 1, at);
  const counts = bucketCounts.map(Number);
  assert.ok(
    counts.every((one) => one >= 0),
    at,
  );
  assert.equal(
    counts.reduce((sum, one) => sum + one),
    Number(count),
    at,
  );
  assert.deepEqual(
    explicitBounds,
    [...new Set(explicitBounds)].toSorted((a, b) => a - b),
    at,
  );
};
const temporality = { aggregationTemporality: oneOf(1, 2) };
const metric: Check = (value, at) => {
  const kinds = {
    gauge: message({ dataPoints: listOf(numberPoint) }),
    sum: message({ dataPoints: listOf(numberPoint), ...temporality, isMonotonic: flag }),
    histogram: message({ dataPoints: listOf(histogramPoint), ...temporality }),
  };
  message({ name: text }, { description: text, unit: text, ...kinds })(value, at);
  oneFieldOf(kinds, value as object, at);
};

/** The body of a request, by the end of its path. */
export const bodies: Record<string, Check> = {
  '/v1/traces': message({
    resourceSpans: listOf(
      message({ resource, scopeSpans: listOf(message({ scope, spans: listOf(span) })) }),
    ),
  }),
  '/v1/metrics': message({
    resourceMetrics: listOf(
      message({ resource, scopeMetrics: listOf(message({ scope, metrics: listOf(metric) })) }),
    ),
  }),
};
