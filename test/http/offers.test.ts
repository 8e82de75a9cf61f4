import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import {
  balances,
  changeOffer,
  claim,
  close,
  community,
  createOffer,
  read,
} from '../support/offers.ts';
import { counters, done, times, verdict, walk } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';

/** Offers, as bots and shops use them: limits, streaks, stock, draws. */
const service = await serviceForFile();

const PAST = '2026-01-01T00:00:00.000Z';

test('an offer shows its terms with defaults, and what became of it', async () => {
  const realm = await community(service, 'shown');
  const offer = await createOffer(realm, 'hat', { costs: { points: 60 }, stock: 2 });
  const { createdAt, updatedAt, ...rest } = offer;
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    id: 'hat',
    name: 'The hat',
    description: null,
    emoji: null,
    gives: {},
    costs: { points: 60 },
    perMember: null,
    stock: 2,
    opensAt: null,
    closesAt: null,
    requires: null,
    delivery: 'none',
    streak: null,
    isListed: true,
    metadata: {},
    archived: false,
    status: 'open',
    claimed: 0,
    stockLeft: 2,
    drawSeq: null,
  });
  await done(claim(realm, 'hat', '1'));
  const { status, claimed, stockLeft } = await read(realm, '/offers/hat');
  assert.deepEqual([status, claimed, stockLeft], ['open', 1, 1]);
  const changed = await changeOffer(realm, 'hat', {
    stock: 1,
    closesAt: '2999-01-01T01:00:00+01:00',
  });
  assert.deepEqual(
    [changed.status, changed.stockLeft, changed.closesAt],
    ['soldOut', 0, '2999-01-01T00:00:00.000Z'],
  );
  assert.equal(
    (await changeOffer(realm, 'hat', { opensAt: '2998-01-01T00:00:00Z' })).status,
    'upcoming',
  );
  assert.equal((await changeOffer(realm, 'hat', { archived: true })).status, 'archived');
});

test('offers are listed by id, and by their status', async () => {
  const realm = await community(service, 'listed');
  await createOffer(realm, 'hat', { costs: { points: 60 } });
  await changeOffer(realm, 'hat', { archived: true });
  await createOffer(realm, 'quest', { delivery: 'manual' });
  await createOffer(realm, 'gone', { gives: { gems: 1 }, closesAt: PAST });
  const idsOf = async (status: string) =>
    (await walk(realm, `/offers?status=${status}&limit=1`)).map(({ id }) => id);
  assert.deepEqual(
    await Promise.all(['open', 'upcoming', 'closed', 'soldOut', 'archived'].map(idsOf)),
    [['quest'], [], ['gone'], [], ['hat']],
  );
  assert.deepEqual(
    (await walk(realm, '/offers?limit=2')).map(({ id }) => id),
    ['gone', 'hat', 'quest'],
  );
});

test('a daily reward: once a day, with a bonus for days in a row', async () => {
  const realm = await community(service, 'daily', { timeZone: 'Pacific/Apia', autoEnroll: true });
  const perMember = { times: 1, period: 'day' };
  await createOffer(realm, 'daily', { gives: { points: 10 }, perMember, streak: { bonus: [5] } });
  const { gave, period, streak } = await done(claim(realm, 'daily', '9'));
  assert.deepEqual([gave, streak], [{ points: 15 }, 1]);
  const parts = { timeZone: 'Pacific/Apia', dateStyle: 'short' } as const;
  assert.equal(period, new Intl.DateTimeFormat('sv-SE', parts).format(Date.now()));
  const refused = await changesNothing(realm, () => claim(realm, 'daily', '9'));
  assertProblem(refused, 'offer-limit-reached', { limit: 1 });
  const inMs = Date.parse(refused.json.nextAt) - Date.now();
  assert.ok(inMs > 0 && inMs <= 25 * 3_600_000);
  assert.match(
    refused.json.message,
    /^Member 9 can claim The daily again on \d+ \w+ 20\d\d at 00:00 \(Pacific\/Apia\)\.$/,
  );
  // A zone further west: the day does not come again.
  await done(realm.send('PATCH', '', { body: { settings: { timeZone: 'America/Sao_Paulo' } } }));
  assertProblem(await claim(realm, 'daily', '9'), 'offer-limit-reached');
  await changeOffer(realm, 'daily', { perMember: { times: 3, period: 'month' }, streak: null });
  const more = await done(claim(realm, 'daily', '9', { quantity: 2 }));
  assert.deepEqual([more.period.length, more.streak, more.gave], [7, null, { points: 20 }]);
  assertProblem(await claim(realm, 'daily', '9'), 'offer-limit-reached', { limit: 3 });
  await changeOffer(realm, 'daily', { perMember: { times: 3, period: 'ever' } });
  assertProblem(await claim(realm, 'daily', '9'), 'offer-limit-reached', { nextAt: null });
  assert.equal((await verdict(realm)).ok, true);
});

test('a limit holds for good: through removal, and for who comes back', async () => {
  const realm = await community(service, 'for-good');
  await createOffer(realm, 'welcome', {
    gives: { points: 5 },
    perMember: { times: 1, period: 'ever' },
  });
  await done(claim(realm, 'welcome', '2'));
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true&erase=true');
  await realm.member('2');
  assertProblem(await claim(realm, 'welcome', '2'), 'offer-limit-reached', { nextAt: null });
  assert.equal((await verdict(realm)).ok, true);
});

test('requirements, prices and floors', async () => {
  const realm = await community(service, 'rules');
  const requires = { minimumBalance: { points: 50 }, claimed: 'rules' };
  await createOffer(realm, 'rules', { delivery: 'manual' });
  await createOffer(realm, 'vip', { gives: { gems: 1 }, costs: { points: 10 }, requires });
  assertProblem(await claim(realm, 'vip', '2'), 'offer-requirement', {
    requirement: { minimumBalance: { points: 50 } },
  });
  assertProblem(await claim(realm, 'vip', '1'), 'offer-requirement', {
    requirement: { claimed: 'rules' },
  });
  await done(claim(realm, 'rules', '1'));
  const expectedCosts = { points: 10 };
  await done(claim(realm, 'vip', '1', { expectedCosts }));
  await changeOffer(realm, 'vip', { costs: { points: 11 } });
  const raised = await claim(realm, 'vip', '1', { expectedCosts });
  assertProblem(raised, 'price-changed', { costs: { points: 11 } });
  assert.equal(raised.json.message, 'The vip costs 11 points now.');
  const much = await claim(realm, 'vip', '1', { quantity: 1_000_000 });
  assertProblem(much, 'insufficient-points', { requested: 11_000_000 });
  assert.deepEqual(await balances(realm, '1'), { points: 90, gems: 1 });
});

test('a body that makes no sense as an offer names its faults', async () => {
  const realm = await community(service, 'faults');
  const send = (body: object) =>
    realm.send('POST', '/offers', { body: { id: 'x', name: 'X', ...body } });
  assertFaults(await send({}), '/gives');
  assertFaults(await send({ gives: { points: 0 } }), '/gives/points');
  assertFaults(await send({ gives: { points: 1 }, streak: { bonus: [1] } }), '/streak');
  const [opensAt, closesAt] = [PAST, PAST];
  assertFaults(await send({ delivery: 'manual', opensAt, closesAt }), '/closesAt');
  assertFaults(await send({ delivery: 'manual', perMembr: null }), '/perMembr');
  assertFaults(await send({ id: '7', delivery: 'manual' }), '/id');
  const perMember = { times: 1, period: 'year' };
  assertFaults(await send({ delivery: 'manual', perMember }), '/perMember/period');
  const zone = { body: { settings: { timeZone: 'Mars/Olympus' } } };
  assertFaults(await realm.send('PATCH', '', zone), '/settings/timeZone');
});

test('a thousand at once for the last piece: one gets it', async () => {
  const realm = await community(service, 'last-piece');
  const idOf = (index: number) => String(1_000 + index);
  const members = Array.from({ length: 1_000 }, (_, index) => {
    return { id: idOf(index), balances: { points: 5 } };
  });
  await done(realm.send('POST', '/members/batch', { body: { members } }));
  await createOffer(realm, 'last', {
    costs: { points: 1 },
    stock: 1,
    perMember: { times: 1, period: 'day' },
  });
  const replies = await times(1_000, (index) => claim(realm, 'last', idOf(index)));
  assert.deepEqual(counters(replies), { 201: 1, 'offer-sold-out': 999 });
  const [{ memberId }] = await walk(realm, '/claims');
  assert.deepEqual(await balances(realm, memberId), { points: 4, gems: 0 });
  // More of it, and more at once by one member.
  await changeOffer(realm, 'last', { stock: 9 });
  const more = await times(100, () => claim(realm, 'last', memberId));
  assert.deepEqual(counters(more), { 'offer-limit-reached': 100 });
  const others = await times(300, (index) => claim(realm, 'last', idOf(index)));
  assert.equal(others.filter(({ status }) => status === 201).length, 8);
  const { claimed, status } = await read(realm, '/offers/last');
  assert.deepEqual([claimed, status], [9, 'soldOut']);
  assert.equal((await verdict(realm)).ok, true);
});

test('a draw can be repeated from the list of claims', async () => {
  const realm = await community(service, 'raffle');
  await times(20, (index) => realm.member(String(100 + index)));
  await createOffer(realm, 'raffle', { delivery: 'manual' });
  const claims = await times(20, (index) =>
    done(claim(realm, 'raffle', String(100 + (index % 15)), { quantity: 1 + (index % 3) })),
  );
  await done(close(realm, claims[3].claimId, 'reject'));
  const draw = (body: object) => realm.send('POST', '/offers/raffle/draw', { body });
  assertProblem(await draw({ winners: 3 }), 'offer-open');
  await changeOffer(realm, 'raffle', { archived: true });
  const drawn = await done(draw({ winners: 3, seed: 'block 900000' }));
  const list = (await walk(realm, '/claims?offerId=raffle'))
    .filter(({ status }) => status !== 'rejected')
    .sort((a, b) => a.claimId - b.claimId);
  const text = list.map((one) => `${one.claimId} ${one.memberId} ${one.quantity}\n`).join('');
  assert.equal(drawn.listHash, createHash('sha256').update(text).digest('hex'));
  assert.equal(
    drawn.tickets,
    list.reduce((sum, one) => sum + one.quantity, 0),
  );
  const members = drawn.winners.map(({ memberId }: { memberId: string }) => memberId);
  assert.equal(new Set(members).size, 3);
  for (const { memberId, claimId } of drawn.winners) {
    assert.equal(list.find((one) => one.claimId === claimId)?.memberId, memberId);
  }
  assertProblem(await draw({ winners: 1 }), 'offer-drawn');
  assertProblem(await close(realm, claims[4].claimId, 'reject'), 'offer-drawn');
  await changeOffer(realm, 'raffle', { archived: false });
  assertProblem(await claim(realm, 'raffle', '1'), 'offer-drawn');
  const { drawSeq, status } = await read(realm, '/offers/raffle');
  assert.equal(status, 'closed');
  assert.deepEqual((await read(realm, `/events/${drawSeq}`)).data.winners, drawn.winners);
});

test('a draw of an offer that is closed meanwhile leaves no ticket out', async () => {
  const realm = await community(service, 'closing');
  await times(10, async (index) => {
    const id = `raffle-${index}`;
    await createOffer(realm, id, { delivery: 'manual' });
    await done(claim(realm, id, '1'));
    const body = { winners: 1 };
    const [drawn] = await Promise.all([
      realm.send('POST', `/offers/${id}/draw`, { body }),
      changeOffer(realm, id, { archived: true }),
    ]);
    if (drawn.status === 201) assert.equal(drawn.json.tickets, 1);
    else assert.match(drawn.json.code, /^(offer-open|draw-outdated)$/);
    const { drawSeq } = await read(realm, `/offers/${id}`);
    assert.equal(drawSeq === null, drawn.status !== 201);
  });
});

test('a draw without tickets, and one with a member who has been erased', async () => {
  const realm = await community(service, 'gone');
  for (const id of ['none', 'some']) await createOffer(realm, id, { delivery: 'manual' });
  const { claimId } = await done(claim(realm, 'some', '2', { reference: 'mine' }));
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true&erase=true');
  for (const id of ['none', 'some']) await changeOffer(realm, id, { archived: true });
  const draw = (id: string) =>
    done(realm.send('POST', `/offers/${id}/draw`, { body: { winners: 2, seed: 's' } }));
  const none = await draw('none');
  assert.deepEqual([none.winners, none.tickets], [[], 0]);
  const some = await draw('some');
  assert.deepEqual([some.winners, some.tickets], [[{ memberId: '2', claimId }], 1]);
  assert.equal((await verdict(realm)).ok, true);
});
