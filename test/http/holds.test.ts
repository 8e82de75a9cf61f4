import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  newKind,
  release,
  reverse,
  times,
  verdict,
} from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Holds, which end when they are captured or released, or when the member is removed. */
const service = await serviceForFile();

async function pair(id: string, settings: object = {}): Promise<TestRealm> {
  const realm = await service.realm(id, settings);
  await realm.member('1', 100);
  await realm.member('2');
  return realm;
}

const look = async (realm: TestRealm, id: number) =>
  (await realm.expect(200, 'GET', `/holds/${id}`)).json;

test('a hold is created and read', async () => {
  const realm = await pair('shape');
  const more = { description: 'Order 7', expiresInSeconds: 60, realmPointId: 'points' };
  const reply = await hold(realm, '1', 30, more);
  assert.equal(reply.status, 201);
  const { holdId, createdAt, expiresAt, ...rest } = reply.json;
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 60_000);
  assert.deepEqual(rest, {
    memberId: '1',
    realmPointId: 'points',
    tokens: 30,
    captured: 0,
    remaining: 30,
    status: 'open',
    description: 'Order 7',
  });
  assert.deepEqual(await look(realm, holdId), reply.json);
  const byDefault = await done(hold(realm, '1', 1));
  const lasts = Date.parse(byDefault.expiresAt) - Date.parse(byDefault.createdAt);
  assert.deepEqual([lasts, byDefault.description], [3_600_000, null]);
  assert.equal(await realm.balance('1'), 100, 'what is held stays in the balance');
  await done(hold(realm, '1', 1, { expiresInSeconds: 31_536_000 }));
});

test('held points cannot be spent by a debit, transfer, batch or another hold', async () => {
  const realm = await pair('spending');
  await done(hold(realm, '1', 30));
  await done(hold(realm, '1', 30));
  const entries = [
    { memberId: 1, tokens: -30 },
    { memberId: 1, tokens: -11 },
  ];
  const problem = { memberId: '1', held: 60 };
  await changesNothing(realm, async () => {
    assertProblem(await add(realm, '1', -41), 'insufficient-points', { ...problem, balance: 100 });
    assertProblem(await give(realm, '1', '2', 41), 'insufficient-points', problem);
    assertProblem(await hold(realm, '1', 41), 'insufficient-points', problem);
    const batch = await realm.send('PATCH', '/members/tokenBalance', { body: { entries } });
    assertProblem(batch, 'insufficient-points', { ...problem, balance: 70 });
    assert.equal(batch.json.errors[0].pointer, '/entries/1');
  });
  await done(give(realm, '1', '2', 40));
  assertProblem(await add(realm, '1', -1), 'insufficient-points');
  // New points are not held, nor are other members and kinds.
  await newKind(realm, 'gems');
  await done(add(realm, '1', 5, { realmPointId: 'gems' }));
  await done(add(realm, '1', -5, { realmPointId: 'gems' }));
  await done(add(realm, '1', 5));
  await done(add(realm, '1', -5));
  await done(add(realm, '2', -40));
});

test('a hold is captured in parts, with and without a recipient', async () => {
  const realm = await pair('parts');
  const { holdId } = await done(hold(realm, '1', 60, { description: 'Order 7' }));
  const first = await done(capture(realm, holdId, { tokens: 10 }));
  const { transactionId, hold: state, ...rest } = first;
  assert.deepEqual(rest, { tokens: 10, newBalance: 90 });
  assert.deepEqual([state.captured, state.remaining, state.status], [10, 50, 'open']);
  assertProblem(await add(realm, '1', -41), 'insufficient-points', { balance: 90, held: 50 });
  const second = await done(capture(realm, holdId, { tokens: 20, recipientId: 2 }));
  assert.deepEqual(
    [second.newBalance, second.recipientId, second.recipientBalance, second.transactionId],
    [70, '2', 20, transactionId + 1],
  );
  const over = await changesNothing(realm, () => capture(realm, holdId, { tokens: 31 }));
  assertProblem(over, 'hold-exceeded', { holdId, remaining: 30, requested: 31 });
  const last = await done(capture(realm, holdId));
  assert.deepEqual([last.tokens, last.hold.status, last.hold.remaining], [30, 'captured', 0]);
  const closed = await changesNothing(realm, () => capture(realm, holdId));
  assertProblem(closed, 'hold-closed', { holdId, holdStatus: 'captured' });
  assertProblem(await release(realm, holdId), 'hold-closed', { holdStatus: 'captured' });
  const [entry] = (await realm.expect(200, 'GET', '/members/2/transactions')).json.items;
  assert.deepEqual(
    [entry.type, entry.tokens, entry.counterpartyId, entry.description],
    ['points.captured', 20, '1', 'Order 7'],
  );
  assert.deepEqual([await realm.balance('1'), await realm.balance('2')], [40, 20]);
  assert.equal((await verdict(realm)).ok, true);
});

test('a release makes the rest spendable, once', async () => {
  const realm = await pair('release');
  const { holdId } = await done(hold(realm, '1', 60));
  await done(capture(realm, holdId, { tokens: 10 }));
  const released = await done(release(realm, holdId));
  assert.deepEqual(
    [released.status, released.captured, released.remaining, released.tokens],
    ['released', 10, 0, 60],
  );
  await changesNothing(realm, async () => {
    assertProblem(await release(realm, holdId), 'hold-closed', { holdStatus: 'released' });
    assertProblem(await capture(realm, holdId, { tokens: 1 }), 'hold-closed');
  });
  await done(add(realm, '1', -90));
});

test('a capture succeeds whatever else happened to the balance', async () => {
  const realm = await pair('sure');
  const { holdId } = await done(hold(realm, '1', 60));
  await done(add(realm, '1', -40));
  const [first] = (await realm.expect(200, 'GET', '/transactions')).json.items.slice(-1);
  assertProblem(await reverse(realm, first.transactionId, { tokens: 1 }), 'insufficient-points');
  await realm.expect(200, 'PATCH', '', { body: { settings: { maxTokensPerRequest: 5 } } });
  assert.equal((await done(capture(realm, holdId))).newBalance, 0);
});

test('holds in a kind with a negative minimum, and in one that is not transferable', async () => {
  const realm = await pair('kinds');
  await newKind(realm, 'credit', { minimumBalance: -50, isTransferable: false });
  const inCredit = { realmPointId: 'credit' };
  const { holdId } = await done(hold(realm, '1', 40, inCredit));
  assertProblem(await hold(realm, '1', 11, inCredit), 'insufficient-points', { balance: 0 });
  assertProblem(await capture(realm, holdId, { recipientId: 2 }), 'not-transferable');
  assert.equal((await done(capture(realm, holdId))).newBalance, -40);
});

test('a capture stops at a floor that was raised after the hold', async () => {
  const realm = await pair('raised');
  await newKind(realm, 'credit', { minimumBalance: -50 });
  const { holdId } = await done(hold(realm, '1', 40, { realmPointId: 'credit' }));
  await realm.expect(200, 'PATCH', '/points/credit', { body: { minimumBalance: -30 } });
  const refused = await changesNothing(realm, () => capture(realm, holdId));
  assertProblem(refused, 'insufficient-points', { balance: 0, requested: 40 });
  assert.equal((await done(capture(realm, holdId, { tokens: 30 }))).newBalance, -30);
});

test('a frozen member’s hold cannot be captured, nor one for a frozen recipient', async () => {
  const realm = await pair('frozen');
  const { holdId } = await done(hold(realm, '1', 60));
  const set = (id: string, status: string) =>
    realm.expect(200, 'PATCH', `/members/${id}`, { body: { status } });
  await set('1', 'frozen');
  await changesNothing(realm, async () => {
    assertProblem(await capture(realm, holdId), 'member-frozen', { memberId: '1' });
    assertProblem(await hold(realm, '1', 1), 'member-frozen', { memberId: '1' });
  });
  await set('1', 'active');
  await set('2', 'frozen');
  const reply = await changesNothing(realm, () => capture(realm, holdId, { recipientId: 2 }));
  assertProblem(reply, 'member-frozen', { memberId: '2' });
  await set('1', 'frozen');
  assert.equal((await done(release(realm, holdId))).status, 'released');
});

test('removing a member ends all its holds', async () => {
  const realm = await pair('removal');
  await newKind(realm, 'gems');
  await newKind(realm, 'credit', { minimumBalance: -50 });
  await done(add(realm, '1', 10, { realmPointId: 'gems' }));
  const { holdId } = await done(hold(realm, '1', 60));
  const gems = await done(hold(realm, '1', 10, { realmPointId: 'gems' }));
  await done(capture(realm, holdId, { tokens: 1 }));
  const refused = await changesNothing(realm, () => realm.send('DELETE', '/members/1'));
  assertProblem(refused, 'balance-not-zero');
  const remove = () => realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  // Two releases, two forfeits, the removal.
  assert.equal(await recordsOf(realm, remove), 5);
  for (const id of [holdId, gems.holdId]) {
    assertProblem(await capture(realm, id), 'hold-not-found', { holdId: id });
    assertProblem(await release(realm, id), 'hold-not-found', { holdId: id });
  }
  await realm.member('1', 60);
  // A member that is enrolled again has no holds.
  assertProblem(await capture(realm, holdId), 'hold-closed', { holdStatus: 'released' });
  await done(add(realm, '1', -60));
  assert.equal((await verdict(realm)).ok, true);
});

test('removing a member with a zero balance ends holds on credit', async () => {
  const realm = await pair('on-credit');
  await newKind(realm, 'credit', { minimumBalance: -50 });
  await realm.member('3');
  const { holdId } = await done(hold(realm, '3', 50, { realmPointId: 'credit' }));
  await realm.expect(204, 'DELETE', '/members/3');
  await realm.member('3');
  assertProblem(await capture(realm, holdId), 'hold-closed', { holdStatus: 'released' });
  await done(hold(realm, '3', 50, { realmPointId: 'credit' }));
});

test('invalid input changes nothing', async () => {
  const realm = await pair('off');
  const { holdId } = await done(hold(realm, '1', 30));
  const numbers = ['0', '-1', '1.5', '"5"', 'null', 'true', '[]', '9007199254740992', '1e400'];
  const send = (path: string, raw: string) => realm.send('POST', path, { raw });
  await changesNothing(realm, async () => {
    for (const text of numbers) {
      assertFaults(await send('/members/1/holds', `{"tokens":${text}}`), '/tokens');
      assertFaults(await send(`/holds/${holdId}/capture`, `{"tokens":${text}}`), '/tokens');
      const expiry = `{"tokens":1,"expiresInSeconds":${text}}`;
      assertFaults(await send('/members/1/holds', expiry), '/expiresInSeconds');
    }
    const long = await hold(realm, '1', 1, { expiresInSeconds: 31_536_001 });
    assertFaults(long, '/expiresInSeconds');
    assertFaults(await send('/members/1/holds', '{}'), '/tokens');
    const many = { realmPointId: 'Gems', description: 7, expiresInSeconds: 'x' };
    const reply = await hold(realm, '1', 0, many);
    assertFaults(reply, '/tokens', '/realmPointId', '/description', '/expiresInSeconds');
    for (const recipientId of [0, -1, '', 'x', '01', 1.5, true, null, {}]) {
      assertFaults(await capture(realm, holdId, { recipientId }), '/recipientId');
    }
    for (const id of ['0', '-1', '01', '1.0', 'abc', '%00', '9'.repeat(16), "1'--"]) {
      assertFaults(await realm.send('GET', `/holds/${id}`), '/path/holdID');
      assertFaults(await send(`/holds/${id}/capture`, '{}'), '/path/holdID');
      assertFaults(await realm.send('POST', `/holds/${id}/release`), '/path/holdID');
    }
    assertFaults(
      await realm.send('POST', '/members/0/holds', { body: {} }),
      '/path/memberID',
      '/tokens',
    );
  });
});

test('a member has at most 500 open holds in all kinds, and is removed with them', async () => {
  const realm = await pair('many');
  const kinds = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
  for (const id of kinds) await newKind(realm, id);
  await times(kinds.length, (index) => add(realm, '1', 100, { realmPointId: kinds[index] }));
  const holdIn = (realmPointId: string) => hold(realm, '1', 1, { realmPointId });
  const held = await times(499, (index) => done(holdIn(kinds[index % 5] ?? '')));
  await done(holdIn('k6'));
  const refused = await changesNothing(realm, () => holdIn('k6'));
  const of = 'open holds of a member in all kinds of points';
  assertProblem(refused, 'limit-reached', { limit: 500, of });
  await done(release(realm, held[0].holdId));
  await done(holdIn('k6'));
  assertProblem(await holdIn('k6'), 'limit-reached', { limit: 500 });
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  assert.equal((await verdict(realm)).ok, true);
});

test('what is held and available beyond 2^53 has all its digits', async () => {
  const realm = await pair('large');
  const most = Number.MAX_SAFE_INTEGER;
  await newKind(realm, 'credit', { minimumBalance: -most });
  const inCredit = { realmPointId: 'credit' };
  await done(add(realm, '1', most, inCredit));
  for (const path of ['/members/1', '/members/1/balance']) {
    const { text } = await realm.expect(200, 'GET', path);
    const available = String(2n * BigInt(most));
    assert.match(text, new RegExp(`"available":{"points":100,"credit":${available}}`));
  }
  for (const tokens of [most, most - 2]) await hold(realm, '1', tokens, inCredit);
  const held = String(2n * BigInt(most) - 2n);
  for (const path of ['/members/1', '/members?status=active', '/members/1/balance']) {
    const { text } = await realm.expect(200, 'GET', path);
    assert.match(
      text,
      new RegExp(`"held":{"points":0,"credit":${held}},"available":.*"credit":2}`),
    );
  }
  const refused = await hold(realm, '1', 3, inCredit);
  assert.match(refused.text, new RegExp(`"held":${held}[,}]`));
  assert.equal((await hold(realm, '1', 2, inCredit)).status, 201);
  assert.equal((await hold(realm, '1', 1, inCredit)).status, 422);
});
