import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Command, CommandName, CommandOf, Outcome } from '../../src/domain/commands.ts';
import {
  chainHash,
  GENESIS,
  type JournalRecord,
  recordText,
} from '../../src/domain/journal.rules.ts';
import type { Keeper } from '../../src/domain/keeper.ts';
import { LocalKeeper } from '../../src/domain/local-keeper.ts';
import { JOURNAL_COLUMNS } from '../../src/store/sqlite/rows.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { RemoteKeeper } from '../../src/store/thread/remote-keeper.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-storage-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const WRITER = join(import.meta.dirname, 'writer.ts');
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const command = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
  key?: string,
) =>
  ({
    type,
    realmId: 'acme',
    actor: 'test',
    idempotency: key === undefined ? null : { key, request: key },
    ...rest,
  }) as unknown as CommandOf<N>;

const credit = (memberId: string, key?: string) =>
  command('points.change', { memberId, tokens: 1, realmPointId: null, description: null }, key);

function openRealm(keeper: Keeper): Promise<Outcome> {
  return keeper.execute(command('realm.create', { name: 'Acme', settings: { autoEnroll: true } }));
}

function journal(path: string): JournalRecord[] {
  const db = new DatabaseSync(path);
  const sql = `SELECT ${JOURNAL_COLUMNS} FROM journal WHERE realm_id = 'acme' ORDER BY seq`;
  const records = db.prepare(sql).all() as unknown as JournalRecord[];
  db.close();
  return records;
}

function assertUnbroken(records: JournalRecord[]): void {
  let head = GENESIS;
  for (const [index, record] of records.entries()) {
    assert.equal(record.seq, index + 1);
    head = chainHash(head, recordText('acme', record));
    assert.equal(record.hash, head);
  }
}

test('two writers on one file form one journal without gaps', async () => {
  const path = newPath();
  const fail = (error: Error) => assert.fail(error);
  const [one, two] = [await RemoteKeeper.open(path, fail), await RemoteKeeper.open(path, fail)];
  await openRealm(one);
  const work = Array.from({ length: 400 }, (_, index) =>
    (index % 2 === 0 ? one : two).execute(credit(String(1 + (index % 5)))),
  );
  const outcomes = await Promise.all(work);
  assert.ok(outcomes.every((outcome) => 'answer' in outcome));
  await one.close();
  await two.close();
  assertUnbroken(journal(path));
  assert.equal(journal(path).filter(({ type }) => type === 'points.added').length, 400);
});

test('one idempotency key through two writers has one effect', async () => {
  const path = newPath();
  const fail = (error: Error) => assert.fail(error);
  const [one, two] = [await RemoteKeeper.open(path, fail), await RemoteKeeper.open(path, fail)];
  await openRealm(one);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two).execute(credit('7', 'same'))),
  );
  const answers = new Set(
    outcomes.map((outcome) => JSON.stringify('answer' in outcome && outcome.answer)),
  );
  assert.equal(answers.size, 1);
  await one.close();
  await two.close();
  assert.equal(journal(path).filter(({ type }) => type === 'points.added').length, 1);
});

test('killed in the middle, again and again: every acknowledged write is there, once', async () => {
  const path = newPath();
  const setup = new LocalKeeper(openSqliteStore(path));
  await openRealm(setup);
  await setup.close();
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    let seen = 0;
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push(line);
      if (++seen === 300) child.kill('SIGKILL');
    }
    await ended;
  }
  const records = journal(path);
  assertUnbroken(records);
  const written = records
    .filter(({ type }) => type === 'points.added')
    .map(({ data }) => JSON.parse(data).description as string);
  assert.equal(new Set(written).size, written.length, 'nothing is there twice');
  const there = new Set(written);
  assert.deepEqual(
    acknowledged.filter((key) => !there.has(key)),
    [],
  );
  assert.ok(acknowledged.length >= 1200);
  const keeper = new LocalKeeper(openSqliteStore(path));
  let sum = 0;
  for (let lane = 1; lane <= 16; lane++) {
    const member = await keeper.ask('member', { realmId: 'acme', memberId: String(lane) });
    sum += member?.balances.points ?? 0;
  }
  assert.equal(sum, written.length, 'balances are what the journal adds up to');
  await keeper.close();
});

test('a command that breaks inside the rules fails alone', async () => {
  const keeper = new LocalKeeper(openSqliteStore(newPath()));
  await openRealm(keeper);
  const broken = { ...credit('1'), type: 'no.such.command' } as unknown as Command;
  const outcomes = await Promise.all([
    keeper.execute(credit('1')),
    keeper.execute(broken as never),
    keeper.execute(credit('1')),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => 'answer' in outcome),
    [true, false, true],
  );
  assert.equal(
    (await keeper.ask('member', { realmId: 'acme', memberId: '1' }))?.balances.points,
    2,
  );
  await keeper.close();
});

test('answers are forgotten after their time, and not before', async () => {
  let now = Date.now();
  const keeper = new LocalKeeper(openSqliteStore(newPath()), () => now);
  await openRealm(keeper);
  await keeper.execute(credit('1', 'old'));
  now += 1_000;
  await keeper.execute(credit('1', 'young'));
  assert.equal(await keeper.housekeeping.forgetAnswers(now), 1);
  const [old, young] = await Promise.all([
    keeper.execute(credit('1', 'old')),
    keeper.execute(credit('1', 'young')),
  ]);
  assert.deepEqual(
    [old, young].map((o) => 'answer' in o && o.replayed),
    [false, true],
  );
  await keeper.close();
});

test('the journal never runs backwards in time, whatever the clock does', async () => {
  const path = newPath();
  let now = 2_000_000;
  const keeper = new LocalKeeper(openSqliteStore(path), () => now);
  await openRealm(keeper);
  now = 1_000_000;
  await keeper.execute(credit('1'));
  await keeper.close();
  assert.ok(journal(path).every(({ at }) => at === 2_000_000));
});

test('a database of a newer version is refused, not changed', () => {
  const path = newPath();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 1000');
  db.close();
  assert.throws(() => openSqliteStore(path), /newer version/);
});

test('a file of the first version gets what came later, and keeps what it has', async () => {
  const path = newPath();
  const before = new LocalKeeper(openSqliteStore(path));
  await openRealm(before);
  await before.execute(credit('1'));
  await before.close();
  const records = journal(path);
  const db = new DatabaseSync(path);
  db.exec(`DROP TABLE assets; DROP TABLE challenges; PRAGMA user_version = 1;
    ALTER TABLE wallets DROP COLUMN verified_on;
    INSERT INTO wallets VALUES ('acme', '0x1', 1, 'eip155', '0x1', 1, 5, 5)`);
  db.close();
  const after = new LocalKeeper(openSqliteStore(path));
  assert.deepEqual(journal(path), records);
  const contract = '0x52908400098527886E0F7030069857D2E4169EE7';
  const named = { id: 'pass', chain: 'eip155:1', standard: 'erc721' as const, contract };
  const asset = { ...named, tokenId: null, symbol: null };
  assert.ok('answer' in (await after.execute(command('asset.create', { asset }))));
  assert.deepEqual(await after.ask('assets', { realmId: 'acme' }), [asset]);
  const [wallet] = (await after.ask('walletsOf', { realmId: 'acme', memberId: '1' })) ?? [];
  assert.deepEqual([wallet?.verifiedAt, wallet?.verifiedOn], [5, null]);
  await after.close();
});
