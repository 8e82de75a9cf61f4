import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command, REALM } from '../domain/histories.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-storage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a database of a newer version is refused, not changed', () => {
  const path = join(folder, 'newer.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 1000');
  db.close();
  assert.throws(() => openSqliteStore(path), /newer version/);
});

test('new files are for their owner alone, and those that are there keep their mode', async () => {
  const own = mkdtempSync(join(folder, 'modes-'));
  const path = join(own, 'realmkeep.db');
  const modes = () =>
    readdirSync(own)
      .toSorted()
      .map((name) => [name, (statSync(join(own, name)).mode & 0o777).toString(8)]);
  const settings = { autoEnroll: true };
  const first = new InProcessLedger(openSqliteStore(path));
  await first.execute(command('realm.create', { name: 'Acme', settings }));
  await first.housekeeping.project('all');
  const made = ['', '-projections', '-projections-shm', '-projections-wal', '-shm', '-wal'];
  assert.deepEqual(
    modes(),
    made.map((end) => [`realmkeep.db${end}`, '600']),
  );
  await first.close();
  for (const name of readdirSync(own)) chmodSync(join(own, name), 0o640);
  const second = new InProcessLedger(openSqliteStore(path));
  await second.housekeeping.project('all');
  assert.ok(modes().every(([, mode]) => mode === '640'));
  await second.close();
});

test('a file of the first version gets what came later, and keeps what it has', async () => {
  const path = join(folder, 'earlier.db');
  const before = new InProcessLedger(openSqliteStore(path));
  const settings = { autoEnroll: true };
  await before.execute(command('realm.create', { name: 'Acme', settings }));
  const credit = { memberId: '1', tokens: 1, realmPointId: null, description: null };
  await before.execute(command('points.change', credit));
  const journal = { realmId: REALM, after: 0, limit: 100 };
  const records = await before.query('records', journal);
  await before.close();
  const db = new DatabaseSync(path);
  db.exec(`DROP TABLE assets; DROP TABLE challenges; PRAGMA user_version = 1;
    ALTER TABLE wallets DROP COLUMN verified_on;
    INSERT INTO wallets VALUES ('acme', '0x1', 1, 'eip155', '0x1', 1, 5, 5)`);
  db.close();
  const after = new InProcessLedger(openSqliteStore(path));
  assert.deepEqual(await after.query('records', journal), records);
  const contract = '0x52908400098527886E0F7030069857D2E4169EE7';
  const named = { id: 'pass', chain: 'eip155:1', standard: 'erc721' as const, contract };
  const asset = { ...named, tokenId: null, symbol: null };
  assert.ok('answer' in (await after.execute(command('asset.create', { asset }))));
  assert.deepEqual(await after.query('assets', { realmId: 'acme' }), [asset]);
  const [wallet] = (await after.query('walletsOf', { realmId: 'acme', memberId: '1' })) ?? [];
  assert.deepEqual([wallet?.verifiedAt, wallet?.verifiedOn], [5, null]);
  await after.close();
});
