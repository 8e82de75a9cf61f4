import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  newKind,
  reverse,
  verdict,
  walk,
} from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** What movements say besides their description, and how they are found by it. */
const service = await serviceForFile();

const ORDER = { reference: 'order-7', metadata: { item: 'hat', size: 4.5, gift: false } };
const MANAGER = { 'x-realmkeep-on-behalf-of': 'discord:80351110224678912' };

/** A realm with the members 1 (100 points) and 2 (none). */
async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 100);
  await realm.member('2');
  return realm;
}

const batch = (realm: TestRealm, entries: object[], more: object = {}) =>
  realm.send('PATCH', '/members/tokenBalance', { body: { entries, ...more } });
const read = async (realm: TestRealm, path: string) => (await realm.expect(200, 'GET', path)).json;
const idsAt = async (realm: TestRealm, path: string): Promise<number[]> =>
  (await walk(realm, path)).map(({ transactionId }) => transactionId);

/** Every call that takes a reference and metadata; each returns the number of its movement. */
const movements: Record<string, (realm: TestRealm) => Promise<number>> = {
  'a credit': async (realm) => (await done(add(realm, '1', 5, ORDER))).transactionId,
  'a debit': async (realm) => (await done(add(realm, '1', -5, ORDER))).transactionId,
  'a transfer': async (realm) => (await done(give(realm, '1', '2', 5, ORDER))).transactionId,
  'an entry': async (realm) =>
    (await done(batch(realm, [{ memberId: 1, tokens: 5, ...ORDER }]))).results[0].transactionId,
  'a reversal': async (realm) => {
    const { transactionId } = await done(add(realm, '1', 5));
    return (await done(reverse(realm, transactionId, ORDER))).transactionId;
  },
  'a capture': async (realm) => {
    const { holdId } = await done(hold(realm, '1', 5));
    return (await done(capture(realm, holdId, ORDER))).transactionId;
  },
  'a capture of a hold that says it': async (realm) => {
    const { holdId } = await done(hold(realm, '1', 5, ORDER));
    const { reference, metadata } = await read(realm, `/holds/${holdId}`);
    assert.deepEqual({ reference, metadata }, ORDER);
    return (await done(capture(realm, holdId))).transactionId;
  },
};

for (const [index, [name, move]] of Object.entries(movements).entries()) {
  test(`${name} has its reference and metadata wherever it is shown, and is found`, async () => {
    const realm = await pair(`said-${index}`);
    const seq = await move(realm);
    const said = ({ reference, metadata }: Reply['json']) => ({ reference, metadata });
    assert.deepEqual(said(await read(realm, `/transactions/${seq}`)), ORDER);
    assert.deepEqual(said((await read(realm, `/events/${seq}`)).data), ORDER);
    for (const list of ['/transactions', '/members/1/transactions']) {
      assert.deepEqual(await idsAt(realm, `${list}?reference=order-7`), [seq], list);
      assert.deepEqual(await idsAt(realm, `${list}?reference=order-8`), [], list);
      assert.deepEqual(said((await walk(realm, list))[0]), ORDER);
    }
    assert.equal((await verdict(realm)).ok, true);
  });
}

test('many movements share a reference, in the realm and of a member, by pages', async () => {
  const realm = await pair('shared');
  await newKind(realm, 'gems');
  const [own, given]: number[][] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    const gems = { ...ORDER, realmPointId: 'gems' };
    own?.unshift((await done(add(realm, '1', 1, gems))).transactionId);
    await done(add(realm, '1', 1));
    const { transactionId } = await done(give(realm, '1', '2', 1, ORDER));
    own?.unshift(transactionId);
    given?.unshift(transactionId);
  }
  const query = `reference=${ORDER.reference}&limit=2`;
  assert.deepEqual(await idsAt(realm, `/transactions?${query}`), own);
  assert.deepEqual(await idsAt(realm, `/members/1/transactions?${query}`), own);
  assert.deepEqual(await idsAt(realm, `/members/2/transactions?${query}`), given);
  const { at } = await read(realm, `/transactions/${own?.[0]}`);
  assert.deepEqual(await idsAt(realm, `/transactions?${query}&to=2020-01-01T00:00:00Z`), []);
  assert.ok((await idsAt(realm, `/transactions?${query}&from=${at}`)).length > 0);
});

test('what a key did is found by it, before and after it was repeated', async () => {
  const realm = await pair('keys');
  const send = (key: string, path: string, body: object) =>
    realm.send('PATCH', path, { body, headers: { 'idempotency-key': key } });
  const entries = [
    { memberId: 1, tokens: 5 },
    { memberId: 1, recipientId: 2, tokens: 3 },
    { memberId: 2, tokens: -1 },
  ];
  const first = await done(send('payday', '/members/tokenBalance', { entries }));
  await done(add(realm, '1', 1));
  const ids = first.results.map(({ transactionId }: Reply['json']) => transactionId).toReversed();
  assert.deepEqual(await idsAt(realm, '/transactions?idempotencyKey=payday&limit=2'), ids);
  await done(send('payday', '/members/tokenBalance', { entries }));
  assert.deepEqual(await idsAt(realm, '/transactions?idempotencyKey=payday'), ids);
  const { transactionId } = await done(
    send('thanks', '/members/1/transfer', { recipientId: 2, tokens: 1 }),
  );
  assert.deepEqual(await idsAt(realm, '/transactions?idempotencyKey=thanks'), [transactionId]);
  await send('too-much', '/members/2/tokenBalance', { tokens: -1_000 });
  await realm.send('PATCH', '/members/1', {
    body: { displayName: 'Alice' },
    headers: { 'idempotency-key': 'name' },
  });
  for (const key of ['too-much', 'name', 'unknown']) {
    assert.deepEqual(await idsAt(realm, `/transactions?idempotencyKey=${key}`), [], key);
  }
});

test('upTo takes what can be spent: not what is held, nor below the floor', async () => {
  const realm = await pair('up-to');
  await newKind(realm, 'karma', { minimumBalance: -10 });
  await done(hold(realm, '1', 60));
  const upTo = { upTo: true };
  const some = await done(add(realm, '1', -30, upTo));
  assert.deepEqual([some.tokens, some.newBalance], [30, 70]);
  const key = { headers: { 'idempotency-key': 'all' }, body: { tokens: -50, ...upTo } };
  const all = await realm.send('PATCH', '/members/1/tokenBalance', key);
  assert.deepEqual([all.json.tokens, all.json.newBalance], [10, 60]);
  const again = await realm.send('PATCH', '/members/1/tokenBalance', key);
  assert.equal(again.text, all.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  for (const call of [
    () => add(realm, '1', -50, upTo),
    () => give(realm, '1', '2', 50, upTo),
    () => batch(realm, [{ memberId: 1, recipientId: 2, tokens: 9, ...upTo }]),
  ]) {
    const requested = { memberId: '1', balance: 60, held: 60, requested: 1 };
    await changesNothing(realm, async () =>
      assertProblem(await call(), 'insufficient-points', requested),
    );
  }
  const debt = await done(add(realm, '2', -50, { ...upTo, realmPointId: 'karma' }));
  assert.deepEqual([debt.tokens, debt.newBalance], [10, -10]);
  await done(add(realm, '1', 4));
  const gift = await done(give(realm, '1', '2', 50, upTo));
  assert.deepEqual([gift.tokens, gift.senderBalance, gift.recipientBalance], [4, 60, 4]);
  assert.equal('tokens' in (await done(add(realm, '2', -1, { upTo: false }))), false);
});

test('a batch mixes credits, debits and transfers, all or none', async () => {
  const realm = await pair('mixed');
  const entries = [
    { memberId: 2, tokens: 7 },
    { memberId: 1, recipientId: 2, tokens: 30, description: 'rent' },
    { memberId: 2, tokens: -100, upTo: true },
  ];
  const { results } = await done(batch(realm, entries));
  const ids = results.map(({ transactionId }: Reply['json']) => transactionId);
  assert.deepEqual(results, [
    { memberId: '2', newBalance: 7, transactionId: ids[0] },
    {
      memberId: '1',
      transactionId: ids[1],
      tokens: 30,
      recipientId: '2',
      senderBalance: 70,
      recipientBalance: 37,
    },
    { memberId: '2', newBalance: 0, transactionId: ids[2], tokens: 37 },
  ]);
  const refused = [...entries, { memberId: 1, recipientId: 3, tokens: 1 }];
  await changesNothing(realm, async () => {
    const reply = await batch(realm, refused);
    assertProblem(reply, 'recipient-not-found', { recipientId: '3' });
    assert.equal(reply.json.errors[0].pointer, '/entries/3');
  });
  const each = await done(batch(realm, refused.slice(1), { atomic: false }));
  assert.equal(each.results[2].problem.code, 'recipient-not-found');
  assert.equal(each.results[0].recipientBalance, 30);
});

test('for whom a change was made stands beside the actor, in every record of it', async () => {
  const realm = await pair('behalf');
  const onBehalfOf = MANAGER['x-realmkeep-on-behalf-of'];
  const by = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    realm.send(method, path, { headers: MANAGER, ...(body && { body }) });
  const { transactionId } = await done(by('PATCH', '/members/1/tokenBalance', { tokens: 1 }));
  await done(by('POST', '/points', { id: 'gems', name: 'Gems' }));
  await done(by('DELETE', '/members/2'));
  const { items } = await read(realm, '/events?limit=500');
  const after = items.filter(({ seq }: Reply['json']) => seq >= transactionId);
  assert.deepEqual(
    after.map((event: Reply['json']) => [event.type, event.onBehalfOf]),
    ['points.added', 'point.created', 'member.removed'].map((type) => [type, onBehalfOf]),
  );
  for (const { data } of after) assert.equal('onBehalfOf' in data, false);
  assert.equal((await read(realm, `/transactions/${transactionId}`)).onBehalfOf, onBehalfOf);
  assert.deepEqual((await verdict(realm)).fault, undefined);
});

const LONG = 'x'.repeat(129);
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

const faults: [body: object, ...pointers: string[]][] = [
  [{ tokens: 1, metadata: { a: 2 ** 53 } }, '/metadata', '/metadata/a'],
  [{ tokens: 1, upTo: true }, '/upTo'],
  [{ tokens: -1, upTo: 'yes' }, '/upTo'],
  ...['', 'a b', 'ü', LONG, 7, null].map((reference): [object, string] => [
    { tokens: 1, reference },
    '/reference',
  ]),
  ...[null, [], 'x', fields(21), { '': 1 }, { [LONG]: 1 }].map((metadata): [object, string] => [
    { tokens: 1, metadata },
    '/metadata',
  ]),
  [{ tokens: 1, metadata: { a: null } }, '/metadata/a'],
  [{ tokens: 1, metadata: { a: { b: 1 } } }, '/metadata/a'],
  [{ tokens: 1, metadata: { a: 'x'.repeat(501) } }, '/metadata/a'],
  [
    { tokens: 1, metadata: Object.fromEntries('abcde'.split('').map((k) => [k, 'x'.repeat(450)])) },
    '/metadata',
  ],
];

test('what is off is refused with its place', async () => {
  const realm = await pair('faults');
  for (const [body, ...pointers] of faults) {
    assertFaults(await realm.send('PATCH', '/members/1/tokenBalance', { body }), ...pointers);
  }
  const entries: [object, string][] = [
    [{ memberId: 1, tokens: 5, upTo: true }, '/entries/0/upTo'],
    [{ memberId: 1, recipientId: 2, tokens: 0 }, '/entries/0/tokens'],
    [{ memberId: 1, recipientId: 2, tokens: -5 }, '/entries/0/tokens'],
    [{ memberId: 1, recipientId: 'bob', tokens: 5 }, '/entries/0/recipientId'],
  ];
  for (const [entry, pointer] of entries) {
    assertFaults(await batch(realm, [entry], { skipZero: true }), pointer);
  }
  for (const whom of ['', 'a b', LONG]) {
    const headers = { 'x-realmkeep-on-behalf-of': whom };
    const reply = await realm.send('PATCH', '/members/1/tokenBalance', {
      body: { tokens: 1 },
      headers,
    });
    assertFaults(reply, '/header/x-realmkeep-on-behalf-of');
  }
  const queries: [string, ...string[]][] = [
    ['reference=a&type=points.added&realmPointId=points', '/query/realmPointId', '/query/type'],
    ['idempotencyKey=a&reference=b', '/query/reference'],
    ['idempotencyKey=a&from=2026-01-01T00:00:00Z', '/query/from'],
    ['reference=', '/query/reference'],
    ['idempotencyKey=', '/query/idempotencyKey'],
  ];
  for (const [query, ...pointers] of queries) {
    assertFaults(await realm.send('GET', `/transactions?${query}`), ...pointers);
  }
});
