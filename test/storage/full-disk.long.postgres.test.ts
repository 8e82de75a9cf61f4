import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newPostgresDatabase } from '../support/database.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { TestService } from '../support/service.ts';
import { SmallDisk, skipWithout } from '../support/small-disk.ts';
import {
  assertSoon,
  assertStorageFull,
  CALLERS,
  Callers,
  outageLines,
  untilReadiness,
  upAndFull,
} from './full-disk.ts';

const DATA_MB = 64;
const LOG_MB = 16;
const MEGABYTE = 1024 * 1024;

/** A server without space refuses writes, or ends; either way nothing is lost or done twice. */
const disks = { data: SmallDisk.mount(DATA_MB), log: SmallDisk.mount(LOG_MB) };
const options = { skip: skipWithout(disks.data), timeout: 120_000 };
after(() => {
  for (const disk of Object.values(disks)) disk?.unmount();
});

async function startOn(part: 'data' | 'log') {
  const disk = disks[part] as SmallDisk;
  const server = await PostgresServer.start({ onDisk: { folder: disk.folder, part } });
  const service = await TestService.start({}, {}, await newPostgresDatabase(server.url));
  after(async () => {
    await service.stop();
    await server.stop();
  });
  const realm = await service.realm('acme', { autoEnroll: true });
  return { disk, server, service, realm, callers: new Callers(realm) };
}

test('a server without space for its tables', options, async () => {
  const { disk, service, realm, callers } = await startOn('data');
  disk.fill(disk.available() - MEGABYTE);
  await callers.creditUntilOutage();
  assert.ok(callers.refused.length >= CALLERS);
  for (const { reply } of callers.refused) assertStorageFull(reply);
  callers.refused.forEach(assertSoon);
  const { json } = await untilReadiness(service, 503);
  assert.match(json.checks.storage, /^The disk of the database is full: no change is accepted/);
  assert.deepEqual(await upAndFull(service), ['0', '1']);
  await callers.auditBalances();
  await realm.expect(200, 'GET', '/members?limit=500');
  disk.free();
  await untilReadiness(service, 200);
  assert.deepEqual(await upAndFull(service), ['1', '0']);
  await callers.retryRefused();
  await callers.audit();
  assert.deepEqual(outageLines(service), [
    'the disk of the database is full; writes are answered with 503 until there is space',
    'database available again',
  ]);
});

test('a server that ends because it has no space for its log', options, async () => {
  const { disk, server, service, callers } = await startOn('log');
  disk.fill();
  await callers.creditUntilRefused();
  for (const { reply } of callers.refused) {
    assert.match(reply.json.code, /^(storage-(full|unavailable)|outcome-unknown)$/, reply.text);
    assert.equal(reply.headers['retry-after'], '1');
  }
  callers.refused.forEach(assertSoon);
  const { json } = await untilReadiness(service, 503);
  assert.match(json.checks.storage, /^The database cannot be reached\.$/);
  disk.free();
  // As a supervisor would, unless the server has recovered by itself.
  await server.up();
  await untilReadiness(service, 200);
  await callers.retryRefused();
  await callers.audit();
  // No line is repeated; besides these, each write whose outcome is unknown has its own.
  const lines = outageLines(service).filter((line) => /^(the disk of the )?database/.test(line));
  assert.deepEqual(lines, [...new Set(lines)]);
  assert.ok(lines.length >= 2, lines.join());
  assert.equal(lines.at(-1), 'database available again');
  assert.deepEqual(service.errors(), []);
});
