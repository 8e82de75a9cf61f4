import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import {
  migrateDatabase,
  openLedger,
  openStorage,
  toOperatorError,
} from '../../src/storage/storage.ts';
import {
  migrate,
  migrations,
  openForWriting,
  schemaVersion,
} from '../../src/store/sqlite/database.ts';
import { realmFault, startFault } from '../../src/store/sqlite/integrity.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { command } from '../domain/histories.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-storage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a database of a newer version is refused', () => {
  const path = join(folder, 'newer.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 1000');
  db.close();
  assert.throws(() => openSqliteStore(path), { reason: 'database-newer' });
});

test('a file whose members have ids beyond the safe integers is opened', async () => {
  const path = join(folder, 'large-ids.db');
  const ledger = new InProcessLedger(openSqliteStore(path));
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  const settings = { autoEnroll: true };
  await ledger.execute({ ...envelope, type: 'realm.create', name: 'Acme', settings });
  const entry = { tokens: 1, realmPointId: null, description: null };
  const entries = ['180351110224678912', '9223372036854775807'].map((memberId) => ({
    ...entry,
    memberId,
  }));
  const outcome = await ledger.execute({
    ...envelope,
    type: 'points.batch',
    atomic: true,
    entries,
  });
  assert.ok('answer' in outcome);
  await ledger.close();
  assert.deepEqual([startFault(path), realmFault(path)], [null, null]);
});

test('a probe leaves the version that another program has migrated to', async () => {
  const path = join(folder, 'upgraded.db');
  const store = openSqliteStore(path);
  const other = new DatabaseSync(path);
  other.exec('PRAGMA user_version = 1000');
  await store.housekeeping.probe();
  assert.equal(schemaVersion(other), 1000);
  other.close();
  await store.close();
});

test('a database of another program is refused unchanged; an empty one is used', async () => {
  const path = join(folder, 'foreign.db');
  const foreign = new DatabaseSync(path);
  foreign.exec('CREATE TABLE realms (a); PRAGMA user_version = 0');
  foreign.close();
  const before = readFileSync(path);
  const database = { kind: 'sqlite' as const, path, shown: path, name: 'DATABASE_URL' };
  const events = { onDeath: fail, onDamage: fail, onUnavailable: fail, onAvailable: fail };
  const uses = [
    () => openStorage(database, { ...events, onRefused: fail }),
    () => openLedger(database),
    () => migrateDatabase(database),
  ];
  for (const use of uses) {
    await assert.rejects(use, {
      code: 'database-unusable',
      message:
        `The database ${path} cannot be used: it is a database of another program. ` +
        'Check DATABASE_URL.',
    });
  }
  assert.deepEqual(readFileSync(path), before);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('foreign')),
    ['foreign.db'],
  );
  writeFileSync(path, '');
  assert.equal(await migrateDatabase(database), migrations.length);
  assert.equal(await migrateDatabase(database), 0);
});

test('a file that cannot be written gets advice', () => {
  const database = { kind: 'sqlite' as const, path: 'a.db', shown: 'a.db', name: 'DATABASE_URL' };
  const readOnly = new Error('attempt to write a readonly database');
  // With an extended code, SQLITE_READONLY_DIRECTORY.
  const { message } = toOperatorError(database, Object.assign(readOnly, { errcode: 1544 }));
  assert.match(message, /readonly database\. Let user \S+ write to the file and its folder \//);
});

const fail = (): never => assert.fail('not expected of a storage that did not open');

test('each migration is applied once, to a file with rows, or not at all', async () => {
  const path = join(folder, 'earlier.db');
  const ledger = new InProcessLedger(openSqliteStore(path));
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  await ledger.close();
  const db = openForWriting(path);
  const first = schemaVersion(db);
  const later = [...migrations, 'ALTER TABLE realms ADD COLUMN motto TEXT'];
  const broken = 'ALTER TABLE realms ADD COLUMN crest TEXT; not SQL';
  assert.throws(() => migrate(db, [...later, broken]), /syntax error/);
  assert.equal(schemaVersion(db), first + 1, 'what came before the broken one stays');
  assert.equal(migrate(db, later), 0);
  assert.throws(() => migrate(db), { reason: 'database-newer' });
  assert.equal(migrate(db, [...later, 'ALTER TABLE realms ADD COLUMN crest TEXT']), 1);
  assert.deepEqual(
    { ...db.prepare('SELECT name, motto, crest FROM realms').get() },
    { name: 'Acme', motto: null, crest: null },
  );
  db.close();
});

test('only the owner can read new files; existing files keep their mode', async () => {
  const own = mkdtempSync(join(folder, 'modes-'));
  const path = join(own, 'realmkeep.db');
  const modes = () =>
    readdirSync(own)
      .toSorted()
      .map((name) => [name, (statSync(join(own, name)).mode & 0o777).toString(8)]);
  const settings = { autoEnroll: true };
  const first = new InProcessLedger(openSqliteStore(path));
  await first.execute(command('realm.create', { name: 'Acme', settings }));
  const made = ['', '-reserve', '-shm', '-wal'];
  assert.deepEqual(
    modes(),
    made.map((end) => [`realmkeep.db${end}`, '600']),
  );
  await first.close();
  for (const name of readdirSync(own)) chmodSync(join(own, name), 0o640);
  const second = new InProcessLedger(openSqliteStore(path));
  assert.ok(modes().every(([, mode]) => mode === '640'));
  await second.close();
});
