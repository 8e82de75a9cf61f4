import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/domain/model.ts';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { migrations } from '../../src/store/sqlite/migrations.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';

/** Files of earlier versions are brought to today's, with all that is in them. */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-migrations-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a file of the first version is taken over, settings it does not know included', async () => {
  const path = join(folder, 'first.db');
  const db = new DatabaseSync(path);
  db.exec(migrations[0] ?? '');
  db.exec('PRAGMA user_version = 1');
  const { siteUrl: _, ...settings } = DEFAULT_SETTINGS;
  db.prepare('INSERT INTO realms VALUES (?, ?, ?, 0, ?, 0, 1, 5, 5)').run(
    'acme',
    'Acme',
    JSON.stringify({ ...settings, autoEnroll: true }),
    new Uint8Array(32),
  );
  db.close();
  const ledger = new InProcessLedger(openSqliteStore(path));
  const realm = await ledger.query('realm', { realmId: 'acme' });
  assert.deepEqual(realm?.settings, { ...DEFAULT_SETTINGS, autoEnroll: true });
  assert.equal(await ledger.query('ready', null), true);
  assert.equal(await ledger.housekeeping.expireChallenges(Date.now()), 0);
  await ledger.close();
});
