import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { PointKind } from '../../src/domain/model.ts';
import { Unavailable } from '../../src/engine/errors.ts';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { projectionsPath } from '../../src/store/sqlite/projections/database.ts';
import { openSqliteProjections } from '../../src/store/sqlite/projections/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';

/** Projections can be lost at any time: they are rebuilt from the journal. */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-projections-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const open = (path: string) => new InProcessLedger(openSqliteStore(path));

function credit(ledger: InProcessLedger, realmId: string, memberId: string, tokens = 1) {
  const rest = { tokens, realmPointId: null, description: null, actor: 'test', idempotency: null };
  return ledger.execute({ type: 'points.change', realmId, memberId, ...rest });
}

function rename(ledger: InProcessLedger, memberId: string, username: string) {
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  return ledger.execute({ ...envelope, type: 'member.update', memberId, fields: { username } });
}

async function openRealm(ledger: InProcessLedger, realmId = 'acme'): Promise<void> {
  const envelope = { realmId, actor: 'test', idempotency: null };
  const settings = { autoEnroll: true };
  await ledger.execute({ ...envelope, type: 'realm.create', name: realmId, settings });
}

/** The result of every query that reads projections. */
async function readAll(ledger: InProcessLedger, realmId = 'acme') {
  const movements = { realmId, realmPointId: null, type: null, from: null, to: null, before: null };
  const page = { realmId, realmPointId: null, at: Date.now(), after: null, limit: 500 };
  return {
    statement: await ledger.query('statement', { ...movements, memberId: '1', limit: 500 }),
    transactions: await ledger.query('transactions', { ...movements, limit: 500 }),
    balances: await ledger.query('balancesAt', { realmId, memberId: '1', at: Date.now() }),
    leaderboards: [
      await ledger.query('leaderboard', { ...page, window: 'all' }),
      await ledger.query('leaderboard', { ...page, window: 'week' }),
    ],
    found: await ledger.query('searchMembers', {
      ...{ realmId, terms: ['ANN'], status: null, after: null, limit: 500, now: 0 },
    }),
  };
}

async function writeHistory(path: string): Promise<void> {
  const ledger = open(path);
  await openRealm(ledger);
  for (let index = 0; index < 30; index++) {
    await credit(ledger, 'acme', String(1 + (index % 3)), index + 1);
  }
  await rename(ledger, '1', 'Ann');
  await rename(ledger, '2', 'anna');
  await rename(ledger, '2', 'Bea Annan');
  await ledger.close();
}

/** Damage found by a query fails it once; the next query finds the projections rebuilt. */
async function reopenAndRead(path: string) {
  const ledger = open(path);
  try {
    return await readAll(ledger).catch((error) => {
      assert.ok(error instanceof Unavailable, String(error));
      return readAll(ledger);
    });
  } finally {
    await ledger.close();
  }
}

const losses: Record<string, (projections: string) => void> = {
  deleted: (projections) => {
    for (const end of ['', '-wal', '-shm']) rmSync(projections + end, { force: true });
  },
  'overwritten with garbage': (projections) => writeFileSync(projections, 'garbage'.repeat(10_000)),
  'damaged after the first page': (projections) => {
    const db = new DatabaseSync(projections);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const bytes = readFileSync(projections);
    writeFileSync(projections, bytes.fill(0xa5, 4_096));
  },
  'at a position before their rows': (projections) => {
    const db = new DatabaseSync(projections);
    db.exec(`UPDATE projection_positions SET seq = 0, hash = x''`);
    db.close();
  },
  'of another version': (projections) => {
    const db = new DatabaseSync(projections);
    db.exec('DROP TABLE entries; CREATE TABLE other (a); PRAGMA user_version = 77');
    db.close();
  },
};

for (const [how, lose] of Object.entries(losses)) {
  test(`projections that are ${how} are rebuilt from the journal`, async () => {
    const path = newPath();
    await writeHistory(path);
    const before = await reopenAndRead(path);
    assert.equal(before.transactions?.rows.length, 30);
    assert.equal(before.found.members.length, 2);
    lose(projectionsPath(path));
    assert.deepEqual(await reopenAndRead(path), before);
  });
}

test('a database restored from a backup is projected from the start', async () => {
  const path = newPath();
  await writeHistory(path);
  const copy = newPath();
  copyFileSync(path, copy);
  const before = await reopenAndRead(path);
  let ledger = open(path);
  for (let index = 0; index < 5; index++) await credit(ledger, 'acme', '1', 1_000);
  assert.notDeepEqual(await readAll(ledger), before);
  await ledger.close();
  copyFileSync(copy, path);
  assert.deepEqual(await reopenAndRead(path), before);
  // As many records as before the restore, but different ones.
  ledger = open(path);
  for (let index = 0; index < 5; index++) await credit(ledger, 'acme', '1', 2_000);
  assert.equal((await readAll(ledger)).statement?.rows[0]?.tokens, 2_000);
  await ledger.close();
});

test('many records of many realms are projected completely', async () => {
  const path = newPath();
  const ledger = open(path);
  const realms = Array.from({ length: 120 }, (_, index) => `realm-${index}`);
  for (const realmId of realms) await openRealm(ledger, realmId);
  const busy = Array.from({ length: 10_000 }, () => credit(ledger, 'realm-50', '1'));
  await Promise.all([...busy, ...realms.map((realmId) => credit(ledger, realmId, '2', 7))]);
  while ((await ledger.housekeeping.project('all')) !== 'nothing');
  const db = new DatabaseSync(projectionsPath(path));
  db.prepare('ATTACH ? AS books').run(path);
  const behind = `SELECT count(*) AS count FROM realms
    LEFT JOIN projection_positions USING (realm_id)
    WHERE realms.seq IS NOT projection_positions.seq`;
  assert.equal(db.prepare(behind).get()?.count, 0);
  assert.equal(db.prepare('SELECT count(*) AS count FROM entries').get()?.count, 10_120);
  db.close();
  const all = { realmId: 'realm-50', realmPointId: null, window: 'all', at: Date.now() } as const;
  const found = await ledger.query('standing', { ...all, memberId: '1' });
  assert.deepEqual([found?.standing?.rank, found?.standing?.score], [1, 10_000]);
  await ledger.close();
});

test('the job goes on until nothing of a realm is left, however many kinds it has', async () => {
  const ledger = open(newPath());
  await openRealm(ledger);
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  const kind: PointKind = {
    ...{ id: '', name: 'Kind', symbol: null, isDefault: false, isTransferable: true },
    ...{ minimumBalance: 0, maximumBalance: 1_000, archived: false },
  };
  for (const id of ['b', 'c', 'd', 'e', 'f', 'g']) {
    await ledger.execute({ ...envelope, type: 'kind.create', kind: { ...kind, id } });
  }
  await Promise.all(
    Array.from({ length: 3_000 }, (_, index) => credit(ledger, 'acme', String(1 + index))),
  );
  while ((await ledger.housekeeping.project('all')) === 'full');
  assert.equal(await ledger.housekeeping.project('all'), 'nothing');
  const all = { realmId: 'acme', realmPointId: 'g', window: 'all', at: Date.now() } as const;
  const found = await ledger.query('standing', { ...all, memberId: '3000' });
  assert.equal(found?.standing?.score, 0);
  await ledger.close();
});

test('two projectors at once project every record once', async () => {
  const path = newPath();
  const ledger = open(path);
  await openRealm(ledger);
  const [one, other] = [openSqliteProjections(path), openSqliteProjections(path)];
  for (let round = 1; round <= 20; round++) {
    await credit(ledger, 'acme', '1');
    if (round % 3 === 0) await one.maintenance.project('all');
    await Promise.all([one, other].map(({ maintenance }) => maintenance.project('all')));
  }
  const before = await readAll(ledger);
  assert.equal(before.statement?.rows.length, 20);
  assert.deepEqual(
    before.leaderboards.map((leaderboard) => leaderboard?.rows[0]?.score),
    [20, 20],
  );
  await one.close();
  await other.close();
  await ledger.close();
});

test('a journal that cannot be projected does not hold up the others', async () => {
  const path = newPath();
  const ledger = open(path);
  for (const realmId of ['broken', 'cut', 'whole']) {
    await openRealm(ledger, realmId);
    await credit(ledger, realmId, '1');
  }
  const db = new DatabaseSync(path);
  db.exec(`UPDATE journal SET data = '{' WHERE realm_id = 'broken' AND type = 'points.added'`);
  db.exec(`DELETE FROM journal WHERE realm_id = 'cut' AND type = 'points.added'`);
  db.close();
  assert.throws(() => {
    while (ledger.housekeeping.project('all') !== 'nothing');
  }, SyntaxError);
  assert.equal((await readAll(ledger, 'whole')).transactions?.rows.length, 1);
  assert.equal((await readAll(ledger, 'cut')).transactions?.rows.length, 0);
  await ledger.close();
});

test('a pass over many journals that cannot be projected ends with an error', async () => {
  const path = newPath();
  const ledger = open(path);
  for (let index = 0; index < 500; index++) await openRealm(ledger, `realm-${index}`);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE journal SET type = 'member.created', data = '{'`);
  db.close();
  assert.throws(() => {
    for (let calls = 0; calls < 10; calls++)
      if (ledger.housekeeping.project('all') === 'nothing') return;
  }, SyntaxError);
  await ledger.close();
});

test('only leaderboards whose window ended are dropped', async () => {
  const path = newPath();
  const day = 24 * 60 * 60 * 1000;
  let now = Date.UTC(2026, 0, 31, 12);
  const ledger = new InProcessLedger(openSqliteStore(path), () => now);
  await openRealm(ledger);
  for (let round = 0; round < 3; round++) {
    await credit(ledger, 'acme', '1');
    while ((await ledger.housekeeping.project('all')) !== 'nothing');
    now += day;
  }
  const db = new DatabaseSync(projectionsPath(path));
  const names = () =>
    db
      .prepare('SELECT name FROM leaderboards ORDER BY name')
      .all()
      .map(({ name }) => name);
  assert.equal(names().length, 8);
  while ((await ledger.housekeeping.dropExpiredLeaderboards(Date.UTC(2026, 1, 2))) > 0);
  assert.deepEqual(names(), [
    'points',
    'points@day:2026-02-01',
    'points@day:2026-02-02',
    'points@month:2026-02-01',
    'points@week:2026-01-26',
    'points@week:2026-02-02',
  ]);
  const orphans = `SELECT count(*) AS count FROM standings
    WHERE leaderboard_no NOT IN (SELECT leaderboard_no FROM leaderboards)`;
  assert.equal(db.prepare(orphans).get()?.count, 0);
  db.close();
  await ledger.close();
});

test('projections that cannot be opened fail the start', async () => {
  const path = newPath();
  await open(path).close();
  mkdirSync(projectionsPath(path));
  assert.throws(() => openSqliteProjections(path), /unable to open database file/);
});

test('a query that waits too long for the projections fails with projection-behind', async (t) => {
  const ledger = open(newPath());
  await openRealm(ledger);
  const entries = Array.from({ length: 5_000 }, () => ({
    memberId: '1',
    tokens: 1,
    realmPointId: null,
    description: null,
  }));
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  await ledger.execute({ ...envelope, type: 'points.batch', atomic: true, entries });
  const answer = readAll(ledger);
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 6_000);
  await assert.rejects(answer, (error: Error) => {
    assert.ok(error instanceof Unavailable, String(error));
    assert.equal(error.reason, 'projection-behind');
    return true;
  });
  t.mock.restoreAll();
  assert.equal((await readAll(ledger)).statement?.rows.length, 500);
  await ledger.close();
});
