import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { done } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Names of members whom a credit enrols, and batches with entries of 0. */
const service = await serviceForFile();
const BATCH = '/members/tokenBalance';

const patch = (realm: TestRealm, path: string, body: object) => realm.send('PATCH', path, { body });
const nameOf = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/members/${id}`)).json.username;

test('a credit, a transfer and a batch name the member that they enrol', async () => {
  const realm = await service.realm('named', { autoEnroll: true });
  await done(patch(realm, '/members/1/tokenBalance', { tokens: 9, username: 'ann' }));
  const paid = { recipientId: 2, tokens: 1, recipientUsername: 'ben' };
  await done(patch(realm, '/members/1/transfer', paid));
  const entries = [
    { memberId: 3, tokens: 1, username: 'cleo' },
    { memberId: 4, tokens: 1, username: null },
  ];
  await done(patch(realm, BATCH, { entries }));
  const names = await Promise.all(['1', '2', '3', '4'].map((id) => nameOf(realm, id)));
  assert.deepEqual(names, ['ann', 'ben', 'cleo', null]);
  const found = await realm.expect(200, 'GET', '/members?search=ben');
  assert.equal(found.json.items[0]?.id, '2');
});

test('a member that exists is not renamed, and an invalid name is refused', async () => {
  const realm = await service.realm('kept', { autoEnroll: true });
  await realm.member('1', 9, { username: 'ann' });
  await realm.member('2', 9, { username: 'ben' });
  await done(patch(realm, '/members/1/tokenBalance', { tokens: 1, username: 'eve' }));
  await done(patch(realm, '/members/1/tokenBalance', { tokens: -1, username: 'eve' }));
  const paid = { recipientId: 2, tokens: 1, recipientUsername: 'eve' };
  await done(patch(realm, '/members/1/transfer', paid));
  await done(patch(realm, BATCH, { entries: [{ memberId: 1, tokens: 1, username: 'eve' }] }));
  assert.deepEqual([await nameOf(realm, '1'), await nameOf(realm, '2')], ['ann', 'ben']);
  await changesNothing(realm, async () => {
    for (const username of ['', 'x'.repeat(65), 5]) {
      const one = await patch(realm, '/members/3/tokenBalance', { tokens: 1, username });
      assertFaults(one, '/username');
      const entries = [{ memberId: 3, tokens: 1, username }];
      assertFaults(await patch(realm, BATCH, { entries }), '/entries/0/username');
      const gift = { recipientId: 3, tokens: 1, recipientUsername: username };
      assertFaults(await patch(realm, '/members/1/transfer', gift), '/recipientUsername');
    }
  });
});

test('with skipZero, entries of 0 are nothing to do', async () => {
  const realm = await service.realm('zeros');
  await realm.member('1', 5);
  await realm.member('2', 5);
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'frozen' } });
  const entries = [
    { memberId: 1, tokens: 0 },
    { memberId: 1, tokens: 4 },
    { memberId: 1, tokens: 0 },
    // Nothing moves to or from a frozen member.
    { memberId: 2, tokens: 0 },
  ];
  let reply: Reply['json'];
  const send = async () => {
    reply = await done(patch(realm, BATCH, { skipZero: true, entries }));
  };
  assert.equal(await recordsOf(realm, send), 1);
  const shown = reply.results.map(({ newBalance, transactionId }: Reply['json']) => [
    newBalance,
    transactionId === null,
  ]);
  assert.deepEqual(shown, [
    [5, true],
    [9, false],
    [9, true],
    [5, true],
  ]);
  await changesNothing(realm, () => patch(realm, BATCH, { skipZero: true, entries: [entries[0]] }));
});

test('without skipZero an entry of 0 is invalid, and so is 0 for one member', async () => {
  const realm = await service.realm('strict');
  await realm.member('1', 5);
  const entries = [
    { memberId: 1, tokens: 0 },
    { memberId: 1, tokens: 1 },
    { memberId: 1, tokens: 0.0 },
  ];
  await changesNothing(realm, async () => {
    for (const skipZero of [undefined, false]) {
      const reply = await patch(realm, BATCH, { skipZero, entries });
      assertFaults(reply, '/entries/0/tokens', '/entries/2/tokens');
    }
    const unsure = await patch(realm, BATCH, { skipZero: 'true', entries });
    assertFaults(unsure, '/skipZero', '/entries/0/tokens', '/entries/2/tokens');
    assertFaults(
      await patch(realm, '/members/1/tokenBalance', { tokens: 0, skipZero: true }),
      '/tokens',
    );
  });
});

test('an entry of 0 needs a member, unless a credit would enrol it; and a kind', async () => {
  const realm = await service.realm('whose');
  const zero = (more: object = {}) =>
    patch(realm, BATCH, { skipZero: true, entries: [{ memberId: 7, tokens: 0, ...more }] });
  assertProblem(await zero(), 'member-not-found', { memberId: '7' });
  await realm.expect(200, 'PATCH', '', { body: { settings: { autoEnroll: true } } });
  const { results } = await done(zero());
  assert.deepEqual(results, [{ memberId: '7', newBalance: 0, transactionId: null }]);
  assertProblem(await realm.send('GET', '/members/7'), 'member-not-found');
  assertProblem(await zero({ realmPointId: 'none' }), 'realm-point-not-found');
});
