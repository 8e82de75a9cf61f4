import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-storage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a database of a newer version is refused, not changed', () => {
  const path = join(folder, 'newer.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 1000');
  db.close();
  assert.throws(() => openSqliteStore(path), /newer version/);
});
