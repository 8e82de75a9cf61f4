import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OperatorError } from '../../src/config/operator-error.ts';
import { sqliteFile } from '../support/database.ts';
import { type Reply, type TestRealm, TestService } from '../support/service.ts';
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

const OUTAGE = [
  'the disk of the database is full; writes are answered with 503 until there is space',
  'database available again',
];
const MEGABYTE = 1024 * 1024;
const SIZE_MB = 8;

/** On a full disk reads go on, writes are refused, and it ends by itself when there is space. */
const canMount = SmallDisk.mount(1);
canMount?.unmount();
const options = { skip: skipWithout(canMount), timeout: 120_000 };

/** A service on a disk of its own, of which some megabytes are taken. */
async function startOn(t: TestContext, takenMb = 0) {
  const disk = SmallDisk.mount(SIZE_MB) as SmallDisk;
  t.after(() => disk.unmount());
  disk.fill(takenMb * MEGABYTE);
  const service = await TestService.start({}, {}, sqliteFile(disk.folder));
  t.after(() => service.stop());
  const realm = await service.realm('acme', { autoEnroll: true });
  return { disk, service, realm, callers: new Callers(realm) };
}

const files = ({ folder }: SmallDisk) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('realmkeep.db'))
    .map((name) => ({ name, bytes: statSync(join(folder, name)).size }));

/** A log that has just been moved has room for some records, whatever the disk has. */
async function firstRefused(service: TestService): Promise<Reply> {
  for (let count = 1; ; count++) {
    const body = { id: `realm-${count}`, name: 'Another' };
    const reply = await service.send('POST', '/api/v4/realms', { body });
    if (reply.status !== 201) return reply;
  }
}

test('a disk that fills up while many callers write', options, async (t) => {
  const { disk, service, realm, callers } = await startOn(t, 6);
  await callers.creditUntilOutage();
  assert.ok(callers.refused.length >= CALLERS);
  assert.ok(callers.acknowledged.length > CALLERS);
  for (const { reply } of callers.refused) assertStorageFull(reply);
  callers.refused.forEach(assertSoon);
  const { json } = await untilReadiness(service, 503);
  assert.match(json.checks.storage, /^The disk of the database is full: no change is accepted/);
  assert.deepEqual(await upAndFull(service), ['0', '1']);
  await callers.audit();
  await realm.expect(200, 'GET', '/members/1/transactions');
  assertStorageFull(await firstRefused(service));
  disk.free();
  await untilReadiness(service, 200);
  assert.deepEqual(await upAndFull(service), ['1', '0']);
  await callers.retryRefused();
  await callers.audit();
  await service.restart();
  await callers.audit();
  assert.deepEqual(outageLines(service), OUTAGE);
});

test('a start on a full disk serves reads, as often as it is repeated', options, async (t) => {
  const { disk, service, realm } = await startOn(t);
  await realm.member('1', 5);
  for (let round = 0; round < 2; round++) {
    await service.down();
    disk.fill();
    await service.up();
    assert.equal((await service.send('GET', '/readyz')).status, 503);
    assert.equal(await realm.balance('1'), 5);
    const { json } = await realm.expect(200, 'GET', '/members/1/transactions');
    assert.equal(json.items.length, 1);
    const credit = { body: { tokens: 1 } };
    assertStorageFull(await realm.send('PATCH', '/members/1/tokenBalance', credit));
  }
  disk.free();
  await untilReadiness(service, 200);
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  assert.equal(await realm.balance('1'), 6);
  assert.deepEqual(outageLines(service), [OUTAGE[0], ...OUTAGE]);
});

test('a start that cannot even read says what to do', options, async (t) => {
  const { disk, service } = await startOn(t);
  await service.down();
  const refused = (pattern: RegExp) =>
    assert.rejects(
      () => service.up(),
      (error: Error) => {
        assert.ok(error instanceof OperatorError);
        assert.match(error.message, pattern);
        return true;
      },
    );
  const { folder } = disk;
  const who = userInfo().username;
  disk.setReadOnly(true);
  await refused(
    new RegExp(`cannot be used: EROFS.* Let user ${who} write to .* folder ${folder}, or set`),
  );
  disk.setReadOnly(false);
  rmSync(join(folder, 'realmkeep.db-reserve'));
  disk.fill();
  await refused(new RegExp(`Free some space on the disk of ${folder}\\.$`));
  disk.free();
  await service.up();
});

test('a batch that is too large for the disk is refused alone', options, async (t) => {
  const { disk, service, realm } = await startOn(t);
  disk.fill(disk.available() - MEGABYTE / 2);
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    memberId: `${index + 1}`,
    tokens: 1,
  }));
  assertStorageFull(await realm.send('PATCH', '/members/tokenBalance', { body: { entries } }));
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  assert.equal((await service.send('GET', '/readyz')).status, 200);
  assert.deepEqual(outageLines(service), []);
});

test('the log takes a small part of a small disk, while all of it is read', options, async (t) => {
  const { disk, realm, callers } = await startOn(t);
  let isOver = false;
  const reading = readUntil(() => isOver, realm);
  await callers.creditUntilOutage();
  isOver = true;
  await reading;
  const bytesOf = (file: string) => files(disk).find(({ name }) => name === file)?.bytes ?? 0;
  const [ledger, log] = [bytesOf('realmkeep.db'), bytesOf('realmkeep.db-wal')];
  assert.ok(log < 2 * MEGABYTE, `the log has ${log}`);
  assert.ok(ledger > 4 * MEGABYTE, `the ledger has only ${ledger}`);
});

async function readUntil(isOver: () => boolean, realm: TestRealm): Promise<void> {
  while (!isOver()) {
    await realm.send('GET', '/members?limit=50');
    await realm.send('GET', '/leaderboard');
  }
}
