import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TestService } from '../support/service.ts';
import { OtlpReceiver } from './otlp-receiver.ts';

/** A collector that fails is no problem of the callers. */
const receiver = await OtlpReceiver.forFile();
const METRICS_OFF = { OTEL_METRICS_EXPORTER: 'none' };

async function ownService(settings: ReturnType<OtlpReceiver['settings']>): Promise<TestService> {
  const own = await TestService.start({ telemetry: settings });
  after(() => own.stop());
  return own;
}

const linesOf = ({ logs }: TestService) =>
  logs.map((line) => JSON.parse(line)).filter(({ msg }) => /OpenTelemetry/.test(msg));

async function seriesOf(own: TestService, series: string): Promise<number> {
  const { text } = await own.expect(200, 'GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

test('what a collector refuses for a while is sent later, and logged once', async () => {
  receiver.status = 503;
  const own = await ownService(receiver.settings(METRICS_OFF));
  const realm = await own.realm('acme');
  await realm.member('1', 5);
  const { requests } = receiver;
  await receiver.until(() => receiver.requests >= requests + 2);
  for (let call = 0; call < 5; call++) await realm.expect(200, 'GET', '/members/1');
  assert.deepEqual(
    linesOf(own).map(({ level, signal, reason }) => [level, signal, reason]),
    [['warn', 'traces', 'status 503']],
  );
  assert.ok((await seriesOf(own, 'realmkeep_otlp_failures_total{signal="traces"}')) >= 2);
  receiver.status = 200;
  const isRealm = ({ name }: { name: string }) => name === 'POST /api/v4/realms';
  await receiver.until(() => receiver.spans.some(isRealm));
  // The answer to the export before has arrived when the next one is sent.
  const spans = receiver.spans.length;
  await realm.expect(200, 'GET', '/members/1');
  await receiver.until(() => receiver.spans.length > spans);
  assert.equal(linesOf(own).length, 2);
  assert.equal(linesOf(own)[1].level, 'info');
  assert.equal(receiver.spans.filter(isRealm).length, 1, 'it was sent once');
  assert.equal(await seriesOf(own, 'realmkeep_otlp_spans_total{outcome="dropped"}'), 0);
});

test('what a collector refuses for good is dropped and counted', async () => {
  receiver.status = 400;
  const own = await ownService(receiver.settings(METRICS_OFF));
  const { requests } = receiver;
  await own.expect(200, 'GET', '/openapi.json');
  await receiver.until(() => receiver.requests > requests);
  receiver.status = 200;
  const spans = receiver.spans.length;
  await own.expect(200, 'GET', '/docs/start.js');
  await receiver.until(() => receiver.spans.length > spans);
  assert.deepEqual(
    receiver.spans.slice(spans).map(({ name }) => name),
    ['GET /docs/start.js'],
  );
  assert.equal(await seriesOf(own, 'realmkeep_otlp_spans_total{outcome="dropped"}'), 1);
});

test('what a collector rejects of an export is dropped, counted and logged', async () => {
  receiver.answer = { partialSuccess: { rejectedSpans: '1', errorMessage: 'the name is long' } };
  const own = await ownService(receiver.settings(METRICS_OFF));
  let spans = receiver.spans.length;
  await own.expect(200, 'GET', '/openapi.json');
  await receiver.until(() => receiver.spans.length > spans);
  receiver.answer = {};
  spans = receiver.spans.length;
  // Sent once the answer to the export before has arrived.
  await own.expect(200, 'GET', '/openapi.json');
  await receiver.until(() => receiver.spans.length > spans);
  assert.equal(await seriesOf(own, 'realmkeep_otlp_spans_total{outcome="dropped"}'), 1);
  const [line] = linesOf(own);
  assert.deepEqual([line.level, line.reason], ['warn', 'rejected 1: the name is long']);
});

test('those who ask whether the service runs are not traced', async () => {
  const own = await ownService(receiver.settings(METRICS_OFF));
  const spans = receiver.spans.length;
  for (const path of ['/healthz', '/readyz', '/metrics']) await own.expect(200, 'GET', path);
  await own.expect(200, 'GET', '/openapi.json');
  await own.down();
  assert.deepEqual(
    receiver.spans.slice(spans).map(({ name }) => name),
    ['GET /openapi.json'],
  );
});

test('nobody waits for a collector that does not answer, and a stop does not either', async () => {
  receiver.status = null;
  const own = await ownService(receiver.settings({ OTEL_EXPORTER_OTLP_TIMEOUT: '600000' }));
  const { requests } = receiver;
  const realm = await own.realm('acme');
  await receiver.until(() => receiver.requests > requests);
  for (let call = 1; call <= 20; call++) await realm.member(String(call), call);
  await own.down();
  receiver.status = 200;
});

test('a collector that cannot be reached is logged once for each kind of data', async () => {
  const own = await ownService(
    // Below the ports that the system hands out, so that nobody else gets it.
    receiver.settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1022' }),
  );
  const realm = await own.realm('acme');
  for (let call = 1; call <= 20; call++) await realm.member(String(call), call);
  await own.down();
  const lines = linesOf(own).map(({ signal, reason }) => `${signal} ${reason}`);
  assert.deepEqual(lines.toSorted(), ['metrics ECONNREFUSED', 'traces ECONNREFUSED']);
  assert.deepEqual(own.errors(), []);
});

test('headers and attributes are sent along', async () => {
  const own = await ownService(
    receiver.settings({
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=k%2C1,authorization=Basic%20abc',
      OTEL_SERVICE_NAME: 'books',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/v1/metrics`,
      OTEL_TRACES_EXPORTER: 'none',
    }),
  );
  await receiver.until(() => receiver.resource['service.name'] === 'books');
  assert.equal(receiver.resource['deployment.environment.name'], 'test');
  assert.equal(receiver.headers['x-api-key'], 'k,1');
  assert.equal(receiver.headers.authorization, 'Basic abc');
  const spans = receiver.spans.length;
  await own.expect(200, 'GET', '/openapi.json');
  await own.down();
  assert.equal(receiver.spans.length, spans);
});
