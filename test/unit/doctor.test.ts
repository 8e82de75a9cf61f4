import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveFinding } from '../../src/cli/doctor/backup.ts';
import { clockFinding } from '../../src/cli/doctor/database.ts';
import { judgeDisk, judgeFsync, serverFsyncFinding } from '../../src/cli/doctor/disk.ts';
import { DAY_MS } from '../../src/domain/rules/time.ts';
import type { ServerFacts } from '../../src/store/inspection.ts';

/** What a test cannot do to the machine it runs on. */
const disk = { folder: '/data', type: 0xef53, freeBytes: 50e9, databaseBytes: 1e9 };
const sound = { clockErrorMs: 0, unsafe: [], schemaFaults: [], archive: null };
const server = { name: null, version: '18.1', ...sound };

test('the disk is judged by its free space and its file system', () => {
  const judged = (change: Partial<typeof disk>): string => {
    const { verdict, detail } = judgeDisk({ ...disk, ...change });
    return `${verdict}: ${detail}`;
  };
  assert.equal(judged({}), 'ok: 50.0 GB are free in /data.');
  assert.match(judged({ freeBytes: 10e6 }), /^fault: Only 10 MB are free in \/data\. Free some/);
  assert.match(judged({ freeBytes: 500e6, databaseBytes: 0 }), /^warning: Only 500 MB are free/);
  assert.match(judged({ databaseBytes: 60e9 }), /^warning: .* less than the database takes/);
  assert.match(judged({ type: 0x6969 }), /^fault: .* \(NFS\), where SQLite's log does not work/);
  assert.match(judged({ type: 0x65735546 }), /^warning: .* of another program \(FUSE\)/);
  assert.match(judged({ type: 0x01021994 }), /^warning: \/data is in memory \(tmpfs\)/);
});

test('the speed of fsync is judged by its median', () => {
  assert.deepEqual(judgeFsync([1, 900, 2]), {
    verdict: 'ok',
    detail: 'An fsync takes 2.0 ms (median of 3).',
  });
  assert.match(judgeFsync([60, 70, 80]).detail, /70\.0 ms .* use a faster disk/);
  assert.equal(judgeFsync([60, 70, 80]).verdict, 'warning');
});

test('a server that does not wait for its disk is a fault', () => {
  const unsafe = serverFsyncFinding({ server: { ...server, unsafe: ['fsync'] } });
  assert.equal(unsafe.verdict, 'fault');
  assert.match(unsafe.detail, /The server has fsync = off: .* Turn that on in postgresql\.conf/);
  assert.equal(serverFsyncFinding({ server }).verdict, 'ok');
});

test('a server whose clock differs is a fault', () => {
  const facts = { version: 1, known: 1, content: null };
  const finding = clockFinding({ ...facts, server: { ...server, clockErrorMs: -7_000 } }, 0);
  assert.equal(finding.verdict, 'fault');
  assert.match(finding.detail, /7\.0 s behind the clock of the database\. Synchronise it/);
  assert.equal(clockFinding({ ...facts, server }, 0).verdict, 'ok');
});

test('a server is judged by whether its log is archived', () => {
  const at = Date.parse('2026-11-16T10:00:00Z');
  const sound = { hasCommand: true, at, failedAt: null };
  const judged = (
    change: Partial<NonNullable<ServerFacts['archive']>>,
    recordedAt = at,
  ): string => {
    const archive = { ...sound, ...change };
    const { verdict, detail } = archiveFinding(archive, recordedAt, at + 2 * DAY_MS);
    return `${verdict}: ${detail}`;
  };
  assert.equal(archiveFinding(null, at, at).verdict, 'skipped');
  assert.equal(judged({}), 'ok: The server archived its log last at 2026-11-16T10:00:00.000Z.');
  assert.match(judged({ hasCommand: false, at: null }), /^fault: .* set archive_command, too\./);
  assert.match(
    judged({ at: null }),
    /^warning: .* archived nothing yet.*"SELECT pg_switch_wal\(\)"/,
  );
  assert.match(judged({}, at + 1), /^warning: .*What was written since could not be recovered/);
  assert.match(
    judged({ failedAt: at + 60_000 }),
    /^fault: .* failed .* at 2026-11-16T10:01:00\.000Z \(last success: 2026-11-16T/,
  );
});
