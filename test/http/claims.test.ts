import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, changesNothing } from '../support/checks.ts';
import { balances, claim, close, community, createOffer, read } from '../support/offers.ts';
import { add, done, verdict, walk } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Claims: what they move, their delivery, and their lists. */
const service = await serviceForFile();

test('a claim moves several kinds of points in one record, which all lists show', async () => {
  const realm = await community(service, 'kinds');
  const terms = { gives: { gems: 3, points: 5 }, costs: { points: 20 }, perMember: null };
  await createOffer(realm, 'box', terms);
  const sent = { quantity: 2, reference: 'order-7', metadata: { size: 'L' } };
  const headers = { 'idempotency-key': 'box-1', 'x-realmkeep-on-behalf-of': 'discord:7' };
  const reply = await claim(realm, 'box', '1', sent, headers);
  const one = await done(Promise.resolve(reply));
  const { claimId, at: _, actor: __, ...rest } = one;
  assert.deepEqual(rest, {
    offerId: 'box',
    memberId: '1',
    quantity: 2,
    status: 'done',
    gave: { gems: 6, points: 10 },
    cost: { points: 40 },
    balances: { points: 70, gems: 6 },
    period: null,
    streak: null,
    onBehalfOf: 'discord:7',
    reference: 'order-7',
    metadata: { size: 'L' },
  });
  assert.deepEqual(await read(realm, `/claims/${claimId}`), one);
  const again = await claim(realm, 'box', '1', sent, headers);
  assert.deepEqual([again.status, again.json], [201, one]);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  await checkLists(realm, claimId);
});

/** Each kind of points has its row, and no page parts them. */
async function checkLists(realm: TestRealm, claimId: number): Promise<void> {
  const sides = [
    ['points', -30, 70],
    ['gems', 6, 6],
  ];
  const paths = ['/members/1/transactions', '/transactions', '/transactions?reference=order-7'];
  for (const path of [...paths, '/transactions?idempotencyKey=box-1']) {
    for (const limit of [1, 2, 500]) {
      const page = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
      const rows = (await walk(realm, page)).filter((row) => row.transactionId === claimId);
      assert.deepEqual(
        rows.map((row) => [row.realmPointId, row.tokens, row.balance]),
        sides,
        `${path} by ${limit}`,
      );
      assert.ok(rows.every((row) => row.description === 'The box' && row.metadata.size === 'L'));
      assert.ok(rows.every((row) => row.type === 'offer.claimed'));
    }
  }
  const ofGems = await walk(realm, '/members/1/transactions?realmPointId=gems');
  assert.deepEqual(
    ofGems.map(({ tokens }) => tokens),
    [6],
  );
  const exported = await read(realm, '/export_logs?users=1&types=offer.claimed&limit=1');
  assert.deepEqual(
    exported.map((row: Reply['json']) => [row.realm_point_id, row.tokens]),
    sides.map((side) => side.slice(0, 2)),
  );
  // Points given are earned, those spent are not.
  const earned = async (kind: string) =>
    (await read(realm, `/leaderboard/1?window=day&realmPointId=${kind}`)).earned;
  assert.deepEqual(await Promise.all(['gems', 'points'].map(earned)), [6, 110]);
  const { days } = await read(realm, '/activity?days=1');
  assert.deepEqual([days[0].issued, days[0].spent], [110, 40]);
  assertProblem(await realm.send('POST', `/transactions/${claimId}/reversal`), 'not-reversible');
  assert.equal((await verdict(realm)).ok, true);
}

test('manual delivery: delivered once, or rejected with points, stock and count', async () => {
  const realm = await community(service, 'manual');
  const perMember = { times: 1, period: 'ever' };
  const terms = { costs: { points: 60 }, gives: { gems: 2 }, stock: 1, delivery: 'manual' };
  await createOffer(realm, 'role', { ...terms, perMember });
  const one = await done(claim(realm, 'role', '1', { reference: 'r-1' }));
  assert.equal(one.status, 'pending');
  assertProblem(await claim(realm, 'role', '2'), 'offer-sold-out', { stockLeft: 0 });
  const rejected = await done(close(realm, one.claimId, 'reject'));
  assert.deepEqual(rejected, { ...one, status: 'rejected' });
  assert.deepEqual(await balances(realm, '1'), { points: 100, gems: 0 });
  for (const verb of ['deliver', 'reject'] as const) {
    assertProblem(await close(realm, one.claimId, verb), 'claim-closed', {
      claimId: one.claimId,
      claimStatus: 'rejected',
    });
  }
  const earned = await read(realm, '/leaderboard/1?window=all&realmPointId=gems');
  assert.equal(earned.earned ?? 0, 0);
  const found = await walk(realm, '/transactions?reference=r-1');
  assert.deepEqual(
    found.map((row) => [row.type, row.realmPointId, row.tokens]),
    [
      ['claim.rejected', 'points', 60],
      ['claim.rejected', 'gems', -2],
      ['offer.claimed', 'points', -60],
      ['offer.claimed', 'gems', 2],
    ],
  );
  const two = await done(claim(realm, 'role', '1'));
  await done(add(realm, '1', -2, { realmPointId: 'gems' }));
  const reject = () => close(realm, two.claimId, 'reject');
  assertProblem(await changesNothing(realm, reject), 'insufficient-points', { balance: 0 });
  await done(realm.send('PATCH', '/members/1', { body: { status: 'frozen' } }));
  assertProblem(await reject(), 'member-frozen');
  assert.equal((await done(close(realm, two.claimId, 'deliver'))).status, 'done');
  const types = (await walk(realm, '/claims?status=done')).map(({ claimId }) => claimId);
  assert.deepEqual(types, [two.claimId]);
  assert.equal((await verdict(realm)).ok, true);
});

test('who has left gets no points back, but what was promised can be delivered', async () => {
  const realm = await community(service, 'left');
  await createOffer(realm, 'quest', { delivery: 'manual' });
  const [one, other] = [
    await done(claim(realm, 'quest', '2')),
    await done(claim(realm, 'quest', '2')),
  ];
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true&erase=true');
  assertProblem(await close(realm, one.claimId, 'reject'), 'member-not-found', {
    message: `Member 2 was erased: claim ${one.claimId} cannot be rejected.`,
  });
  assert.equal((await done(close(realm, other.claimId, 'deliver'))).status, 'done');
  assertProblem(await realm.send('GET', '/members/2/claims'), 'member-not-found');
});

test('lists of claims, by every filter and page by page', async () => {
  const realm = await community(service, 'lists');
  for (const id of ['a', 'b']) await createOffer(realm, id, { delivery: 'manual' });
  const ids: number[] = [];
  for (const [offer, member] of ['a1', 'b1', 'a2', 'b2', 'a1'].map((one) => [...one])) {
    ids.push((await done(claim(realm, offer ?? '', member ?? ''))).claimId);
  }
  await done(close(realm, ids[0] ?? 0, 'deliver'));
  await done(close(realm, ids[1] ?? 0, 'reject'));
  const found = async (path: string) =>
    (await walk(realm, `${path}${path.includes('?') ? '&' : '?'}limit=1`)).map(({ claimId }) =>
      ids.indexOf(claimId),
    );
  assert.deepEqual(await found('/claims'), [4, 3, 2, 1, 0]);
  assert.deepEqual(await found('/claims?status=pending'), [4, 3, 2]);
  assert.deepEqual(await found('/claims?status=done'), [0]);
  assert.deepEqual(await found('/claims?status=rejected&offerId=b'), [1]);
  assert.deepEqual(await found('/claims?offerId=a&memberId=1'), [4, 0]);
  assert.deepEqual(await found('/members/2/claims?offerId=b'), [3]);
  const types = '/events?types=offer.claimed,claim.rejected&before=9999';
  assert.equal((await read(realm, types)).items.length, 6);
});

test('what a claim says of a person is erased with it', async () => {
  const realm = await community(service, 'erased');
  await createOffer(realm, 'hat', { costs: { points: 1 } });
  const sent = { reference: 'order-7', metadata: { size: 'secret' } };
  const { claimId } = await done(claim(realm, 'hat', '1', sent));
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true&erase=true');
  const { erased, reference, metadata, cost } = await read(realm, `/claims/${claimId}`);
  assert.deepEqual(
    [erased, reference, metadata, cost],
    [true, undefined, undefined, { points: 1 }],
  );
  assert.equal((await verdict(realm)).ok, true);
});
