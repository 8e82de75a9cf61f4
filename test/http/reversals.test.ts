import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import {
  add,
  capture,
  counters,
  done,
  give,
  hold,
  newKind,
  reverse,
  times,
  verdict,
} from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Reversals: in full, in part, never more than the original. */
const service = await serviceForFile();

async function pair(id: string, settings: object = {}): Promise<TestRealm> {
  const realm = await service.realm(id, settings);
  await realm.member('1', 1_000);
  await realm.member('2');
  return realm;
}

const balances = async (realm: TestRealm) => [await realm.balance('1'), await realm.balance('2')];
const transaction = async (realm: TestRealm, seq: number) =>
  (await realm.expect(200, 'GET', `/transactions/${seq}`)).json;

test('a credit is reversed in full, and both records say so', async () => {
  const realm = await pair('whole');
  const { transactionId } = await done(add(realm, '1', 50, { description: 'Quest' }));
  const sent = { description: 'Mistake' };
  const reply = await reverse(realm, transactionId, sent);
  assert.equal(reply.status, 201);
  assert.deepEqual(reply.json, {
    transactionId: transactionId + 1,
    reversalOf: transactionId,
    memberId: '1',
    tokens: 50,
    realmPointId: 'points',
    newBalance: 1_000,
  });
  assert.equal(await realm.balance('1'), 1_000);
  const original = await transaction(realm, transactionId);
  assert.deepEqual(
    [original.reversedBy, original.reversedTokens, original.reversalOf, original.tokens],
    [transactionId + 1, 50, null, 50],
  );
  const { at: _, actor, ...undoing } = await transaction(realm, transactionId + 1);
  assert.match(actor, /^key:/);
  assert.deepEqual(undoing, {
    transactionId: transactionId + 1,
    type: 'points.reversed',
    memberId: '1',
    tokens: -50,
    balance: 1_000,
    counterpartyId: null,
    description: 'Mistake',
    realmPointId: 'points',
    reversalOf: transactionId,
    reversedBy: null,
    reversedTokens: 0,
    originalTokens: 50,
    originalDescription: 'Quest',
  });
});

test('without a body, or with an empty one, all that remains is reversed', async () => {
  const realm = await pair('bodies');
  for (const sent of [{}, { body: {} }]) {
    const { transactionId } = await done(add(realm, '1', 7));
    const path = `/transactions/${transactionId}/reversal`;
    assert.equal((await realm.expect(201, 'POST', path, sent)).json.tokens, 7);
  }
  assert.equal(await realm.balance('1'), 1_000);
});

test('partial reversals add up to the original and no further', async () => {
  const realm = await pair('parts');
  const { transactionId } = await done(give(realm, '1', '2', 100));
  await done(reverse(realm, transactionId, { tokens: 30 }));
  await done(reverse(realm, transactionId, { tokens: 30 }));
  const tooMuch = await changesNothing(realm, () =>
    reverse(realm, transactionId, { tokens: 41, force: true }),
  );
  assertProblem(tooMuch, 'reversal-exceeded', { remaining: 40, requested: 41 });
  assert.equal((await done(reverse(realm, transactionId))).tokens, 40);
  const again = await reverse(realm, transactionId);
  assertProblem(again, 'reversal-exceeded', { remaining: 0 });
  assert.equal(again.json.detail, `Transaction ${transactionId} has already been fully reversed.`);
  assertProblem(await reverse(realm, transactionId, { tokens: 1 }), 'reversal-exceeded');
  assert.deepEqual(await balances(realm), [1_000, 0]);
  assert.equal((await transaction(realm, transactionId)).reversedTokens, 100);
  assert.equal((await verdict(realm)).ok, true);
});

test('debits, transfers, batch entries and captures can be reversed', async () => {
  const realm = await pair('every');
  const taken = await done(add(realm, '1', -100));
  const given = await done(give(realm, '1', '2', 200));
  const entries = [
    { memberId: 2, tokens: 5 },
    { memberId: 1, tokens: -5 },
  ];
  const batch = await done(realm.send('PATCH', '/members/tokenBalance', { body: { entries } }));
  const { holdId } = await done(hold(realm, '1', 300));
  const spent = await done(capture(realm, holdId, { tokens: 100 }));
  const paid = await done(capture(realm, holdId, { tokens: 200, recipientId: '2' }));
  assert.deepEqual(await balances(realm), [395, 405]);
  const back = await done(reverse(realm, paid.transactionId));
  const { memberId, newBalance, recipientId, recipientBalance } = back;
  assert.deepEqual([memberId, newBalance, recipientId, recipientBalance], ['1', 595, '2', 205]);
  await done(reverse(realm, spent.transactionId));
  for (const { transactionId } of batch.results) await done(reverse(realm, transactionId));
  await done(reverse(realm, given.transactionId));
  await done(reverse(realm, taken.transactionId));
  assert.deepEqual(await balances(realm), [1_000, 0]);
  // Points returned from a capture are spendable: the hold stays captured.
  assert.equal((await realm.expect(200, 'GET', `/holds/${holdId}`)).json.status, 'captured');
  await done(add(realm, '1', -1_000));
  assert.equal((await verdict(realm)).ok, true);
});

test('points that are spent or on hold cannot be reversed', async () => {
  const realm = await pair('spent');
  const { transactionId } = await done(give(realm, '1', '2', 100));
  await done(add(realm, '2', -40));
  const refused = await changesNothing(realm, () => reverse(realm, transactionId));
  assertProblem(refused, 'insufficient-points', { memberId: '2', balance: 60, requested: 100 });
  const { holdId } = await done(hold(realm, '2', 50));
  const held = await changesNothing(realm, () => reverse(realm, transactionId, { tokens: 11 }));
  assertProblem(held, 'insufficient-points', { memberId: '2', balance: 60, held: 50 });
  // Force goes down to the minimum balance, 0 here, but never into held points.
  const forced = await reverse(realm, transactionId, { tokens: 11, force: true });
  assertProblem(forced, 'insufficient-points', { memberId: '2', balance: 60 });
  await done(reverse(realm, transactionId, { tokens: 10 }));
  await done(realm.send('POST', `/holds/${holdId}/release`));
  await done(reverse(realm, transactionId, { tokens: 50 }));
  assert.deepEqual(await balances(realm), [960, 0]);
});

test('force goes down to the minimum balance and no further', async () => {
  const realm = await pair('forced');
  await newKind(realm, 'credit', { minimumBalance: -30 });
  const inCredit = { realmPointId: 'credit' };
  const { transactionId } = await done(add(realm, '1', 100, inCredit));
  await done(add(realm, '1', -80, inCredit));
  const plain = await changesNothing(realm, () => reverse(realm, transactionId, { tokens: 21 }));
  assertProblem(plain, 'insufficient-points', { balance: 20, requested: 21 });
  await done(reverse(realm, transactionId, { tokens: 20 }));
  const beyond = await reverse(realm, transactionId, { tokens: 31, force: true });
  assertProblem(beyond, 'insufficient-points', { balance: 0, requested: 31 });
  const last = await done(reverse(realm, transactionId, { tokens: 30, force: true }));
  assert.equal(last.newBalance, -30);
  assert.equal((await verdict(realm)).ok, true);
});

test('reversals for frozen, removed and returning members', async () => {
  const realm = await pair('states');
  const { transactionId } = await done(give(realm, '1', '2', 100));
  for (const id of ['1', '2']) {
    await realm.expect(200, 'PATCH', `/members/${id}`, { body: { status: 'frozen' } });
    const frozen = await changesNothing(realm, () => reverse(realm, transactionId));
    assertProblem(frozen, 'member-frozen', { memberId: id });
    await realm.expect(200, 'PATCH', `/members/${id}`, { body: { status: 'active' } });
  }
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  const gone = await changesNothing(realm, () => reverse(realm, transactionId, { force: true }));
  assertProblem(gone, 'member-not-found', { memberId: '2' });
  await realm.member('2');
  assertProblem(await reverse(realm, transactionId), 'insufficient-points', { balance: 0 });
  await done(add(realm, '2', 100));
  await done(reverse(realm, transactionId));
  assert.deepEqual(await balances(realm), [1_000, 0]);
});

test('reversals, records without points and other realms’ records are not reversible', async () => {
  const realm = await pair('not');
  const other = await pair('other');
  const { transactionId } = await done(add(realm, '1', 5));
  const undone = await done(reverse(realm, transactionId));
  const { holdId } = await done(hold(realm, '1', 5));
  await changesNothing(realm, async () => {
    assertProblem(await reverse(realm, undone.transactionId), 'not-reversible');
    for (const seq of [1, 2, 3, holdId, 999_999_999_999_999]) {
      assertProblem(await reverse(realm, seq), 'transaction-not-found', { transactionId: seq });
    }
  });
  const most = (await other.expect(200, 'GET', '/transactions')).json.items[0].transactionId;
  assertProblem(await reverse(other, most + 1), 'transaction-not-found');
});

test('invalid input changes nothing', async () => {
  const realm = await pair('off');
  const { transactionId } = await done(add(realm, '1', 5));
  await changesNothing(realm, async () => {
    const tokens = ['0', '-1', '1.5', '"5"', 'null', 'true', '[]', '9007199254740992', '1e400'];
    for (const text of tokens) {
      const raw = `{"tokens":${text}}`;
      assertFaults(await reverse(realm, transactionId, {}, { raw }), '/tokens');
    }
    const fields: [object, string][] = [
      [{ force: 'true' }, '/force'],
      [{ force: null }, '/force'],
      [{ description: 5 }, '/description'],
      [{ description: 'é'.repeat(501) }, '/description'],
    ];
    for (const [body, pointer] of fields) {
      assertFaults(await reverse(realm, transactionId, body), pointer);
    }
    const ids = ['0', '-1', '01', '1.0', 'abc', '1e3', '%00', '9'.repeat(16), "1'--"];
    for (const id of ids) {
      const path = `/transactions/${id}`;
      assertFaults(await realm.send('GET', path), '/path/transactionID');
      const reply = await realm.send('POST', `${path}/reversal`, { body: {} });
      assertFaults(reply, '/path/transactionID');
    }
  });
});

test('100 concurrent reversals never reverse more than the original', async () => {
  const realm = await pair('race');
  await done(add(realm, '2', 1_000));
  const { transactionId } = await done(give(realm, '1', '2', 100));
  const replies = await times(100, (index) =>
    reverse(realm, transactionId, { tokens: 3 + (index % 3) }),
  );
  const given = replies.filter((r) => r.status === 201).reduce((sum, r) => sum + r.json.tokens, 0);
  assert.ok(given <= 100 && given >= 96, String(given));
  assert.deepEqual(Object.keys(counters(replies)).sort(), ['201', 'reversal-exceeded']);
  assert.deepEqual(await balances(realm), [900 + given, 1_100 - given]);
  assert.equal((await transaction(realm, transactionId)).reversedTokens, given);
  const whole = await done(give(realm, '1', '2', 50));
  const all = await times(100, () => reverse(realm, whole.transactionId));
  assert.deepEqual(counters(all), { 201: 1, 'reversal-exceeded': 99 });
  assert.equal((await verdict(realm)).ok, true);
});

test('one idempotency key makes one reversal, however often it is sent', async () => {
  const realm = await pair('keyed');
  const { transactionId } = await done(add(realm, '1', 50));
  const headers = { 'idempotency-key': 'once' };
  const replies = await times(50, () => reverse(realm, transactionId, { tokens: 5 }, { headers }));
  assert.equal(new Set(replies.map((reply) => reply.text)).size, 1);
  assert.equal(await realm.balance('1'), 1_045);
});
