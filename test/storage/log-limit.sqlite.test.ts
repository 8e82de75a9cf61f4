import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { limitLog } from '../../src/store/sqlite/log-limit.ts';
import { eventually } from '../support/eventually.ts';

/** A log that has become long is moved into the file, beside the writer or by it. */
const PAGES = 400;

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

const untilMoved = (log: () => { log: number; checkpointed: number }) =>
  eventually(
    async () => log(),
    ({ log: length, checkpointed }) => length === checkpointed,
  );

test('it is moved before commits would do so', async (t) => {
  const { db, path, commit, log } = openIn(t);
  const checkpointer = limitLog(db, path, PAGES);
  while (log().log < PAGES) commit(1);
  assert.equal(log().checkpointed, 0);
  await untilMoved(log);
  assert.ok(log().log < 1.1 * PAGES);
  // It begins anew, and a log that becomes long again is moved again.
  await eventually(
    async () => commit(1),
    () => log().log < 10,
  );
  while (log().log < PAGES) commit(1);
  await untilMoved(log);
  await checkpointer.stop();
  db.close();
  assert.ok(!existsSync(`${path}-wal`));
});

test('while commits go on, it begins anew again and again', async (t) => {
  const { db, path, commit, log } = openIn(t);
  const link = `${path}-link`;
  symlinkSync(path, link);
  const checkpointer = limitLog(db, link, PAGES);
  // Only the thread can move it.
  db.exec('PRAGMA wal_autocheckpoint = 0');
  for (let times = 0; times < 3; times++) {
    await eventually(
      async () => commit(20),
      () => log().log >= PAGES,
    );
    await eventually(
      async () => commit(1),
      () => log().log < PAGES,
    );
  }
  await checkpointer.stop();
  db.close();
});

test('if there is nobody to move it, commits do', async (t) => {
  const { db, path, commit, log } = openIn(t);
  const checkpointer = limitLog(db, path, PAGES);
  await checkpointer.stop();
  while (log().log < 1.5 * PAGES - 10) commit(1);
  assert.equal(log().checkpointed, 0);
  commit(20);
  assert.ok(log().log < 100);
  db.close();
});
