import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Finding } from '../../src/doctor/finding.ts';
import { STORAGE } from '../support/database.ts';
import { brokenSetUps } from './broken-set-ups.ts';
import { Cli } from './cli.ts';
import { writeHistory } from './journal-history.ts';

interface Report {
  ok: boolean;
  checks: Finding[];
}

async function cliWithHistory(t: TestContext): Promise<Cli> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return cli;
}

async function report(cli: Cli, env: Record<string, string> = {}): Promise<Report> {
  const { code, stdout, stderr } = await cli.run(['doctor', '--json'], env);
  assert.equal(stderr, '');
  const found: Report = JSON.parse(stdout);
  assert.equal(
    found.ok,
    found.checks.every(({ verdict }) => verdict !== 'fault'),
  );
  assert.equal(code, found.ok ? 0 : 1);
  return found;
}

/** Of everything that is stored. */
const digestOf = async ({ database }: Cli): Promise<string> =>
  hash('sha256', await database.contents());

const findingsOf = ({ checks }: Report, check: string): Finding[] =>
  checks.filter((one) => one.check === check);

const verdictsOf = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));

/** What depends on the machine, or on how a server for tests is configured. */
const MACHINE = { disk: '', fsync: '' };

const SOUND = {
  configuration: 'ok',
  keys: 'ok',
  database: 'ok',
  migrations: 'ok',
  clock: 'ok',
  backup: STORAGE === 'sqlite' ? 'warning' : 'skipped',
  journal: 'ok',
  rpc: 'skipped',
  webhooks: 'ok',
  service: 'skipped',
};

test('a sound set-up has one line for each check, and is left as it is', async (t) => {
  const cli = await cliWithHistory(t);
  const before = await digestOf(cli);
  const found = await report(cli);
  assert.deepEqual({ ...verdictsOf(found), ...MACHINE }, { ...SOUND, ...MACHINE });
  assert.equal(await digestOf(cli), before);
  const { stdout } = await cli.run(['doctor']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, found.checks.length + 1);
  assert.match(lines[0] ?? '', /^ok +configuration +All settings are valid\.$/);
  assert.match(lines.at(-1) ?? '', /^\d+ faults?, \d+ warnings?\.$/);
});

test('it works beside a running service, and sees whether that is ready', async (t) => {
  const cli = await cliWithHistory(t);
  const serve = cli.start(['serve', '--json'], { LOG_LEVEL: 'error' });
  const { url } = await serve.firstObject();
  const found = await report(cli, { PORT: new URL(String(url)).port });
  assert.deepEqual({ ...verdictsOf(found), ...MACHINE }, { ...SOUND, ...MACHINE, service: 'ok' });
  serve.child.kill('SIGTERM');
  assert.equal((await serve.ended).code, 0);
});

for (const { name, storage, setUp, check, verdict, detail } of brokenSetUps) {
  if (storage !== undefined && storage !== STORAGE) continue;
  test(`${name}: a ${verdict} of ${check}`, async (t) => {
    const cli = await cliWithHistory(t);
    const env = (await setUp(cli)) ?? {};
    const findings = findingsOf(await report(cli, env), check);
    const [first] = findings;
    assert.equal(first?.verdict, verdict, JSON.stringify(findings));
    assert.match(first.detail, detail);
  });
}

/** A node that answers by the method that is asked for. */
async function node(t: TestContext, answers: Record<string, unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-api-key`;
}

const blockAt = (instant: number) => ({
  timestamp: `0x${Math.floor(instant / 1_000).toString(16)}`,
});

test('nodes that are sound, late, of another chain and gone', async (t) => {
  const cli = await cliWithHistory(t);
  const answersOf = (chainId: string, at: number) => ({
    eth_chainId: chainId,
    eth_getBlockByNumber: blockAt(at),
  });
  const urls = {
    'eip155:1': await node(t, answersOf('0x1', Date.now())),
    'eip155:2': await node(t, answersOf('0x2', Date.now() - 3_600_000)),
    'eip155:3': await node(t, answersOf('0x1', Date.now())),
    'eip155:4': 'http://127.0.0.1:1/secret-api-key',
  };
  const RPC_URLS = Object.entries(urls)
    .map((pair) => pair.join('='))
    .join(',');
  const findings = findingsOf(await report(cli, { RPC_URLS }), 'rpc');
  assert.deepEqual(
    findings.map(({ verdict, detail }) => `${verdict}: ${detail.replace(/from \S+:/, 'from …:')}`),
    [
      'ok: The node of eip155:1 is in sync.',
      'warning: The last block of the node of eip155:2 is from …: wait until it is in sync, or ' +
        'use another one.',
      'fault: The node of eip155:3 is of another chain. Check its URL in RPC_URLS.',
      'fault: The node of eip155:4 cannot be reached. Check its URL in RPC_URLS.',
    ],
  );
  assert.doesNotMatch(JSON.stringify(findings), /secret-api-key|127\.0\.0\.1/);
});

test('a port of another program', async (t) => {
  const cli = await cliWithHistory(t);
  const server = createServer((_request, response) => response.end('Hello'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [finding] = findingsOf(await report(cli, { PORT: String(port) }), 'service');
  assert.equal(finding?.verdict, 'fault');
  assert.match(finding.detail, /^Another program listens at .* Stop it, or set PORT and HOST\.$/);
});
