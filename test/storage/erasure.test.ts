import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { ExportChecker, exportLine } from '../../src/cli/journal.ts';
import { wholeData } from '../../src/domain/records.ts';
import type { JournalRecord } from '../../src/domain/rules/journal.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { tables } from '../../src/store/tables.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';
import { command, Story, WEBHOOKS } from './erasure-story.ts';

/** Members who are erased at random moments of a realm's life, and what is left of them. */
const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
const STEPS = 300;

async function opened(t: TestContext): Promise<{ database: TestDatabase; ledger: Ledger }> {
  const database = await newDatabase();
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }) as never);
  return { database, ledger };
}

async function createWebhooks(ledger: Ledger): Promise<void> {
  for (const id of WEBHOOKS) {
    const webhook = { newWebhook: { id, secret: 'one.sealed' }, url: 'https://bot.example/' };
    const rest = { types: [] as string[], description: null, target: 'allowed' as const };
    await ledger.execute(command('webhook.create', { ...webhook, ...rest }) as never);
  }
}

async function allRecords(ledger: Ledger): Promise<JournalRecord[]> {
  const page = { realmId: 'acme', after: 0, limit: 5_000 };
  const { rows, hasMore } = await ledger.query('records', page);
  assert.ok(!hasMore);
  return rows;
}

async function assertIntact(ledger: Ledger): Promise<void> {
  const verdict = await verdictOf(ledger, 'acme');
  assert.ok(verdict?.ok, JSON.stringify(verdict));
  const checker = new ExportChecker(null);
  for (const record of await allRecords(ledger)) {
    assert.equal(checker.take(Buffer.from(exportLine('acme', record))), null);
  }
  assert.equal(checker.end(), null);
}

/** All rows of all tables, as text. */
async function everything(database: TestDatabase): Promise<string> {
  const names = [...Object.values(tables).map(({ name }) => name)];
  return JSON.stringify(
    await Promise.all(names.map((name) => database.rows(`SELECT * FROM ${name}`))),
  );
}

test(`nothing is left of members who were erased, TEST_SEED=${SEED}`, async (t) => {
  const { database, ledger } = await opened(t);
  await createWebhooks(ledger);
  const story = new Story(SEED);
  for (let step = 0; step < STEPS; step++) {
    const next = story.next();
    // At the same time, where the database does more than one thing at a time.
    const stepping = step % 7 === 0 && ledger.housekeeping.erasePersonalParts('acme');
    const outcome = await ledger.execute(next as never);
    await stepping;
    story.note(next, outcome);
    assert.ok(!('fault' in outcome), JSON.stringify([next, outcome]));
    // Fewer than there are, so that some are late.
    if (step % 15 === 0) {
      await ledger.housekeeping.saveReports({ owner: 'me', reports: story.reports() });
    }
    if (step % 25 < 24) continue;
    while (await ledger.housekeeping.erasePersonalParts('acme'));
    await ledger.housekeeping.saveReports({ owner: 'me', reports: story.reports() });
    await assertIntact(ledger);
    const left = await everything(database);
    for (const text of story.erased) assert.ok(!left.includes(text), `${text} after ${step}`);
  }
  assert.ok(story.erased.size > 0, `${story.erased.size} texts were erased`);
  const records = await allRecords(ledger);
  const kept = records.filter(({ personal }) => personal !== null);
  assert.ok(kept.length > 0, `${kept.length} personal parts are left`);
});

const TAMPERING: [name: string, sql: string, fault: RegExp][] = [
  ['an edited name', `personal = replace(personal, 'alice', 'alicia')`, /is not what was written/],
  [
    'another salt',
    `personal = replace(personal, 'salt":"', 'salt":"0')`,
    /is not what was written/,
  ],
  ['a lost part', 'personal = NULL', /is missing, but none of its members is erased/],
  ['a part without its hash', `personal_hash = NULL`, /its hash does not match/],
];

for (const [name, change, fault] of TAMPERING) {
  test(`verification finds ${name}`, async (t) => {
    const { database, ledger } = await opened(t);
    const fields = { username: 'alice' };
    await ledger.execute(command('member.create', { memberId: '1', fields, wallets: [] }) as never);
    const erase = { memberId: '2', forfeit: false, erase: true };
    await ledger.execute(command('member.create', { memberId: '2', fields, wallets: [] }) as never);
    await ledger.execute(command('member.remove', erase) as never);
    await assertIntact(ledger);
    await database.exec(`UPDATE journal SET ${change} WHERE seq = 2`);
    const verdict = await verdictOf(ledger, 'acme');
    assert.ok(verdict && !verdict.ok);
    assert.match(verdict.fault.detail, fault);
    assert.equal(verdict.fault.seq, 2);
  });
}

test('an erasure is continued where it ended, and leaves later records alone', async (t) => {
  const { database, ledger } = await opened(t);
  const enrol = (username: string) =>
    ledger.execute(
      command('member.put', { memberId: '1', fields: { username }, wallets: [] }) as never,
    );
  await enrol('alice');
  // More records than one step looks through.
  const entry = { memberId: '1', tokens: 1, realmPointId: null, description: 'for alice' };
  const entries = Array.from({ length: 1_200 }, () => entry);
  await ledger.execute(command('points.batch', { atomic: true, entries }) as never);
  const removal = { memberId: '1', forfeit: true, erase: true };
  await ledger.execute(command('member.remove', removal) as never);
  await enrol('alina');
  assert.equal(await ledger.housekeeping.erasePersonalParts('acme'), true);
  const left = `SELECT count(*) AS left FROM journal WHERE personal LIKE '%alice%'`;
  assert.deepEqual(
    (await database.rows(left)).map((row) => Number(row.left)),
    [202],
  );
  const erasing = await ledger.query('erasingRealms', { limit: 5 });
  assert.deepEqual(
    erasing.map(({ realmId, members }) => [realmId, members]),
    [['acme', 1]],
  );
  const other = await database.ledger();
  try {
    while (await other.housekeeping.erasePersonalParts('acme'));
    assert.deepEqual(await other.query('erasingRealms', { limit: 5 }), []);
  } finally {
    await other.close();
  }
  assert.deepEqual(
    (await database.rows(left)).map((row) => Number(row.left)),
    [0],
  );
  const member = await ledger.query('member', { realmId: 'acme', memberId: '1', now: Date.now() });
  assert.equal(member?.username, 'alina');
  const { rows } = await ledger.query('records', { realmId: 'acme', after: 1_202, limit: 5 });
  const shown = rows.map((record) => [record.type, JSON.parse(wholeData(record))]);
  assert.deepEqual(shown.at(-1), ['member.created', { memberId: '1', username: 'alina' }]);
  assert.ok((await verdictOf(ledger, 'acme'))?.ok);
});

test('a member that is erased twice has one record of it', async (t) => {
  const { ledger } = await opened(t);
  const member = { memberId: '1', fields: { username: 'alice' }, wallets: [] };
  const remove = (erase: boolean) =>
    ledger.execute(command('member.remove', { memberId: '1', forfeit: false, erase }) as never);
  await ledger.execute(command('member.create', member) as never);
  for (const erase of [false, true, true]) assert.ok('answer' in (await remove(erase)));
  assert.ok('refusal' in (await remove(false)));
  await ledger.execute(command('member.create', member) as never);
  assert.ok('answer' in (await remove(true)));
  const types = (await allRecords(ledger)).map(({ type }) => type);
  assert.deepEqual(types, [
    'realm.created',
    ...['member.created', 'member.removed', 'member.erased'],
    ...['member.created', 'member.removed', 'member.erased'],
  ]);
});

test('an erased description cannot be guessed by the fingerprint of its request', async (t) => {
  const { database, ledger } = await opened(t);
  await ledger.execute(
    command('member.create', { memberId: '1', fields: {}, wallets: [] }) as never,
  );
  const credit = (description: string | null, key: string) =>
    ledger.execute(
      command(
        'points.change',
        { memberId: '1', tokens: 5, realmPointId: null, description },
        key,
      ) as never,
    );
  await credit('for alice', 'secret');
  await credit(null, 'plain');
  const replayed = await credit('for alice', 'secret');
  assert.ok('answer' in replayed && replayed.replayed);
  const rows = await database.rows('SELECT fingerprint FROM idempotency_keys ORDER BY seq');
  const [secret, plain] = rows.map(({ fingerprint }) => fingerprint);
  assert.notEqual(secret, 'secret');
  assert.equal(plain, 'plain');
  const removal = { memberId: '1', forfeit: true, erase: true };
  await ledger.execute(command('member.remove', removal) as never);
  while (await ledger.housekeeping.erasePersonalParts('acme'));
  const again = await credit('for alice', 'secret');
  assert.ok('refusal' in again && again.refusal.code === 'answer-erased');
  assert.ok('answer' in (await credit(null, 'plain')));
});
