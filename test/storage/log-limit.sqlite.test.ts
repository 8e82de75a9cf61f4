import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { limitLog } from '../../src/store/sqlite/disk.ts';
import { eventually } from '../support/eventually.ts';

/** A log that has become long is moved into the file, and begins anew. */
const PAGES = 400;
const PAGE_BYTES = 4_096;

function openIn(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-log-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'test.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE texts (text TEXT)');
  const insert = db.prepare('INSERT INTO texts VALUES (?)');
  const length = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  return {
    db,
    path,
    /** Each is a commit of two or three pages. */
    commit: (times: number) => {
      for (let time = 0; time < times; time++) insert.run('x'.repeat(4_000));
    },
    log: () => length.get() as { log: number; checkpointed: number },
  };
}

test('commits move it once it has its limit, again and again', (t) => {
  const { db, path, commit, log } = openIn(t);
  limitLog(db, path, PAGES);
  for (let times = 0; times < 3; times++) {
    while (log().log < PAGES - 10) commit(1);
    assert.equal(log().checkpointed, 0);
    commit(20);
    assert.ok(log().log < 100);
  }
  db.close();
  assert.ok(!existsSync(`${path}-wal`));
});

test('readers that come and go do not let it grow for long', async (t) => {
  const { db, path, commit } = openIn(t);
  const link = `${path}-link`;
  symlinkSync(path, link);
  limitLog(db, link, PAGES);
  const reader = new DatabaseSync(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM texts').get();
  commit(PAGES);
  assert.ok(statSync(`${path}-wal`).size > 2 * PAGES * PAGE_BYTES);
  reader.exec('COMMIT');
  await eventually(
    async () => commit(1),
    () => statSync(`${path}-wal`).size <= PAGES * PAGE_BYTES,
  );
  reader.close();
  db.close();
});
