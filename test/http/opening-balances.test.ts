import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, changesNothing } from '../support/checks.ts';
import { add, done, newKind, reverse, verdict, walk } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Opening balances count in balances, but not as earned. */
const service = await serviceForFile();

interface Opened {
  realm: TestRealm;
  /** The transactions of member 1, in order. */
  points: number;
  debt: number;
}

/** Member 1 starts with 50 points and a debt of 8, member 2 with 20 points. */
async function opened(id: string): Promise<Opened> {
  const realm = await service.realm(id);
  await newKind(realm, 'debt', { minimumBalance: -10 });
  const members = [
    { id: 1, username: 'ann', balances: { points: 50, debt: -8 } },
    { id: 2, balances: { points: 20, debt: 0 } },
  ];
  const body = { description: 'From the old bot', members };
  const { results } = await done(realm.send('POST', '/members/batch', { body }));
  const [points, debt] = results[0].opened.map((one: Reply['json']) => one.transactionId);
  return { realm, points, debt };
}

const get = async (realm: TestRealm, path: string) => (await realm.expect(200, 'GET', path)).json;

test('statements, transactions, past balances and the event feed show them', async () => {
  const { realm, points, debt } = await opened('shown');
  const statement = await walk(realm, '/members/1/transactions');
  const common = {
    type: 'points.opened',
    memberId: '1',
    counterpartyId: null,
    description: 'From the old bot',
    reversalOf: null,
    reversedBy: null,
    reversedTokens: 0,
  };
  const [second, first] = statement;
  const { at, actor, ...shown } = first;
  const row = { ...common, transactionId: points, tokens: 50, balance: 50, realmPointId: 'points' };
  assert.deepEqual(shown, row);
  assert.match(actor, /^key:/);
  assert.deepEqual(
    [second.transactionId, second.tokens, second.balance, second.realmPointId],
    [debt, -8, -8, 'debt'],
  );
  await done(add(realm, '1', 5));
  const listed = await walk(realm, '/transactions?type=points.opened');
  assert.deepEqual(
    listed.map(({ memberId, tokens }) => [memberId, tokens]),
    [
      ['2', 20],
      ['1', -8],
      ['1', 50],
    ],
  );
  assert.deepEqual(await get(realm, `/transactions/${points}`), first);
  const past = await get(realm, `/members/1/balance?at=${at}`);
  assert.deepEqual(past.balances, { points: 50, debt: -8 });
  const { items } = await get(realm, `/events?after=${points - 1}&limit=1`);
  assert.deepEqual(
    [items[0].type, items[0].data],
    [
      'points.opened',
      {
        memberId: '1',
        tokens: 50,
        realmPointId: 'points',
        newBalance: 50,
        description: 'From the old bot',
      },
    ],
  );
  assert.equal((await verdict(realm)).ok, true);
});

test('they count in the all-time leaderboard, and never as earned', async () => {
  const { realm, points } = await opened('ranks');
  const all = (await get(realm, '/leaderboard')).members;
  assert.deepEqual(
    all.map(({ id, balance }: Reply['json']) => [id, balance]),
    [
      ['1', 50],
      ['2', 20],
    ],
  );
  for (const window of ['day', 'week', 'month']) {
    assert.deepEqual((await get(realm, `/leaderboard?window=${window}`)).members, []);
  }
  await done(add(realm, '2', 3));
  await done(reverse(realm, points, { tokens: 10 }));
  for (const window of ['day', 'week', 'month']) {
    const { members } = await get(realm, `/leaderboard?window=${window}`);
    assert.deepEqual(
      members.map(({ id, earned }: Reply['json']) => [id, earned]),
      [['2', 3]],
    );
  }
  assert.equal((await verdict(realm)).ok, true);
});

test('they are reversed as a credit is, and a debt as a debit', async () => {
  const { realm, points, debt } = await opened('reversed');
  await done(add(realm, '1', -30));
  const spent = await changesNothing(realm, () => reverse(realm, points));
  assertProblem(spent, 'insufficient-points', { balance: 20, requested: 50 });
  const part = await done(reverse(realm, points, { tokens: 15 }));
  assert.deepEqual([part.tokens, part.newBalance, part.reversalOf], [15, 5, points]);
  const more = await changesNothing(realm, () => reverse(realm, points, { tokens: 36 }));
  assertProblem(more, 'reversal-exceeded', { remaining: 35, requested: 36 });
  const some = await done(reverse(realm, debt, { tokens: 3 }));
  assert.deepEqual([some.tokens, some.newBalance], [3, -5]);
  const rest = await done(reverse(realm, debt));
  assert.deepEqual([rest.tokens, rest.newBalance], [5, 0]);
  assertProblem(await reverse(realm, debt), 'reversal-exceeded', { remaining: 0 });
  const original = await get(realm, `/transactions/${debt}`);
  assert.deepEqual([original.tokens, original.reversedTokens], [-8, 8]);
  assert.equal(original.reversedBy, rest.transactionId);
  const [last] = await walk(realm, '/members/1/transactions?realmPointId=debt');
  assert.deepEqual([last.type, last.tokens, last.balance], ['points.reversed', 5, 0]);
  assert.equal((await verdict(realm)).ok, true);
});

test('who is enrolled gets them later, in kinds of points that have never moved', async () => {
  const { realm } = await opened('later');
  await realm.member('3');
  await realm.member('4');
  await realm.expect(200, 'PATCH', '/members/4', { body: { status: 'frozen' } });
  const balances = { points: 7, debt: -2 };
  const send = (id: string, more = {}, one = {}) => {
    const members = [{ id, username: 'other', balances, ...one }];
    return realm.send('POST', '/members/batch', { body: { members, ...more } });
  };
  const present = { opensPresent: true };
  assertProblem(await changesNothing(realm, () => send('3')), 'member-exists');
  const [third] = (await done(send('3', present))).results;
  assert.deepEqual(
    [third.memberId, third.wasPresent, third.opened.length, third.opened[0].newBalance],
    ['3', true, 2, 7],
  );
  const { username, balances: after } = await get(realm, '/members/3');
  assert.deepEqual([username, after], [null, { points: 7, debt: -2 }]);
  const [second] = (await done(send('2', present))).results;
  assert.deepEqual(
    second.opened.map((one: Reply['json']) => one.realmPointId),
    ['debt'],
  );
  for (const id of ['1', '2', '3']) {
    assertProblem(await changesNothing(realm, () => send(id, present)), 'member-exists');
  }
  assertProblem(await changesNothing(realm, () => send('4', present)), 'member-frozen');
  const nothing = () => send('4', present, { balances: {} });
  assertProblem(await changesNothing(realm, nothing), 'member-exists');
  const [fifth] = (await done(send('5', present))).results;
  assert.deepEqual([fifth.wasPresent, fifth.opened.length], [undefined, 2]);
  assert.equal((await verdict(realm)).ok, true);
});

test('an opening debt leaves room for what is on hold', async () => {
  const { realm } = await opened('on-hold');
  await realm.member('3');
  const hold = { tokens: 4, realmPointId: 'debt' };
  await realm.expect(201, 'POST', '/members/3/holds', { body: hold });
  const send = (debt: number) => {
    const members = [{ id: '3', balances: { debt } }];
    return realm.send('POST', '/members/batch', { body: { members, opensPresent: true } });
  };
  const problem = await changesNothing(realm, () => send(-7));
  assertProblem(problem, 'insufficient-points', { balance: 0, held: 4, requested: 7 });
  await done(send(-6));
});
