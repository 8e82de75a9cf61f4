import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { serviceForTest, type TestService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-backups-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The metrics of backups, by the rest of their names. */
async function metricsOf(service: TestService): Promise<Record<string, number>> {
  const { text } = await service.expect(200, 'GET', '/metrics');
  const found = text.matchAll(/^realmkeep_backup_(\w+) (\S+)$/gm);
  return Object.fromEntries(Array.from(found, ([, name, value]) => [name, Number(value)]));
}

const metricsWhen = (
  service: TestService,
  isSo: (metrics: Record<string, number>) => boolean,
): Promise<Record<string, number>> => eventually(() => metricsOf(service), isSo);

const linesOf = (service: TestService): Record<string, unknown>[] =>
  service.logs.map((line) => JSON.parse(line));

test('the service backs up on a schedule, keeps the newest, and reports it', async () => {
  const backups = { folder: join(folder, 'good'), everyMs: 20, keep: 2 };
  const service = await serviceForTest({ backups });
  await service.realm('acme');
  const backedUp = () => linesOf(service).filter(({ msg }) => msg === 'backed up');
  const metrics = await metricsWhen(service, () => backedUp().length >= 3);
  assert.equal(metrics.failures_total, 0);
  assert.ok((metrics.age_seconds ?? -1) >= 0);
  assert.ok((metrics.duration_seconds ?? 0) > 0);
  assert.ok(Math.abs((metrics.timestamp_seconds ?? 0) - Date.now() / 1_000) < 600);
  assert.equal(metrics.size_bytes, backedUp().at(-1)?.bytes);
  await service.down();
  const kept = readdirSync(backups.folder);
  assert.equal(kept.length, 2, String(kept));
  assert.ok(kept.every((name) => name.endsWith('Z.db')));

  service.logs.length = 0;
  await service.up();
  const { timestamp_seconds: at = 0, duration_seconds } = await metricsOf(service);
  assert.ok(at > 0, 'a restart knows of the last backup');
  assert.equal(duration_seconds, undefined);
});

test('a failing backup is counted, logged, and after a while too old', async () => {
  const occupied = join(folder, 'file');
  writeFileSync(occupied, '');
  const backups = { folder: join(occupied, 'sub'), everyMs: 20, keep: 2 };
  const service = await serviceForTest({ backups });
  const isOld = () => linesOf(service).some(({ msg }) => msg === 'the last backup is too old');
  const metrics = await metricsWhen(
    service,
    ({ failures_total = 0 }) => failures_total > 0 && isOld(),
  );
  assert.deepEqual([metrics.timestamp_seconds, metrics.age_seconds], [0, undefined]);
  const failure = linesOf(service).find(({ msg }) => msg === 'the backup failed; will retry');
  assert.match(String(failure?.reason), /^The backup to .* failed: E/);
});

test('old backups that cannot be deleted are told, and cause no further ones', async () => {
  const backups = { folder: join(folder, 'stuck'), everyMs: 20, keep: 1 };
  // Nobody, not even root, removes a folder as if it were a file.
  mkdirSync(join(backups.folder, 'realmkeep-2020-01-01T00-00-00.000Z.db'), { recursive: true });
  const service = await serviceForTest({ backups });
  const isTold = () => linesOf(service).some(({ msg }) => /could not be deleted/.test(String(msg)));
  await metricsWhen(service, isTold);
  const metrics = await metricsOf(service);
  assert.equal(metrics.failures_total, 0);
  assert.ok((metrics.age_seconds ?? 3_600) < 600, 'the new backup counts');
  await service.down();
  assert.equal(readdirSync(backups.folder).length, 2);
});

test('a backup from the future delays no other, and goes first', async () => {
  const backups = { folder: join(folder, 'future'), everyMs: 20, keep: 2 };
  mkdirSync(backups.folder);
  const name = 'realmkeep-3000-01-01T00-00-00.000Z.db';
  writeFileSync(join(backups.folder, name), '');
  const service = await serviceForTest({ backups });
  const isMade = () => linesOf(service).filter(({ msg }) => msg === 'backed up').length >= 2;
  const { timestamp_seconds: at = 0 } = await metricsWhen(service, isMade);
  assert.ok(at > 0 && at <= Date.now() / 1_000);
  await service.down();
  const kept = readdirSync(backups.folder);
  assert.ok(kept.length === 2 && !kept.includes(name), String(kept));
});

test('without a folder there are no backups, and no metrics of them', async () => {
  const service = await serviceForTest();
  assert.deepEqual(await metricsOf(service), {});
});
