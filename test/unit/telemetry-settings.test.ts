import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };
const read = (settings: Record<string, string>) => readConfig(settings).telemetry;
const urls = (settings: Record<string, string>) => {
  const telemetry = read(settings);
  return telemetry && [telemetry.tracesUrl, telemetry.metricsUrl];
};

test('nothing is sent unless there is an endpoint', () => {
  assert.equal(read({}), null);
  assert.equal(read({ OTEL_SERVICE_NAME: 'books', OTEL_TRACES_SAMPLER: 'always_on' }), null);
  assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), null);
  assert.equal(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }), null);
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  assert.equal(read({ ...ENDPOINT, ...none }), null);
});

test('one endpoint is for both, and each kind of data may have its own', () => {
  const both = [
    'http://collector.example:4318/v1/traces',
    'http://collector.example:4318/v1/metrics',
  ];
  assert.deepEqual(urls(ENDPOINT), both);
  assert.deepEqual(urls({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/' }), both);
  assert.deepEqual(urls({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/in/?key=a%2Fb' }), [
    'https://otlp.example/in/v1/traces?key=a%2Fb',
    'https://otlp.example/in/v1/metrics?key=a%2Fb',
  ]);
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?x=1' };
  assert.deepEqual(urls(own), ['https://traces.example/in?x=1', null]);
  assert.deepEqual(urls({ ...ENDPOINT, ...own }), ['https://traces.example/in?x=1', both[1]]);
  assert.deepEqual(urls({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }), [null, both[1]]);
  assert.deepEqual(urls({ ...ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' }), [both[0], null]);
});

test('the rest has the defaults of OpenTelemetry', () => {
  const { tracesUrl, metricsUrl, ...rest } = read(ENDPOINT) ?? {};
  assert.deepEqual(rest, {
    headers: {},
    timeoutMs: 10_000,
    attributes: { 'service.name': 'realmkeep' },
    sampler: 'parentbased_always_on',
    ratio: 1,
    tracesEveryMs: 5_000,
    metricsEveryMs: 60_000,
  });
});

test('pairs are percent-encoded, and OTEL_SERVICE_NAME comes before the attributes', () => {
  const pairs = 'service.name=a, tier = gold%2C1 ,empty=,';
  const attributes = (more: Record<string, string>) =>
    read({ ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: pairs, ...more })?.attributes;
  assert.deepEqual(attributes({}), { 'service.name': 'a', tier: 'gold,1', empty: '' });
  assert.equal(attributes({ OTEL_SERVICE_NAME: 'books' })?.['service.name'], 'books');
  const headers = read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db%20c' })?.headers;
  assert.deepEqual(headers, { 'api-key': 'a=b c' });
});

test('invalid values are faults that say what to write', () => {
  const faults: [Record<string, string>, RegExp][] = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must be an http or https URL/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:pass@collector' }, /without a user or password/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://:pass@collector' }, /without a user or password/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'key' }, /HEADERS must be <name>=<value> pairs/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' }, /HEADERS must be <name>=<value> pairs/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%0A' }, /HEADERS must be <name>=<value> pairs/],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'a=%' }, /ATTRIBUTES must be <name>=<value> pairs/],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER must be one of always_on, /],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_TRACES_SAMPLER_ARG: '-0' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_BSP_SCHEDULE_DELAY: '0' }, /OTEL_BSP_SCHEDULE_DELAY must be a number of millis/],
    [{ OTEL_SDK_DISABLED: 'yes' }, /OTEL_SDK_DISABLED must be one of true, false/],
  ];
  for (const [settings, fault] of faults) assert.throws(() => read(settings), fault);
});

test('another protocol is a warning, and only if anything is sent', () => {
  const protocol = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.deepEqual(readConfig(protocol).warnings, []);
  assert.match(
    readConfig({ ...ENDPOINT, ...protocol }).warnings.join(),
    /is grpc, but .* http\/json/,
  );
});
