import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { add, capture, done, give, hold, newKind, verdict } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Kinds of points: their bounds, the default, and all calls that name one. */
const service = await serviceForFile();
const MAX = Number.MAX_SAFE_INTEGER;
const FIRST = {
  id: 'points',
  name: 'Points',
  symbol: null,
  isDefault: true,
  isTransferable: true,
  minimumBalance: 0,
  maximumBalance: MAX,
  archived: false,
};

async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 100);
  await realm.member('2');
  return realm;
}

const list = async (realm: TestRealm) => (await realm.expect(200, 'GET', '/points')).json.items;
const change = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/points/${id}`, { body });
const member = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/members/${id}`)).json;
const inGems = { realmPointId: 'gems' };

test('a realm starts with points; other kinds are added and changed', async () => {
  const realm = await pair('list');
  assert.deepEqual(await list(realm), [FIRST]);
  const made = await newKind(realm, 'gems');
  assert.deepEqual(made.json, { ...FIRST, id: 'gems', name: 'gems', isDefault: false });
  const whole = {
    id: 'a-kind_0',
    name: 'Ünï',
    symbol: '★',
    isDefault: false,
    isTransferable: false,
    minimumBalance: -MAX,
    maximumBalance: 0,
  };
  const { json } = await realm.expect(201, 'POST', '/points', { body: whole });
  assert.deepEqual(json, { ...whole, archived: false });
  assert.deepEqual(await list(realm), [json, made.json, FIRST]);
  const changes = { name: 'Gems', symbol: '◆', minimumBalance: -5, maximumBalance: 50 };
  const changed = await done(change(realm, 'gems', changes));
  assert.deepEqual(changed, { ...made.json, ...changes });
  assert.equal((await done(change(realm, 'gems', { symbol: null }))).symbol, null);
  await changesNothing(realm, async () => {
    // The same value again is not a change.
    await done(change(realm, 'gems', { ...changes, symbol: null }));
    await done(change(realm, 'gems', {}));
    await done(change(realm, 'points', { isDefault: true }));
  });
});

test('every member, old or new, has 0 in a new kind', async () => {
  const realm = await pair('zeros');
  await newKind(realm, 'gems');
  await realm.member('3');
  for (const [id, points] of [['1', 100] as const, ['2', 0] as const, ['3', 0] as const]) {
    const { balances, tokenBalance } = await member(realm, id);
    assert.deepEqual([balances, tokenBalance], [{ gems: 0, points }, points]);
  }
  const board = await realm.expect(200, 'GET', '/leaderboard?realmPointId=gems');
  assert.equal(board.json.total, 3);
});

test('exactly one kind is the default, and it can move', async () => {
  const realm = await pair('default');
  await newKind(realm, 'gems', { isDefault: true });
  const defaults = (await list(realm)).filter((kind: Reply['json']) => kind.isDefault);
  assert.deepEqual(
    defaults.map((kind: Reply['json']) => kind.id),
    ['gems'],
  );
  assert.equal((await member(realm, '1')).tokenBalance, 0);
  assert.equal((await done(add(realm, '1', 7))).realmPointId, 'gems');
  assert.equal((await done(give(realm, '1', '2', 3))).realmPointId, 'gems');
  assert.equal((await done(hold(realm, '1', 1))).realmPointId, 'gems');
  const { json } = await realm.expect(200, 'GET', '/members/1/balance');
  assert.deepEqual([json.tokenBalance, json.balances], [4, { gems: 4, points: 100 }]);
  assertProblem(await change(realm, 'gems', { isDefault: false }), 'default-required');
  await done(change(realm, 'points', { isDefault: true }));
  assert.equal((await member(realm, '1')).tokenBalance, 100);
  assert.equal(
    (await list(realm)).find((kind: Reply['json']) => kind.id === 'gems').isDefault,
    false,
  );
});

test('bounds apply to every movement, negative ones too', async () => {
  const realm = await pair('bounds');
  await newKind(realm, 'gems', { minimumBalance: -10, maximumBalance: 20 });
  assert.equal((await done(add(realm, '1', -10, inGems))).newBalance, -10);
  await changesNothing(realm, async () => {
    const below = await add(realm, '1', -1, inGems);
    const extra = { balance: -10, requested: 1, realmPointId: 'gems', minimumBalance: -10 };
    assertProblem(below, 'insufficient-points', extra);
    assert.equal(
      below.json.detail,
      'Member 1 has -10 points of the kind "gems" (the minimum is -10); 1 was requested.',
    );
    assertProblem(await give(realm, '1', '2', 1, inGems), 'insufficient-points');
    assertProblem(await hold(realm, '1', 1, inGems), 'insufficient-points');
    const above = await add(realm, '1', 31, inGems);
    assertProblem(above, 'balance-limit', { memberId: '1', balance: -10, limit: 20 });
    assertProblem(await realm.send('DELETE', '/members/1'), 'balance-not-zero');
  });
  await done(add(realm, '1', 30, inGems));
  await done(add(realm, '2', 20, inGems));
  assertProblem(await give(realm, '1', '2', 1, inGems), 'balance-limit', { memberId: '2' });
  // New bounds do not affect balances until the next movement.
  await done(change(realm, 'gems', { minimumBalance: 0, maximumBalance: 5 }));
  assert.equal((await member(realm, '1')).balances.gems, 20);
  assertProblem(await add(realm, '1', 1, inGems), 'balance-limit', { balance: 20, limit: 5 });
  assert.equal((await done(add(realm, '1', -1, inGems))).newBalance, 19);
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  assert.equal((await verdict(realm)).ok, true);
});

test('a negative balance can be forfeited too', async () => {
  const realm = await pair('debt');
  await newKind(realm, 'gems', { minimumBalance: -MAX });
  await done(add(realm, '2', -MAX, inGems));
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  await realm.member('2');
  assert.equal((await member(realm, '2')).balances.gems, 0);
  assert.equal((await verdict(realm)).ok, true);
});

test('a kind that is not transferable can be credited, debited, held and captured', async () => {
  const realm = await pair('fixed');
  await newKind(realm, 'gems', { isTransferable: false });
  await done(add(realm, '1', 10, inGems));
  const { holdId } = await done(hold(realm, '1', 5, inGems));
  await changesNothing(realm, async () => {
    const refused = { realmPointId: 'gems' };
    assertProblem(await give(realm, '1', '2', 1, inGems), 'not-transferable', refused);
    assertProblem(await capture(realm, holdId, { recipientId: 2 }), 'not-transferable', refused);
  });
  await done(capture(realm, holdId));
  await done(change(realm, 'gems', { isTransferable: true }));
  await done(give(realm, '1', '2', 5, inGems));
});

test('kinds do not mix in any call', async () => {
  const realm = await pair('apart');
  await newKind(realm, 'gems');
  const entries = [
    { memberId: 1, tokens: 5, realmPointId: 'gems' },
    { memberId: 1, tokens: 5 },
    { memberId: 2, tokens: 1, realmPointId: 'none' },
  ];
  const path = '/members/tokenBalance';
  const atomic = await changesNothing(realm, () =>
    realm.send('PATCH', path, { body: { entries } }),
  );
  assertProblem(atomic, 'realm-point-not-found', { realmPointId: 'none' });
  const each = await done(realm.send('PATCH', path, { body: { entries, atomic: false } }));
  assert.equal(each.results[2].problem.code, 'realm-point-not-found');
  assertProblem(await add(realm, '1', -6, inGems), 'insufficient-points', { balance: 5 });
  await done(give(realm, '1', '2', 2, inGems));
  assert.deepEqual((await member(realm, '1')).balances, { gems: 3, points: 105 });
  assert.deepEqual((await member(realm, '2')).balances, { gems: 2, points: 0 });
  const statement = await realm.expect(200, 'GET', '/members/1/transactions?realmPointId=gems');
  assert.deepEqual(
    statement.json.items.map((row: Reply['json']) => [row.tokens, row.balance, row.realmPointId]),
    [
      [-2, 3, 'gems'],
      [5, 5, 'gems'],
    ],
  );
});

test('invalid input changes nothing', async () => {
  const realm = await pair('off');
  const numbers = [1.5, '5', null, true, [], 2 ** 53, -(2 ** 53), 1e300];
  const fields: [field: string, values: unknown[]][] = [
    ['name', ['', 'x'.repeat(65), 5, null]],
    ['symbol', ['', 'x'.repeat(17), 5, {}]],
    ['isDefault', ['true', 1, null]],
    ['isTransferable', ['true', 0, null]],
    ['minimumBalance', numbers],
    ['maximumBalance', numbers],
  ];
  const ids = ['Gems', 'a b', 'é', '-a', '_a', 'x'.repeat(33), 'a@b', 'a:b', 'a\n', 5];
  await changesNothing(realm, async () => {
    for (const [field, values] of fields) {
      for (const value of values) {
        const body = { id: 'gems', name: 'Gems', [field]: value };
        assertFaults(await realm.send('POST', '/points', { body }), `/${field}`);
        assertFaults(await change(realm, 'points', { [field]: value }), `/${field}`);
      }
    }
    for (const id of [...ids, '', null, '1', '007', '9'.repeat(32)]) {
      assertFaults(await realm.send('POST', '/points', { body: { id, name: 'x' } }), '/id');
    }
    for (const id of ids) {
      const body = { tokens: 1, realmPointId: id };
      const path = '/members/1/tokenBalance';
      assertFaults(await realm.send('PATCH', path, { body }), '/realmPointId');
      const transfer = { ...body, recipientId: 2 };
      const given = await realm.send('PATCH', '/members/1/transfer', { body: transfer });
      assertFaults(given, '/realmPointId');
    }
    for (const id of ['Gems', '%00', 'a%20b', 'x'.repeat(33), "a'--", '%F0%9F%90%B8']) {
      assertFaults(await change(realm, id, { name: 'x' }), '/path/realmPointId');
    }
    assertFaults(await realm.send('POST', '/points', { body: {} }), '/id', '/name');
    const nul = await realm.send('POST', '/points', { raw: '{"id":"gems","name":"\\u0000"}' });
    assertFaults(nul, '/name');
  });
});
