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

const PAST = '2026-03-28T23:00:00.000Z';
const OFFERS: Record<string, object> = {
  coat: { name: 'A coat', costs: { points: 1 } },
  hat: { name: 'A hat', costs: { gems: 1, points: 20 } },
  gift: { name: 'A gift', gives: { points: 1 } },
  rules: { name: 'Read the rules', delivery: 'manual', perMember: { times: 1, period: 'ever' } },
  vip: { name: 'VIP', gives: { points: 1 }, requires: { claimed: 'rules' } },
  elite: { name: 'Elite', gives: { points: 1 }, requires: { minimumBalance: { luck: 1 } } },
  rich: { name: 'Rich', gives: { points: 1 }, requires: { minimumBalance: { gems: 2 } } },
  over: { name: 'Last year', gives: { points: 1 }, closesAt: PAST },
  early: { name: 'Next year', gives: { points: 1 }, opensAt: '2999-01-01T00:00:00Z' },
  few: { name: 'A mug', delivery: 'manual', stock: 3 },
  none: { name: 'A cup', delivery: 'manual', stock: 0 },
  week: { name: 'Bonus', gives: { points: 1 }, perMember: { times: 3, period: 'week' } },
};

test('a refused claim tells the member why, in words and in the time of the realm', async () => {
  const realm = await service.realm('claims', { timeZone: 'Europe/Berlin' });
  await newKind(realm, 'gems', { name: 'Gems' });
  await newKind(realm, 'luck', { name: 'Good Luck' });
  await realm.member('1', 5, { displayName: 'Alice' });
  for (const [id, terms] of Object.entries(OFFERS)) {
    await realm.expect(201, 'POST', '/offers', { body: { id, ...terms } });
  }
  const claim = (id: string, more: object = {}) =>
    realm.send('POST', `/offers/${id}/claims`, { body: { memberId: '1', ...more } });
  const expectedCosts = { points: 9 };
  const { claimId } = await done(claim('rules'));
  await done(claim('few', { quantity: 2 }));
  await done(claim('week'));
  const said: [says: string, ask: () => Promise<Reply>][] = [
    ['A coat costs 1 point now.', () => claim('coat', { expectedCosts })],
    ['A hat costs 1 gem and 20 points now.', () => claim('hat', { expectedCosts })],
    ['A gift is free now.', () => claim('gift', { expectedCosts })],
    ['Alice can claim Read the rules only once.', () => claim('rules')],
    ['Alice can claim only 2 more of Bonus.', () => claim('week', { quantity: 3 })],
    ['Elite is for members who have at least 1 Good Luck.', () => claim('elite')],
    ['Rich is for members who have at least 2 gems.', () => claim('rich')],
    ['Last year closed on 29 March 2026 at 00:00 (Europe/Berlin).', () => claim('over')],
    ['Next year opens on 1 January 2999 at 01:00 (Europe/Berlin).', () => claim('early')],
    ['Only 1 of A mug is left.', () => claim('few', { quantity: 2 })],
    ['A cup is sold out.', () => claim('none')],
    [
      'This claim was rejected already.',
      async () => {
        await done(realm.send('POST', `/claims/${claimId}/reject`));
        return realm.send('POST', `/claims/${claimId}/reject`);
      },
    ],
    ['VIP is for members who have claimed Read the rules.', () => claim('vip')],
  ];
  for (const [says, ask] of said) assert.equal((await ask()).json.message, says);
  await done(claim('week', { quantity: 2 }));
  const { json } = await claim('week');
  assert.match(json.message, /^Alice can claim Bonus again on .+ at 00:00 \(Europe\/Berlin\)\.$/);
  assert.match(json.detail, /^Member 1 may claim offer "week" at most 3 times a week\. It cannot/);
  for (const within of ['kinds', 'offer', 'left', 'period', 'timeZone'])
    assert.ok(!(within in json));
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
