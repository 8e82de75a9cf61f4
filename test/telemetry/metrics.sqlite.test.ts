import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePrometheusText } from '../support/prometheus-text.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { OtlpReceiver } from './otlp-receiver.ts';

/** The metrics of a service, as a collector and as Prometheus get them. */
const receiver = await OtlpReceiver.forFile();
const telemetry = receiver.settings({ OTEL_TRACES_EXPORTER: 'none' });
const service = await serviceForFile({ telemetry });
const realm = await service.realm('acme');
await realm.member('1', 5);
await realm.expect(404, 'GET', '/members/2');

const TYPES = { gauge: 'gauge', counter: 'sum', histogram: 'histogram' };

async function scrape() {
  const { text } = await service.expect(200, 'GET', '/metrics');
  return parsePrometheusText(text);
}

/** The metrics of an export that began after this call. */
async function received(): Promise<void> {
  const { requests } = receiver;
  await receiver.until(() => receiver.requests >= requests + 2);
}

test('a collector gets every metric that Prometheus does, with the same labels', async () => {
  const families = await scrape();
  await received();
  const withValues = [...families].filter(([, { samples }]) =>
    samples.some(({ value }) => Number.isFinite(value)),
  );
  assert.ok(withValues.length > 40);
  for (const [name, { type, samples }] of withValues) {
    // Has no series while nothing is active.
    if (name === 'nodejs_active_requests') continue;
    const metric = receiver.metric(name);
    assert.equal(metric.type, TYPES[type as keyof typeof TYPES], name);
    const labels = samples
      .filter((sample) => !/_(bucket|sum)$/.test(sample.name) && Number.isFinite(sample.value))
      .map((sample) => JSON.stringify(sample.labels));
    const attributes = metric.points.map((point) => JSON.stringify(point.attributes));
    // What the process does meanwhile may add a series, such as a kind of garbage collection.
    if (name.startsWith('realmkeep_')) assert.deepEqual(attributes, labels, name);
  }
});

test('a collector gets the same values', async () => {
  const families = await scrape();
  await received();
  const name = 'realmkeep_http_request_duration_seconds';
  for (const family of ['realmkeep_http_requests_total', 'realmkeep_problems_total', name]) {
    const samples = families.get(family)?.samples ?? [];
    const { points } = receiver.metric(family);
    for (const { attributes, value } of points) {
      // Reading the metrics is a request itself.
      if (attributes.operation === 'other') continue;
      const same = samples.find(
        (sample) =>
          !/_(bucket|sum)$/.test(sample.name) &&
          JSON.stringify(sample.labels) === JSON.stringify(attributes),
      );
      assert.equal(value, same?.value, JSON.stringify(attributes));
    }
  }
  const created = receiver
    .metric(name)
    .points.find(({ attributes }) => attributes.operation === 'createMember');
  assert.equal(created?.value, 1);
});

test('requests are counted by realm', async () => {
  const before = await scrape();
  await realm.expect(200, 'GET', '/members/1');
  await realm.expect(404, 'GET', '/members/3');
  // The root key is of no realm, and what has no key is of nobody.
  await realm.expect(200, 'GET', '/members/1', { key: ROOT_KEY });
  await realm.expect(401, 'GET', '/members/1', { key: null });
  const after = await scrape();
  const of = (families: typeof before, status: string) =>
    families
      .get('realmkeep_realm_requests_total')
      ?.samples.find(({ labels }) => labels.realm === 'acme' && labels.status === status)?.value;
  assert.deepEqual(
    ['2xx', '4xx', '5xx'].map((status) => Number(of(after, status)) - Number(of(before, status))),
    [1, 1, 0],
  );
});
