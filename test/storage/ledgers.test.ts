import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { CommandName, CommandOf, Outcome } from '../../src/domain/commands.ts';
import { wholeData } from '../../src/domain/records.ts';
import {
  chainHash,
  GENESIS,
  type JournalRecord,
  recordText,
} from '../../src/domain/rules/journal.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');

async function ownDatabase(t: TestContext): Promise<TestDatabase> {
  const database = await newDatabase();
  t.after(() => database.drop());
  return database;
}

/** A ledger as a service opens it. */
const openAsService = ({ url }: TestDatabase): Promise<Ledger> =>
  openStorage(readConfig({ DATABASE_URL: url }).database, {
    onDeath: (error) => assert.fail(error),
    onDamage: (reason) => assert.fail(reason),
    onUnavailable: (error) => assert.fail(error),
    onAvailable: () => assert.fail(),
    onRefused: (error) => assert.fail(error),
  });

async function openHere(database: TestDatabase, clock?: () => number): Promise<Ledger> {
  return await database.ledger(clock);
}

const command = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
  key?: string,
) =>
  ({
    type,
    realmId: 'acme',
    actor: 'test',
    idempotency: key === undefined ? null : { key, fingerprint: key },
    ...rest,
  }) as unknown as CommandOf<N>;

const credit = (memberId: string, key?: string) =>
  command('points.change', { memberId, tokens: 1, realmPointId: null, description: null }, key);

function openRealm(ledger: Ledger): Promise<Outcome> {
  return ledger.execute(command('realm.create', { name: 'Acme', settings: { autoEnroll: true } }));
}

async function journal(database: TestDatabase): Promise<JournalRecord[]> {
  const ledger = await openHere(database);
  const records: JournalRecord[] = [];
  for (;;) {
    const after = records.length;
    const page = await ledger.query('records', { realmId: 'acme', after, limit: 500 });
    records.push(...page.rows);
    if (!page.hasMore) break;
  }
  await ledger.close();
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

test('two writers on one database write one journal without gaps', async (t) => {
  const database = await ownDatabase(t);
  const [one, two] = [await openAsService(database), await openAsService(database)];
  await openRealm(one);
  const work = Array.from({ length: 400 }, (_, index) =>
    (index % 2 === 0 ? one : two).execute(credit(String(1 + (index % 5)))),
  );
  const outcomes = await Promise.all(work);
  assert.ok(outcomes.every((outcome) => 'answer' in outcome));
  await one.close();
  await two.close();
  assertUnbroken(await journal(database));
  assert.equal((await journal(database)).filter(({ type }) => type === 'points.added').length, 400);
});

test('one idempotency key sent to two writers has one effect', async (t) => {
  const database = await ownDatabase(t);
  const [one, two] = [await openAsService(database), await openAsService(database)];
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
  assert.equal((await journal(database)).filter(({ type }) => type === 'points.added').length, 1);
});

test('what was acknowledged before a kill is stored, exactly once', async (t) => {
  const database = await ownDatabase(t);
  const setup = await openHere(database);
  await openRealm(setup);
  await setup.close();
  const acknowledged: string[] = [];
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, [WRITER, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let seen = 0;
    for await (const line of createInterface(child.stdout)) {
      acknowledged.push(line);
      if (++seen === 300) child.kill('SIGKILL');
    }
    await ended;
  }
  const records = await journal(database);
  assertUnbroken(records);
  const written = records
    .filter(({ type }) => type === 'points.added')
    .map((record) => JSON.parse(wholeData(record)).description as string);
  assert.equal(new Set(written).size, written.length, 'nothing is there twice');
  const there = new Set(written);
  assert.deepEqual(
    acknowledged.filter((key) => !there.has(key)),
    [],
  );
  assert.ok(acknowledged.length >= 1200);
  const ledger = await openHere(database);
  let sum = 0;
  for (let writer = 1; writer <= 16; writer++) {
    const which = { realmId: 'acme', memberId: String(writer), now: Date.now() };
    sum += (await ledger.query('member', which))?.balances.points ?? 0;
  }
  assert.equal(sum, written.length, 'balances are what the journal adds up to');
  await ledger.close();
});

test('a command that throws inside the rules fails alone', async (t) => {
  const ledger = await openHere(await ownDatabase(t));
  await openRealm(ledger);
  const broken = { ...credit('1'), tokens: 1n as unknown as number };
  const outcomes = await Promise.all([
    ledger.execute(credit('1')),
    ledger.execute(broken),
    ledger.execute(credit('1')),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => 'answer' in outcome),
    [true, false, true],
  );
  const which = { realmId: 'acme', memberId: '1', now: Date.now() };
  assert.equal((await ledger.query('member', which))?.balances.points, 2);
  await ledger.close();
});

test('idempotency records expire after their time, and not before', async (t) => {
  let now = Date.now();
  const ledger = await openHere(await ownDatabase(t), () => now);
  await openRealm(ledger);
  await ledger.execute(credit('1', 'old'));
  now += 1_000;
  await ledger.execute(credit('1', 'young'));
  assert.equal(await ledger.housekeeping.expireAnswers(now), 1);
  const [old, young] = await Promise.all([
    ledger.execute(credit('1', 'old')),
    ledger.execute(credit('1', 'young')),
  ]);
  assert.deepEqual(
    [old, young].map((o) => 'answer' in o && o.replayed),
    [false, true],
  );
  await ledger.close();
});

test('the time of records never decreases, whatever the clock does', async (t) => {
  const database = await ownDatabase(t);
  let now = 2_000_000;
  const ledger = await openHere(database, () => now);
  await openRealm(ledger);
  now = 1_000_000;
  await ledger.execute(credit('1'));
  await ledger.close();
  assert.ok((await journal(database)).every(({ at }) => at === 2_000_000));
});
