/** What the doctor finds around the database: disks, logs, nodes and ports. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { SmallDisk, skipWithout } from '../support/small-disk.ts';
import { Cli } from './cli.ts';
import { findingsOf } from './diagnosing.ts';
import { BOB, Scribe, writeHistory } from './journal-history.ts';

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

test('a port of another program, whatever it speaks', async (t) => {
  const cli = new Cli(t);
  const servers = [
    createServer((_request, response) => response.end('Hello')),
    createTcpServer((socket) => void socket.end('220 mail.example ESMTP\r\n')),
    createTcpServer((socket) => void socket.destroy()),
  ];
  for (const server of servers) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const [finding] = await findingsOf('service', cli, { PORT: String(port) });
    assert.equal(finding?.verdict, 'fault');
    assert.match(finding.detail, /^Another program listens at .* Stop it, or set PORT and HOST\.$/);
  }
});

const disk = SmallDisk.mount(20);
after(() => disk?.unmount());

test('a disk that is nearly full', { skip: skipWithout(disk) }, async (t) => {
  const env = { DATABASE_URL: `sqlite:${disk?.folder}/realmkeep.db` };
  const [finding] = await findingsOf('disk', new Cli(t), env);
  assert.equal(finding?.verdict, 'fault');
  assert.match(finding.detail, /^Only \d+ MB are free in .*without any, all writes are refused\.$/);
});

test('a disk that is full', { skip: skipWithout(disk) }, async (t) => {
  disk?.fill();
  const env = { DATABASE_URL: `sqlite:${disk?.folder}/realmkeep.db` };
  const [finding] = await findingsOf('fsync', new Cli(t), env);
  disk?.free();
  assert.equal(finding?.verdict, 'fault');
  assert.equal(finding.detail, 'The disk is full. Free some space.');
});

test('what would fill a disk is refused before it begins', {
  skip: skipWithout(disk),
}, async (t) => {
  const cli = new Cli(t);
  await writeHistory(cli);
  disk?.fill(10_000_000);
  const folder = disk?.folder ?? '';
  const full = /There is too little space for .*: \d+\.\d MB are needed in .*, and \d+\.\d MB are/;
  const backup = await cli.run(['backup', `${folder}/a.db`]);
  assert.equal(backup.code, 1);
  assert.match(backup.stderr, full);
  assert.deepEqual(readdirSync(folder), ['filler']);
  const [finding] = await findingsOf('backup', cli, { BACKUP_DIR: folder });
  assert.equal(finding?.verdict, 'fault');
  assert.match(finding.detail, /^The next backup will fail: .* MB are needed in/);
  const env = { DATABASE_URL: `sqlite:${folder}/realmkeep.db` };
  copyFileSync(join(cli.folder, 'realmkeep.db'), join(folder, 'realmkeep.db'));
  const vacuum = await cli.run(['vacuum'], env);
  assert.equal(vacuum.code, 1);
  assert.match(vacuum.stderr, full);
  assert.equal((await cli.run(['backup', 'a.db'])).code, 0);
  const restored = await cli.run(['restore', 'a.db', '--force'], env);
  assert.equal(restored.code, 1);
  assert.match(restored.stderr, full);
  assert.ok(restored.stderr.includes(`too little space for ${folder}/realmkeep.db: `));
  assert.deepEqual(readdirSync(folder).toSorted(), ['filler', 'realmkeep.db']);
});

test('what a crash has left in the log stays there, and is read', async (t) => {
  const cli = new Cli(t);
  await writeHistory(cli);
  const ledger = await cli.database.ledger();
  await new Scribe(ledger).change(BOB, 1);
  const names = ['realmkeep.db', 'realmkeep.db-wal'];
  const folder = join(cli.folder, 'crashed');
  mkdirSync(folder);
  for (const name of names) copyFileSync(join(cli.folder, name), join(folder, name));
  await ledger.close();
  const contents = () => names.map((name) => hash('sha256', readFileSync(join(folder, name))));
  const before = contents();
  const env = { DATABASE_URL: 'sqlite:crashed/realmkeep.db' };
  const [finding] = await findingsOf('journal', cli, env);
  assert.equal(finding?.verdict, 'ok');
  assert.deepEqual(contents(), before);
});
