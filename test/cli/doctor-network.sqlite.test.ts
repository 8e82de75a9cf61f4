/** What the doctor finds beyond this machine's files; the database makes no difference. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Cli } from './cli.ts';
import { findingsOf } from './diagnosing.ts';

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
  const cli = new Cli(t);
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
  const findings = await findingsOf('rpc', cli, { RPC_URLS });
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
  const cli = new Cli(t);
  const server = createServer((_request, response) => response.end('Hello'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [finding] = await findingsOf('service', cli, { PORT: String(port) });
  assert.equal(finding?.verdict, 'fault');
  assert.match(finding.detail, /^Another program listens at .* Stop it, or set PORT and HOST\.$/);
});
