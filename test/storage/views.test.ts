import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { CatchingUp, Overloaded } from '../../src/domain/keeper.ts';
import { LocalKeeper } from '../../src/domain/local-keeper.ts';
import { openSqliteStore, openSqliteViews } from '../../src/store/sqlite/store.ts';
import { viewsPath } from '../../src/store/sqlite/views/database.ts';

/** What statements and boards are read from can be lost at any time; the books are enough. */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-views-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const open = (path: string) => new LocalKeeper(openSqliteStore(path));

function credit(keeper: LocalKeeper, realmId: string, memberId: string, tokens = 1) {
  const rest = { tokens, realmPointId: null, description: null, actor: 'test', idempotency: null };
  return keeper.execute({ type: 'points.change', realmId, memberId, ...rest });
}

async function openRealm(keeper: LocalKeeper, realmId = 'acme'): Promise<void> {
  const envelope = { realmId, actor: 'test', idempotency: null };
  const settings = { autoEnroll: true };
  await keeper.execute({ ...envelope, type: 'realm.create', name: realmId, settings });
}

/** Everything that is read from the views of a realm, in short. */
async function told(keeper: LocalKeeper, realmId = 'acme') {
  const ask = { realmId, pointId: null, type: null, from: null, to: null, before: null };
  const board = { realmId, pointId: null, at: Date.now(), after: null, limit: 500 };
  return {
    statement: await keeper.ask('statement', { ...ask, memberId: '1', limit: 500 }),
    transactions: await keeper.ask('transactions', { ...ask, limit: 500 }),
    balances: await keeper.ask('balancesAt', { realmId, memberId: '1', at: null }),
    boards: [
      await keeper.ask('leaderboard', { ...board, window: 'all' }),
      await keeper.ask('leaderboard', { ...board, window: 'week' }),
    ],
  };
}

async function someHistory(path: string): Promise<void> {
  const keeper = open(path);
  await openRealm(keeper);
  for (let index = 0; index < 30; index++) {
    await credit(keeper, 'acme', String(1 + (index % 3)), index + 1);
  }
  await keeper.close();
}

/** Damage that is found while answering is told once; the next one who asks has the answer. */
async function toldAnew(path: string) {
  const keeper = open(path);
  try {
    return await told(keeper).catch((error) => {
      assert.ok(error instanceof Overloaded, String(error));
      return told(keeper);
    });
  } finally {
    await keeper.close();
  }
}

const losses: Record<string, (views: string) => void> = {
  deleted: (views) => {
    for (const end of ['', '-wal', '-shm']) rmSync(views + end, { force: true });
  },
  'overwritten with rubbish': (views) => writeFileSync(views, 'rubbish'.repeat(10_000)),
  'damaged behind the first page': (views) => {
    const db = new DatabaseSync(views);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const bytes = readFileSync(views);
    writeFileSync(views, bytes.fill(0xa5, 4_096));
  },
  'behind what they have': (views) => {
    const db = new DatabaseSync(views);
    db.exec(`UPDATE followed SET seq = 0, hash = x''`);
    db.close();
  },
  'of another version': (views) => {
    const db = new DatabaseSync(views);
    db.exec('DROP TABLE entries; CREATE TABLE other (a); PRAGMA user_version = 77');
    db.close();
  },
};

for (const [how, lose] of Object.entries(losses)) {
  test(`views that are ${how} come back from the journal`, async () => {
    const path = newPath();
    await someHistory(path);
    const before = await toldAnew(path);
    assert.equal(before.transactions?.length, 30);
    lose(viewsPath(path));
    assert.deepEqual(await toldAnew(path), before);
  });
}

test('books that come from a backup are followed anew, whatever was followed before', async () => {
  const path = newPath();
  await someHistory(path);
  const copy = newPath();
  copyFileSync(path, copy);
  const before = await toldAnew(path);
  let keeper = open(path);
  for (let index = 0; index < 5; index++) await credit(keeper, 'acme', '1', 1_000);
  assert.notDeepEqual(await told(keeper), before);
  await keeper.close();
  copyFileSync(copy, path);
  assert.deepEqual(await toldAnew(path), before);
  // As many records as were there before, but others.
  keeper = open(path);
  for (let index = 0; index < 5; index++) await credit(keeper, 'acme', '1', 2_000);
  assert.equal((await told(keeper)).statement?.[0]?.tokens, 2_000);
  await keeper.close();
});

test('many records and many realms are followed to their ends', async () => {
  const path = newPath();
  const keeper = open(path);
  const realms = Array.from({ length: 120 }, (_, index) => `realm-${index}`);
  for (const realmId of realms) await openRealm(keeper, realmId);
  const busy = Array.from({ length: 10_000 }, () => credit(keeper, 'realm-50', '1'));
  await Promise.all([...busy, ...realms.map((realmId) => credit(keeper, realmId, '2', 7))]);
  while ((await keeper.housekeeping.follow('all')) !== 'nothing');
  const db = new DatabaseSync(viewsPath(path));
  db.prepare('ATTACH ? AS books').run(path);
  const behind = `SELECT count(*) AS count FROM realms LEFT JOIN followed USING (realm_id)
    WHERE realms.seq IS NOT followed.seq`;
  assert.equal(db.prepare(behind).get()?.count, 0);
  assert.equal(db.prepare('SELECT count(*) AS count FROM entries').get()?.count, 10_120);
  db.close();
  const all = { realmId: 'realm-50', pointId: null, window: 'all', at: Date.now() } as const;
  const found = await keeper.ask('standing', { ...all, memberId: '1' });
  assert.deepEqual([found?.standing?.rank, found?.standing?.score], [1, 10_000]);
  await keeper.close();
});

test('two who follow at once count nothing twice', async () => {
  const path = newPath();
  const keeper = open(path);
  await openRealm(keeper);
  const [one, other] = [openSqliteViews(path), openSqliteViews(path)];
  for (let round = 1; round <= 20; round++) {
    await credit(keeper, 'acme', '1');
    if (round % 3 === 0) await one.following.follow('all');
    await Promise.all([one, other].map(({ following }) => following.follow('all')));
  }
  const before = await told(keeper);
  assert.equal(before.statement?.length, 20);
  assert.deepEqual(
    before.boards.map((board) => board?.standings[0]?.score),
    [20, 20],
  );
  await one.close();
  await other.close();
  await keeper.close();
});

test('a journal that cannot be followed holds up no other, and no chore for ever', async () => {
  const path = newPath();
  const keeper = open(path);
  for (const realmId of ['broken', 'cut', 'whole']) {
    await openRealm(keeper, realmId);
    await credit(keeper, realmId, '1');
  }
  const db = new DatabaseSync(path);
  db.exec(`UPDATE journal SET data = '{' WHERE realm_id = 'broken' AND type = 'points.added'`);
  db.exec(`DELETE FROM journal WHERE realm_id = 'cut' AND type = 'points.added'`);
  db.close();
  assert.throws(() => {
    while (keeper.housekeeping.follow('all') !== 'nothing');
  }, SyntaxError);
  assert.equal((await told(keeper, 'whole')).transactions?.length, 1);
  assert.equal((await told(keeper, 'cut')).transactions?.length, 0);
  await keeper.close();
});

test('however many journals cannot be followed, the chore ends and says so', async () => {
  const path = newPath();
  const keeper = open(path);
  for (let index = 0; index < 500; index++) await openRealm(keeper, `realm-${index}`);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE journal SET data = '{'`);
  db.close();
  assert.throws(() => {
    for (let turns = 0; turns < 10; turns++)
      if (keeper.housekeeping.follow('all') === 'nothing') return;
  }, SyntaxError);
  await keeper.close();
});

test('boards of windows that are over go, and only those', async () => {
  const path = newPath();
  const day = 24 * 60 * 60 * 1000;
  let now = Date.UTC(2026, 0, 31, 12);
  const keeper = new LocalKeeper(openSqliteStore(path), () => now);
  await openRealm(keeper);
  for (let round = 0; round < 3; round++) {
    await credit(keeper, 'acme', '1');
    while ((await keeper.housekeeping.follow('all')) !== 'nothing');
    now += day;
  }
  const db = new DatabaseSync(viewsPath(path));
  const names = () =>
    db
      .prepare('SELECT name FROM boards ORDER BY name')
      .all()
      .map(({ name }) => name);
  assert.equal(names().length, 8);
  while ((await keeper.housekeeping.dropOldBoards(Date.UTC(2026, 1, 2))) > 0);
  assert.deepEqual(names(), [
    'points',
    'points@day:2026-02-01',
    'points@day:2026-02-02',
    'points@month:2026-02-01',
    'points@week:2026-01-26',
    'points@week:2026-02-02',
  ]);
  const rows =
    'SELECT count(*) AS count FROM standings WHERE board NOT IN (SELECT board FROM boards)';
  assert.equal(db.prepare(rows).get()?.count, 0);
  db.close();
  await keeper.close();
});

test('views that cannot be opened stop the start', async () => {
  const path = newPath();
  await open(path).close();
  mkdirSync(viewsPath(path));
  assert.throws(() => openSqliteViews(path));
});

test('whoever waits too long for a journal to be followed hears what it is', async (t) => {
  const keeper = open(newPath());
  await openRealm(keeper);
  const entries = Array.from({ length: 5_000 }, () => ({
    memberId: '1',
    tokens: 1,
    realmPointId: null,
    description: null,
  }));
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  await keeper.execute({ ...envelope, type: 'points.batch', atomic: true, entries });
  const answer = told(keeper);
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 6_000);
  await assert.rejects(answer, (error: Error) => {
    assert.ok(error instanceof CatchingUp, String(error));
    assert.match(error.toCaller, /being made from the journal/);
    return true;
  });
  t.mock.restoreAll();
  assert.equal((await told(keeper)).statement?.length, 500);
  await keeper.close();
});
