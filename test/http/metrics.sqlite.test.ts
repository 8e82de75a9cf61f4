import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import parse from 'parse-prometheus-text-format';
import { readConfig } from '../../src/config/config.ts';
import { operations } from '../../src/contract/operations.ts';
import { changeMany } from '../support/points.ts';
import { parsePrometheusText } from '../support/prometheus-text.ts';
import { serviceForFile } from '../support/service.ts';
import { announce, dial } from '../support/sockets.ts';

const TOKEN = 'a-token-for-metrics';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A node that fails every read. */
const node = createServer((_request, response) => response.writeHead(500).end());
node.listen(0, '127.0.0.1');
await once(node, 'listening');
after(() => node.close());
const nodeUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/secret-path`;

const service = await serviceForFile({
  metricsToken: TOKEN,
  rpcUrls: { 'eip155:1': nodeUrl },
});
const realm = await service.realm('acme');

const metrics = async (): Promise<string> =>
  (await service.expect(200, 'GET', '/metrics', { key: TOKEN })).text;

/** The value of one series, with its labels in the order of the text. */
function value(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  assert.ok(line, `${series} is missing`);
  return Number(line.slice(series.length + 1));
}

test('metrics need the root key or the token', async () => {
  const reply = await service.expect(200, 'GET', '/metrics');
  assert.match(reply.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(reply.headers['cache-control'], 'no-store');
  await service.expect(200, 'GET', '/metrics', { key: TOKEN });
  for (const key of [null, 'wrong', `${TOKEN}x`]) {
    const refused = await service.expect(401, 'GET', '/metrics', { key });
    assert.equal(refused.json.code, 'unauthorized');
    assert.match(refused.json.detail, /\. Send the root key or METRICS_TOKEN\.$/);
    assert.equal(refused.headers['www-authenticate'], 'Bearer');
  }
  const refused = await service.expect(403, 'GET', '/metrics', { key: realm.key });
  assert.equal(refused.json.required, 'root');
  assert.equal(refused.json.detail, 'This call needs the root key or METRICS_TOKEN.');
  // The token grants access to nothing else.
  await service.expect(401, 'GET', '/api/v4/realms', { key: TOKEN });
});

test('requests are counted by operation and status class', async () => {
  await realm.member('7', 10);
  const ok = 'realmkeep_http_requests_total{operation="getMember",status="2xx"}';
  const off = 'realmkeep_http_requests_total{operation="getMember",status="4xx"}';
  const missing = 'realmkeep_problems_total{code="member-not-found"}';
  const other = 'realmkeep_http_requests_total{operation="other",status="4xx"}';
  const before = await metrics();
  for (let i = 0; i < 5; i += 1) await realm.expect(200, 'GET', '/members/7');
  await realm.expect(404, 'GET', '/members/8');
  await realm.expect(401, 'GET', '/members/7', { key: null });
  await service.expect(404, 'GET', '/nowhere/7');
  await service.expect(400, 'GET', '/api/%ff');
  const text = await metrics();
  const grown = (series: string): number => value(text, series) - value(before, series);
  assert.deepEqual([ok, off, missing, other].map(grown), [5, 2, 1, 2]);
});

test('a caller that leaves before its answer is counted once, and as no overload', async () => {
  const overloaded = 'realmkeep_problems_total{code="overloaded"}';
  const classes = ['2xx', '4xx', '5xx'];
  const answered = (text: string): number[] =>
    classes.map((status) =>
      value(text, `realmkeep_http_requests_total{operation="verifyRealm",status="${status}"}`),
    );
  const busy = await service.realm('busy', { autoEnroll: true });
  const entries = Array.from({ length: 10_000 }, () => ({ memberId: 1, tokens: 1 }));
  await changeMany(busy, entries);
  const before = await metrics();
  // Realms are checked one at a time, so the second check waits.
  await busy.expect(202, 'POST', '/verify');
  const socket = dial(service);
  const headers = { authorization: `Bearer ${realm.key}` };
  await announce(socket, 'GET', realm.path('/verify'), headers);
  socket.resetAndDestroy();
  let after = await metrics();
  while (value(after, 'realmkeep_http_requests_in_progress') > 0) after = await metrics();
  const [good = 0, left = 0, failed = 0] = answered(after).map(
    (count, index) => count - (answered(before)[index] ?? 0),
  );
  assert.deepEqual([good, left, failed], [0, 1, 0]);
  assert.equal(value(after, overloaded), value(before, overloaded));
});

test('durations are a histogram that adds up', async () => {
  const text = await metrics();
  for (const operation of [...Object.keys(operations), 'other']) {
    const name = 'realmkeep_http_request_duration_seconds';
    const buckets = text
      .split('\n')
      .filter((line) => line.startsWith(`${name}_bucket{operation="${operation}",`))
      .map((line) => Number(line.split(' ').at(-1)));
    assert.equal(buckets.length, 14);
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
    );
    assert.equal(value(text, `${name}_count{operation="${operation}"}`), buckets.at(-1));
    assert.ok(value(text, `${name}_sum{operation="${operation}"}`) >= 0);
  }
});

test('metrics cover chains and the process, and nothing secret or personal', async () => {
  await realm.member('80351110224678912', 0, { wallets: [WALLET] });
  const body = { id: 'gold', chain: 'eip155:1', standard: 'erc20', contract: WALLET };
  await realm.expect(201, 'POST', '/assets', { body });
  await realm.expect(200, 'GET', '/web3/members/80351110224678912');
  const text = await metrics();
  assert.ok(value(text, 'realmkeep_chain_reads_total{chain="eip155:1"}') >= 1);
  assert.equal(value(text, 'realmkeep_chain_failing{chain="eip155:1"}'), 1);
  assert.match(
    text,
    /^realmkeep_chain_failures_total\{chain="eip155:1",failure="[a-z-]+"\} [1-9]/m,
  );
  assert.equal(value(text, 'realmkeep_database_up'), 1);
  assert.ok(value(text, 'process_cpu_seconds_total') > 0);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
  for (const secret of ['secret-path', '80351110224678912', WALLET, realm.key, TOKEN]) {
    assert.ok(!text.toLowerCase().includes(secret.toLowerCase()), secret);
  }
});

test('the text is in the format of Prometheus, with a type and help for every metric', async () => {
  const families = parsePrometheusText(await metrics());
  assert.ok(families.size > 50);
  for (const [name, { type, help }] of families) assert.ok(type && help, name);
});

test('a parser that is not ours reads the same', async () => {
  const text = await metrics();
  const ours = parsePrometheusText(text);
  const theirs = parse(text);
  assert.deepEqual(
    theirs.map(({ name, type, help }) => [name, type.toLowerCase(), help]),
    Array.from(ours, ([name, { type, help }]) => [name, type, help]),
  );
  // It reads histograms without their labels.
  for (const { name, metrics } of theirs.filter(({ type }) => type !== 'HISTOGRAM')) {
    assert.deepEqual(
      metrics.map(({ labels = {}, value }) => ({ labels, value: Number(value) })),
      ours.get(name)?.samples.map(({ labels, value }) => ({ labels, value })),
      name,
    );
  }
});

test('the token comes from METRICS_TOKEN or the file in METRICS_TOKEN_FILE', () => {
  assert.equal(readConfig({}).metricsToken, null);
  assert.equal(readConfig({ METRICS_TOKEN: TOKEN }).metricsToken, TOKEN);
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-metrics-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'token');
  writeFileSync(file, `${TOKEN}\n`);
  assert.equal(readConfig({ METRICS_TOKEN_FILE: file }).metricsToken, TOKEN);
  for (const METRICS_TOKEN of ['short', 'with a space', 'x'.repeat(257)]) {
    assert.throws(() => readConfig({ METRICS_TOKEN }), /METRICS_TOKEN must be 8 to 256 visible/);
  }
});
