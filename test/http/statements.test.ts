import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  instant,
  newKind,
  reverse,
  times,
  walk,
} from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Statements of members and realms, single transactions and past balances. */
const service = await serviceForFile();
type Row = Reply['json'];

const rows = async (realm: TestRealm, path: string): Promise<Row[]> =>
  (await realm.expect(200, 'GET', path)).json.items;
const seqs = (items: Row[]) => items.map((row) => row.transactionId);

/** A realm with every type of movement, each at a different instant. */
async function realmWithHistory(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1');
  await realm.member('2');
  await newKind(realm, 'gems');
  const acts = [
    () => add(realm, '1', 100, { description: 'Quest' }),
    () => give(realm, '1', '2', 30),
    () => add(realm, '1', 5, { realmPointId: 'gems' }),
    () => add(realm, '1', -10),
    () => give(realm, '2', '1', 4),
  ];
  for (const act of acts) {
    await done(act());
    await instant(Date.now() + 2);
  }
  const { holdId } = await done(hold(realm, '1', 20, { description: 'Order' }));
  await done(capture(realm, holdId, { recipientId: 2 }));
  await instant(Date.now() + 2);
  const [{ transactionId }] = (await rows(realm, '/transactions?type=points.subtracted')) as [Row];
  await done(reverse(realm, transactionId, { tokens: 6 }));
  return realm;
}

test('newest first, with the balance after each, the counterparty and the reversal', async () => {
  const realm = await realmWithHistory('statement');
  const items = await rows(realm, '/members/1/transactions');
  const shown = items.map((row) => [
    row.type.replace('points.', ''),
    row.tokens,
    row.balance,
    row.counterpartyId,
    row.realmPointId,
    row.description,
    row.reversedTokens,
  ]);
  assert.deepEqual(shown, [
    ['reversed', 6, 50, null, 'points', null, 0],
    ['captured', -20, 44, '2', 'points', 'Order', 0],
    ['transferred', 4, 64, '2', 'points', null, 0],
    ['subtracted', -10, 60, null, 'points', null, 6],
    ['added', 5, 5, null, 'gems', null, 0],
    ['transferred', -30, 70, '2', 'points', null, 0],
    ['added', 100, 100, null, 'points', 'Quest', 0],
  ]);
  const [reversal, , , original] = items;
  assert.deepEqual(
    [reversal.reversalOf, original.reversedBy],
    [original.transactionId, reversal.transactionId],
  );
  assert.ok(items.every((row) => row.memberId === '1' && /^key:/.test(row.actor)));
  const theirs = await rows(realm, '/members/2/transactions');
  assert.deepEqual(
    theirs.map((row) => [row.tokens, row.balance, row.counterpartyId]),
    [
      [20, 46, '1'],
      [-4, 26, '1'],
      [30, 30, '1'],
    ],
  );
});

test('the realm’s transactions, each from its sender’s side, and a single one', async () => {
  const realm = await realmWithHistory('realm');
  const items = await rows(realm, '/transactions');
  assert.equal(items.length, 7);
  assert.deepEqual(
    seqs(items),
    seqs(items).toSorted((a, b) => b - a),
  );
  const [, captured, back] = items;
  assert.deepEqual([captured.memberId, captured.counterpartyId, captured.tokens], ['1', '2', -20]);
  assert.deepEqual([back.memberId, back.counterpartyId, back.balance], ['2', '1', 26]);
  for (const item of items) {
    const alone = await realm.expect(200, 'GET', `/transactions/${item.transactionId}`);
    assert.deepEqual(alone.json, item);
  }
  const other = await service.realm('empty');
  assert.deepEqual(await rows(other, '/transactions'), []);
  assertProblem(await other.send('GET', '/transactions/1'), 'transaction-not-found');
});

test('filters, alone and combined', async () => {
  const realm = await realmWithHistory('filters');
  for (const list of ['/members/1/transactions', '/transactions']) {
    const all = await rows(realm, list);
    const instants = [...new Set(all.map((row) => row.at))];
    const types = [undefined, 'points.added', 'points.transferred', 'points.reversed'];
    for (const type of types) {
      for (const realmPointId of [undefined, 'gems', 'points']) {
        for (const [from, to] of [
          [],
          instants,
          instants.toReversed(),
          [instants[2]],
          [undefined, instants[1]],
        ]) {
          const filters = Object.entries({ type, realmPointId, from, to });
          const query = filters.flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
          const expected = all.filter(
            (row) =>
              (!type || row.type === type) &&
              (!realmPointId || row.realmPointId === realmPointId) &&
              (!from || row.at >= from) &&
              (!to || row.at < to),
          );
          const path = `${list}?${query.join('&')}`;
          assert.deepEqual(await rows(realm, path), expected, path);
          assert.deepEqual(await walk(realm, `${path}&limit=1`), expected, path);
        }
      }
    }
  }
});

test('paging returns every row that existed at its start once, during writes', async () => {
  const realm = await service.realm('walks');
  await realm.member('1', 1_000);
  await realm.member('2', 1_000);
  await newKind(realm, 'gems');
  await times(40, (index) =>
    index % 4 === 0 ? add(realm, '1', 2, { realmPointId: 'gems' }) : give(realm, '1', '2', 1),
  );
  for (const list of [
    '/members/1/transactions',
    '/transactions',
    '/members/1/transactions?type=points.transferred',
  ]) {
    const start = seqs(await rows(realm, `${list}${list.includes('?') ? '&' : '?'}limit=500`));
    const limited = `${list}${list.includes('?') ? '&' : '?'}limit=7`;
    const walked = await walk(realm, limited, () =>
      times(6, (index) => give(realm, String(1 + (index % 2)), String(2 - (index % 2)), 1)),
    );
    assert.deepEqual(seqs(walked), start);
  }
});

test('a statement includes every earlier write', async () => {
  const realm = await service.realm('at-once');
  await realm.member('1');
  await times(30, async () => {
    const { transactionId, newBalance } = await done(add(realm, '1', 1));
    const items = await rows(realm, '/members/1/transactions?limit=500');
    const mine = items.find((row) => row.transactionId === transactionId);
    assert.deepEqual([mine?.balance, mine?.tokens], [newBalance, 1]);
    const { json } = await realm.expect(200, 'GET', '/members/1/balance');
    assert.ok(json.tokenBalance >= newBalance);
  });
  const items = await rows(realm, '/members/1/transactions');
  for (const [index, row] of items.entries()) assert.equal(row.balance, 30 - index);
});

test('the balances at any instant', async () => {
  const realm = await realmWithHistory('past');
  const at = async (id: string, time: string) =>
    (await realm.expect(200, 'GET', `/members/${id}/balance?at=${time}`)).json;
  const items = await rows(realm, '/members/1/transactions');
  for (const kind of ['points', 'gems']) {
    for (const row of items.filter((item) => item.realmPointId === kind)) {
      // A movement counts from its own instant on, not a millisecond earlier.
      assert.equal((await at('1', row.at)).balances[kind], row.balance);
      const before = new Date(Date.parse(row.at) - 1).toISOString();
      assert.equal((await at('1', before)).balances[kind], row.balance - row.tokens);
    }
  }
  const none = await at('1', '1970-01-01T00:00:00Z');
  assert.deepEqual(none, {
    memberId: '1',
    at: '1970-01-01T00:00:00.000Z',
    tokenBalance: 0,
    balances: { gems: 0, points: 0 },
  });
  const later = await at('1', '2999-12-31T23:59:59.999Z');
  assert.deepEqual(later.balances, { gems: 5, points: 50 });
  const now = (await realm.expect(200, 'GET', '/members/1/balance')).json;
  assert.deepEqual(now.balances, later.balances);
  assert.ok(Math.abs(Date.parse(now.at) - Date.now()) < 60_000);
  const zoned = await at('1', encodeURIComponent('2999-01-01T01:00:00.5+01:00'));
  assert.equal(zoned.at, '2999-01-01T00:00:00.500Z');
});

test('a removed member has no statement; one that returns has all of it', async () => {
  const realm = await realmWithHistory('gone');
  const before = await rows(realm, '/members/2/transactions');
  await realm.expect(204, 'DELETE', '/members/2?forfeit=true');
  for (const path of ['/members/2/transactions', '/members/2/balance']) {
    assertProblem(await realm.send('GET', path), 'member-not-found', { memberId: '2' });
  }
  assert.equal((await rows(realm, '/transactions')).length, 8, 'the realm’s history is kept');
  await realm.member('2');
  const [forfeit, ...rest] = await rows(realm, '/members/2/transactions');
  assert.deepEqual([forfeit.tokens, forfeit.balance], [-46, 0]);
  assert.deepEqual(rest, before);
});

test('invalid input', async () => {
  const realm = await realmWithHistory('invalid');
  const instants = ['', 'now', '2026', '2026-01-01', '2026-01-01T00:00:00', '1700000000000'];
  instants.push('2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-13-01T00:00:00Z', '%00');
  instants.push(
    '2026-01-01T00:00:00+01:00',
    '2026-01-01T00:00:00Z&at=x',
    '-000001-01-01T00:00:00Z',
  );
  // Instants whose year does not have four digits in UTC.
  instants.push('9999-12-31T23:59:59-01:00', encodeURIComponent('0000-01-01T00:00:00+01:00'));
  const lists = ['/members/1/transactions', '/transactions'];
  for (const text of instants) {
    assertFaults(await realm.send('GET', `/members/1/balance?at=${text}`), '/query/at');
    for (const list of lists) {
      for (const name of ['from', 'to']) {
        const query = `${name}=${text.replace('&at', `&${name}`)}`;
        assertFaults(await realm.send('GET', `${list}?${query}`), `/query/${name}`);
      }
    }
  }
  for (const list of lists) {
    const wrong = ['type=', 'type=added', 'type=member.created', 'type=points.held', 'limit=0'];
    wrong.push('realmPointId=-', 'realmPointId=Gems', 'type=points.added&type=points.added');
    for (const query of wrong) {
      assertFaults(await realm.send('GET', `${list}?${query}`), `/query/${query.split('=')[0]}`);
    }
    const unknown = await realm.send('GET', `${list}?realmPointId=none`);
    assertProblem(unknown, 'realm-point-not-found', { realmPointId: 'none' });
    const { nextCursor } = (await realm.expect(200, 'GET', `${list}?limit=1&type=points.added`))
      .json;
    const clash = [
      `type=points.captured&cursor=${nextCursor}`,
      `realmPointId=gems&cursor=${nextCursor}`,
    ];
    clash.push('cursor=garbage', `cursor=${nextCursor}x&from=2020-01-01T00:00:00Z`);
    for (const query of clash) {
      assertFaults(await realm.send('GET', `${list}?${query}`), '/query/cursor');
    }
    const name =
      list === '/transactions' ? 'listTransactions invalid' : 'memberTransactions invalid 1';
    const forge = (after: unknown, filters: object) =>
      Buffer.from(JSON.stringify([name, after, filters])).toString('base64url');
    for (const after of ['0', '-1', '1e3', 'x', 5, '9'.repeat(16)]) {
      assertFaults(await realm.send('GET', `${list}?cursor=${forge(after, {})}`), '/query/cursor');
    }
    for (const filters of [{ from: 'garbage' }, { to: '' }, { type: 'x' }, { realmPointId: "'" }]) {
      const cursor = forge('99', filters);
      assertFaults(await realm.send('GET', `${list}?cursor=${cursor}`), '/query/cursor');
    }
  }
});
