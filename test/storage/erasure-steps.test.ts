import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type {
  Command,
  CommandName,
  CommandOf,
  Outcome,
  PointsEntry,
} from '../../src/domain/commands.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { removeRows } from '../support/rows.ts';
import { verdictOf } from '../support/verdict.ts';
import { command } from './erasure-story.ts';

/** What the steps of an erasure take on, and whom they leave alone. */
class Realm {
  readonly database: TestDatabase;
  readonly ledger: Ledger;

  private constructor(database: TestDatabase, ledger: Ledger) {
    this.database = database;
    this.ledger = ledger;
  }

  static async open(t: TestContext, ...members: string[]): Promise<Realm> {
    const database = await newDatabase();
    const realm = new Realm(database, await database.ledger());
    t.after(async () => {
      await realm.ledger.close();
      await database.drop();
    });
    await realm.do('realm.create', { name: 'Acme', settings: {} });
    for (const memberId of members) await realm.enrol(memberId);
    return realm;
  }

  /** Executes a command that is accepted; returns its answer. */
  async do<N extends CommandName>(
    type: N,
    rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
    key: string | null = null,
  ) {
    const outcome = await this.try(command(type, rest, key));
    assert.ok('answer' in outcome, JSON.stringify(outcome));
    return outcome;
  }

  try(one: Command): Promise<Outcome> {
    return this.ledger.execute(one as never) as Promise<Outcome>;
  }

  enrol(memberId: string, key: string | null = null, accounts: object[] = []) {
    const fields = { username: `name${memberId}`, accounts };
    return this.do('member.put', { memberId, fields, wallets: [] } as never, key);
  }

  erase(memberId: string) {
    return this.do('member.remove', { memberId, forfeit: true, erase: true });
  }

  /** Makes all steps that remain; returns how many there were. */
  async finish(onStep: () => Promise<void> = async () => undefined): Promise<number> {
    let steps = 0;
    while (await this.ledger.housekeeping.erasePersonalParts('acme')) {
      steps += 1;
      await onStep();
    }
    return steps;
  }

  async count(from: string): Promise<number> {
    const [row] = await this.database.rows(`SELECT count(*) AS count FROM ${from}`);
    return Number(row?.count);
  }

  async verify(): Promise<void> {
    const verdict = await verdictOf(this.ledger, 'acme');
    assert.ok(verdict?.ok, JSON.stringify(verdict));
  }
}

const credits = (memberId: string, count: number) =>
  Array.from({ length: count }, () => ({
    memberId,
    tokens: 1,
    realmPointId: null,
    description: `for name${memberId}`,
  }));

test('members that wait together are erased in one pass', async (t) => {
  const realm = await Realm.open(t, '1', '2', '3');
  for (const memberId of ['1', '2', '3']) {
    await realm.do('points.batch', { atomic: true, entries: credits(memberId, 800) });
    await realm.erase(memberId);
  }
  // Three of the journal, and one each of answers, challenges and deliveries.
  assert.equal(await realm.finish(), 6);
  assert.equal(await realm.count('journal WHERE personal IS NOT NULL'), 0);
  await realm.verify();
});

test('a member that joins a pass too late has one of its own', async (t) => {
  const realm = await Realm.open(t, '1', '2');
  await realm.do('points.batch', { atomic: true, entries: credits('2', 1_200) });
  await realm.erase('1');
  await realm.ledger.housekeeping.erasePersonalParts('acme');
  await realm.erase('2');
  await realm.finish();
  assert.equal(await realm.count('journal WHERE personal IS NOT NULL'), 0);
  assert.equal(await realm.count(`erasures WHERE phase = 'done'`), 2);
  assert.deepEqual(await realm.ledger.query('erasingRealms', { limit: 5 }), []);
});

test('whoever is enrolled again meanwhile keeps answers and challenges', async (t) => {
  const realm = await Realm.open(t);
  await realm.enrol('1', 'first');
  await realm.erase('1');
  const { answer } = await realm.enrol('1', 'second');
  const wallet = { chain: 'eip155', key: '0xaa', address: '0xAA' } as const;
  const rest = { network: 'eip155:1', nonce: 'nonce000000', serviceUrl: 'https://acme.example' };
  const asked = { memberId: '1', wallet, ...rest };
  const challenge = await realm.do('wallet.challenge', asked, 'third');
  await realm.finish();
  const again = { memberId: '1', fields: {}, wallets: [] };
  const first = await realm.try(command('member.put', again, 'first'));
  assert.ok('refusal' in first && first.refusal.code === 'answer-erased');
  const second = await realm.enrol('1', 'second');
  assert.deepEqual([second.answer, second.replayed], [answer, true]);
  const third = await realm.do('wallet.challenge', asked, 'third');
  assert.deepEqual([third.answer, third.replayed], [challenge.answer, true]);
  const { message } = challenge.answer as { message: string };
  const proof = { message, signature: '0x', check: 'by-key' } as const;
  await realm.do('wallet.link', { memberId: '1', wallet, primary: true, proof });
  await realm.verify();
});

test('an account with the number of an erased member is not taken for it', async (t) => {
  const realm = await Realm.open(t, '1');
  await realm.enrol('2', 'two', [{ provider: 'x', id: '1', username: null }]);
  const batch = [...credits('1', 1), ...credits('2', 1)];
  await realm.do('points.batch', { atomic: true, entries: batch }, 'both');
  await realm.do('points.batch', { atomic: true, entries: credits('2', 2) }, 'other');
  await realm.erase('1');
  await realm.finish();
  const keys = await realm.database.rows(
    `SELECT idempotency_key AS key FROM idempotency_keys WHERE answer = ''`,
  );
  assert.deepEqual(
    keys.map(({ key }) => key),
    ['both'],
  );
});

/** A hold of member 1 whose text names member 2, for whom most of it was captured. */
async function heldForTwo(t: TestContext): Promise<{ realm: Realm; holdId: number }> {
  const realm = await Realm.open(t, '1', '2');
  await realm.do('points.batch', { atomic: true, entries: credits('1', 10) });
  const entry = { memberId: '1', tokens: 4, realmPointId: null, description: 'prize of name2' };
  const { answer } = await realm.do('hold.create', { ...entry, expiresInSeconds: 600 });
  const { id: holdId } = answer as { id: number };
  await realm.do('hold.capture', { holdId, tokens: 3, recipientId: '2' });
  return { realm, holdId };
}

test('the text of a hold is erased with whom it was captured for', async (t) => {
  const { realm, holdId } = await heldForTwo(t);
  await realm.erase('2');
  await realm.finish();
  const captured = await realm.do('hold.capture', { holdId, tokens: 1, recipientId: null });
  const { hold } = captured.answer as { hold: { description: string | null } };
  assert.equal(hold.description, null);
  assert.equal(await realm.count(`journal WHERE personal LIKE '%name2%'`), 0);
  assert.equal(await realm.count('journal WHERE personal IS NOT NULL'), 11);
  await realm.verify();
});

test('the text of a hold stays erased beside many writes', async (t) => {
  const { realm, holdId } = await heldForTwo(t);
  await realm.erase('2');
  const [credit] = credits('1', 1) as [PointsEntry];
  const written = [
    realm.do('hold.capture', { holdId, tokens: 1, recipientId: null }),
    ...Array.from({ length: 3_000 }, () => realm.do('points.change', credit)),
  ];
  // By then the first of them are being decided, for some turns to come.
  for (let turns = 0; turns < 3; turns++) await new Promise((next) => setImmediate(next));
  await realm.finish();
  await Promise.all(written);
  assert.equal(await realm.count('holds WHERE description IS NOT NULL'), 0);
  await realm.verify();
});

test('steps and the removal of the realm do not get in each other’s way', async (t) => {
  const realm = await Realm.open(t, '1', '2');
  await realm.do('points.batch', { atomic: true, entries: credits('1', 6_000) });
  for (const memberId of ['1', '2']) await realm.erase(memberId);
  const removed = realm.do('realm.delete', {}).then(async () => {
    await removeRows(realm.ledger, 'acme');
  });
  await Promise.all([realm.finish(), removed]);
  assert.equal(await realm.count('journal'), 0);
});

test('a step finds nothing to do in a realm that is deleted', async (t) => {
  const realm = await Realm.open(t, '1');
  await realm.erase('1');
  await realm.do('realm.delete', {});
  assert.deepEqual(await realm.ledger.query('erasingRealms', { limit: 5 }), []);
  assert.equal(await realm.finish(), 0);
  await removeRows(realm.ledger, 'acme');
  assert.equal(await realm.count('erasures'), 0);
});
