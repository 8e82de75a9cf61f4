import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { OtlpReceiver } from './otlp-receiver.ts';

/** Traces of a service, as a collector receives them. */
const receiver = await OtlpReceiver.forFile();
const service = await serviceForFile({ telemetry: receiver.settings() });
const realm = await service.realm('traced');
const MEMBER = '80351110224678912';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
await realm.member(MEMBER, 1_000, { username: 'ann-private', wallets: [WALLET] });
await realm.member('2');

const PARENT = '00f067aa0ba902b7';
const newTrace = (): string => randomBytes(16).toString('hex');
const headersOf = (traceId: string, flags = '01') => ({
  traceparent: `00-${traceId}-${PARENT}-${flags}`,
});

const transfer = (headers: Record<string, string>, tokens = 1) =>
  realm.send('PATCH', `/members/${MEMBER}/transfer`, {
    headers,
    body: { recipientId: '2', tokens, description: 'private words' },
  });

/** All spans of a trace, once its request has ended, which is after everything else. */
async function spansOf(traceId: string) {
  const isServer = ({ kind }: { kind: number }) => kind === 2;
  await receiver.until(() => receiver.spansOf(traceId).some(isServer));
  const spans = receiver.spansOf(traceId);
  const named = (name: string) => spans.filter((span) => span.name === name);
  return { request: spans.find(isServer), batches: named('batch'), commits: named('commit') };
}

test('a write is a request, its batch and its commit, in the trace of its caller', async () => {
  const traceId = newTrace();
  const { status } = await transfer({ ...headersOf(traceId), 'idempotency-key': 'retry-7531' });
  assert.equal(status, 200);
  const { request, batches, commits } = await spansOf(traceId);
  const [batch, commit] = [batches[0], commits[0]];
  assert.ok(request && batch && commit);
  assert.deepEqual([batches.length, commits.length], [1, 1]);
  assert.equal(request.parentSpanId, PARENT);
  assert.equal(batch.parentSpanId, request.spanId);
  assert.equal(commit.parentSpanId, batch.spanId);
  const route = '/api/v4/realms/:realmID/members/:memberID/transfer';
  assert.equal(request.name, `PATCH ${route}`);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'PATCH',
    'http.route': route,
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'realmkeep.realm.id': 'traced',
  });
  assert.equal(batch.attributes['realmkeep.batch.size'], 1);
  const wait = Number(batch.attributes['realmkeep.batch.wait_ms']);
  assert.ok(wait >= 0 && wait <= Number(batch.end - batch.start) / 1e6);
  assert.deepEqual(
    [request, batch, commit].map(({ status }) => status),
    [{}, {}, {}],
  );
  const instants = [request.start, batch.start, commit.start, commit.end, batch.end, request.end];
  assert.deepEqual(
    instants,
    instants.toSorted((a, b) => Number(a - b)),
  );
  const now = BigInt(Date.now()) * 1_000_000n;
  assert.ok(now - request.start < 60_000_000_000n && now - request.end > -1_000_000_000n);
});

test('a read is a request, and a refusal names its problem', async () => {
  const read = newTrace();
  await realm.expect(200, 'GET', `/members/${MEMBER}`, { headers: headersOf(read) });
  const { request, batches, commits } = await spansOf(read);
  assert.equal(request?.name, 'GET /api/v4/realms/:realmID/members/:memberID');
  assert.deepEqual([...batches, ...commits], []);
  const refused = newTrace();
  assert.equal((await transfer(headersOf(refused), 1_000_000)).status, 422);
  const spans = await spansOf(refused);
  assert.equal(spans.request?.attributes['http.response.status_code'], 422);
  assert.equal(spans.request?.attributes['realmkeep.problem.code'], 'insufficient-points');
  assert.deepEqual(spans.request?.status, {}, 'a mistake of the caller is no error of the service');
  assert.equal(spans.batches.length, 1);
  const unknown = newTrace();
  await service.expect(404, 'GET', `/nowhere/${MEMBER}`, { headers: headersOf(unknown) });
  const { request: nowhere } = await spansOf(unknown);
  assert.equal(nowhere?.name, 'GET');
  const { 'http.route': route, 'realmkeep.realm.id': realmId } = nowhere?.attributes ?? {};
  assert.deepEqual([route, realmId], [undefined, undefined]);
});

/** The spans of many transfers at once. */
async function spansOfMany() {
  const traces = Array.from({ length: 100 }, newTrace);
  const replies = await Promise.all(traces.map((traceId) => transfer(headersOf(traceId))));
  assert.ok(replies.every(({ status }) => status === 200));
  const found = await Promise.all(traces.map(spansOf));
  const batches = found.flatMap((spans) => spans.batches);
  assert.equal(batches.length, traces.length);
  return { batches, commits: found.flatMap((spans) => spans.commits) };
}

test('many requests that share a batch share its commit, and are linked with it', async () => {
  let { batches, commits } = await spansOfMany();
  // A slow machine may send each when the one before is answered.
  while (commits.length === batches.length) ({ batches, commits } = await spansOfMany());
  for (const commit of commits) {
    const { spanId, traceId } = commit;
    const owner = batches.find((batch) => batch.spanId === commit.parentSpanId);
    const linked = batches.filter((batch) => batch.links.some((link) => link.spanId === spanId));
    assert.equal(owner?.traceId, traceId);
    assert.equal(commit.attributes['realmkeep.batch.size'], linked.length + 1);
    assert.deepEqual(
      new Set(commit.links.map((link) => link.spanId)),
      new Set(linked.map((batch) => batch.spanId)),
    );
  }
  const ofCommits = commits.flatMap(({ links }) => links).length + commits.length;
  assert.equal(ofCommits, batches.length, 'every batch has one commit');
});

test('without a valid traceparent a trace begins, which the log line names', async () => {
  const invalid = `00-${'0'.repeat(32)}-${PARENT}-01`;
  const requestId = 'without-a-valid-one';
  await transfer({ traceparent: invalid, 'x-request-id': requestId });
  // By then, its line is written.
  const next = newTrace();
  await transfer(headersOf(next));
  await spansOf(next);
  const lines = service.logs.map((text) => JSON.parse(text));
  const line = lines.find((one) => one.requestId === requestId);
  assert.match(line.traceId, /^[\da-f]{32}$/);
  const { request } = await spansOf(line.traceId);
  assert.equal(request?.parentSpanId, undefined);
});

test('a caller that does not sample its trace is not traced', async () => {
  const [silent, last] = [newTrace(), newTrace()];
  await transfer(headersOf(silent, '00'));
  await transfer(headersOf(last));
  await spansOf(last);
  assert.deepEqual(receiver.spansOf(silent), []);
});

test('spans say which service they are of, and nothing private', async () => {
  const traceId = newTrace();
  const headers = headersOf(traceId);
  await realm.send('GET', `/members?search=ann-private&wallet=${WALLET}`, { headers });
  await spansOf(traceId);
  const { 'service.instance.id': instance, ...resource } = receiver.resource;
  assert.match(String(instance), /^[\da-f-]{36}$/);
  const { version } = manifest;
  assert.deepEqual(resource, { 'service.name': 'realmkeep', 'service.version': version });
  const secrets = [MEMBER, WALLET, 'private', 'retry-7531', ROOT_KEY, realm.key];
  for (const text of receiver.texts) {
    for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  }
});
