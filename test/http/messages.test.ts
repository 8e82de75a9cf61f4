import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { add, done, give, hold, newKind, reverse } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** What a problem says to the member (`message`), and to who writes the program (`detail`). */
const service = await serviceForFile();
const MAX = Number.MAX_SAFE_INTEGER;

/** Alice has 10 points and no gems, of which 5 are allowed; Bob has no name but his user name. */
async function community(id: string): Promise<TestRealm> {
  const realm = await service.realm(id, { maxTokensPerRequest: 500 });
  await newKind(realm, 'gems', { name: 'Gems', isTransferable: false, maximumBalance: 5 });
  await realm.member('1', 10, { username: 'alice77', displayName: 'Alice' });
  await realm.member('2', 0, { username: 'bob' });
  await realm.member('3', 1);
  return realm;
}

test('a refusal tells the member what is so, by names and with figures', async () => {
  const realm = await community('people');
  const inGems = { realmPointId: 'gems' };
  await done(add(realm, '1', 3, inGems));
  const said: [says: string, ask: () => Promise<Reply>][] = [
    ['Alice has 10 points and needs 60.', () => give(realm, '1', '2', 60)],
    ['bob has 0 points and needs 1.', () => give(realm, '2', '1', 1)],
    ['Member 3 has 1 point and needs 2.', () => hold(realm, '3', 2)],
    ['Alice has 3 gems and needs 4.', () => add(realm, '1', -4, inGems)],
    ['Alice has 3 gems and may have at most 5.', () => add(realm, '1', 3, inGems)],
    ['Gems cannot be given to other members.', () => give(realm, '1', '2', 1, inGems)],
    ['At most 500 points can be moved at once.', () => add(realm, '1', 501)],
    ['There is no member 9.', () => give(realm, '1', '9', 1)],
    ['There is no member 9.', () => realm.send('GET', '/members/9')],
    ['Alice is already a member.', () => realm.send('POST', '/members', { body: { id: '1' } })],
    [
      'Alice still has 3 gems. Move them first, or forfeit them.',
      () => realm.send('DELETE', '/members/1'),
    ],
    [
      'Member 3 still has 1 point. Move it first, or forfeit it.',
      () => realm.send('DELETE', '/members/3'),
    ],
  ];
  for (const [says, ask] of said) assert.equal((await ask()).json.message, says);
  await done(hold(realm, '1', 4));
  const held = await give(realm, '1', '2', 8);
  assert.equal(held.json.message, 'Alice has 10 points (4 of them on hold) and needs 8.');
  await realm.expect(200, 'PATCH', '/members/1', { body: { displayName: 'Ally' } });
  assert.match((await give(realm, '1', '2', 60)).json.message, /^Ally has 10 points/);
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  const frozen = await give(realm, '2', '1', 1);
  assert.equal(frozen.json.message, 'Ally is frozen and can neither send nor receive points.');
  assertProblem(frozen, 'member-frozen', { memberId: '1' });
  assert.deepEqual([frozen.json.name, frozen.json.kind], [undefined, undefined]);
});

test('a refused entry of a batch says the same, also when it is sent again', async () => {
  const realm = await community('batch');
  const body = { atomic: false, entries: [{ memberId: '1', tokens: -60 }] };
  const send = async () => {
    const sent = { body, headers: { 'idempotency-key': 'once' } };
    return (await realm.expect(200, 'PATCH', '/members/tokenBalance', sent)).json;
  };
  const first = await send();
  assert.equal(first.results[0].problem.message, 'Alice has 10 points and needs 60.');
  await realm.expect(200, 'PATCH', '/members/1', { body: { displayName: 'Ally' } });
  assert.deepEqual(await send(), first);
});

test('a balance at its limit is of a kind', async () => {
  const realm = await community('limits');
  assertProblem(await add(realm, '1', 6, { realmPointId: 'gems' }), 'balance-limit', {
    detail: 'The balance of member 1 in "gems" would exceed its limit of 5.',
    realmPointId: 'gems',
  });
  await realm.expect(200, 'PATCH', '', { body: { settings: { maxTokensPerRequest: null } } });
  assertProblem(await add(realm, '1', MAX), 'balance-limit', { realmPointId: 'points' });
});

test('an unknown id that may have lost its last digits is told from one that has not', async () => {
  const realm = await community('rounded');
  const ROUNDED = /\. Its last digits may have been rounded by a number of JSON: send ids as str/;
  // As JavaScript writes it, and as other languages do: the multiple of 32 that a double holds.
  for (const id of ['175928847299117060', '175928847299117056', '9223372036854775000']) {
    const replies = [await realm.send('GET', `/members/${id}`), await give(realm, '1', id, 1)];
    for (const { json } of replies) {
      assert.match(json.detail, ROUNDED, id);
      assert.match(json.detail, /\. Otherwise enrol it with POST …\/members\.$/);
    }
  }
  for (const id of ['175928847299117063', '9007199254740990', '4000', '9223372036854775807']) {
    const { detail } = (await realm.send('GET', `/members/${id}`)).json;
    assert.equal(detail, `This realm has no member ${id}. Enrol it with POST …/members.`);
  }
});

test('a reversal that touches somebody who has left says so', async () => {
  const realm = await community('gone');
  const { transactionId } = await done(give(realm, '1', '2', 5));
  const { transactionId: other } = await done(give(realm, '1', '3', 1));
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  await realm.expect(204, 'DELETE', '/members/3?forfeit=true&erase=true');
  const says = async (seq: number, memberId: string, memberStatus: string) => {
    const who = `Member ${memberId} was ${memberStatus}`;
    const sentence = `${who}: transaction ${seq} cannot be reversed.`;
    const extra = { memberId, memberStatus, detail: sentence, message: sentence };
    assertProblem(await reverse(realm, seq), 'member-not-found', extra);
  };
  await says(transactionId, '2', 'removed');
  await says(other, '3', 'erased');
  await service.restart();
  await says(other, '3', 'erased');
});
