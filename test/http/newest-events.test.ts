import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults } from '../support/checks.ts';
import { add, changeMany, done, give, newKind, reverse } from '../support/points.ts';
import { keyIdOf } from '../support/requests.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** The journal from its end: newest first, of all types or of some, however rare they are. */
const service = await serviceForFile();
type Event = Reply['json'];

const read = async (realm: TestRealm, query: string) =>
  (await realm.expect(200, 'GET', `/events?${query}`)).json;

/** All pages from the end on. */
async function walk(realm: TestRealm, limit: number, types = ''): Promise<Event[]> {
  const seen: Event[] = [];
  for (let before = 999_999_999_999_999; before > 1; ) {
    const query = `before=${before}&limit=${limit}${types && `&types=${types}`}`;
    const { items, lastSeq } = await read(realm, query);
    assert.ok(lastSeq < before, 'every page goes on');
    seen.push(...items);
    before = lastSeq;
  }
  return seen;
}

const everything = async (realm: TestRealm): Promise<Event[]> =>
  (await read(realm, 'after=0&limit=500')).items;

test('pages from the end have every event once, of every selection of types', async () => {
  const realm = await service.realm('walk');
  await newKind(realm, 'gems');
  for (const id of ['1', '2', '3']) await realm.member(id, 10);
  await done(give(realm, '1', '2', 3));
  await done(add(realm, '2', 7, { realmPointId: 'gems' }));
  await done(add(realm, '2', -2, { realmPointId: 'gems' }));
  const all = (await everything(realm)).toReversed();
  for (const limit of [1, 4, 500]) assert.deepEqual(await walk(realm, limit), all);
  const selections = [
    ['points.added'],
    ['member.created', 'points.transferred'],
    ['points.added', 'points.subtracted', 'point.created', 'realm.created'],
    ['webhook.created'],
  ];
  for (const types of selections) {
    const wanted = all.filter(({ type }: Event) => types.includes(type));
    for (const limit of [1, 2, 500]) {
      assert.deepEqual(await walk(realm, limit, types.join(',')), wanted, `${types} by ${limit}`);
    }
  }
  assert.deepEqual(await read(realm, 'before=1'), { items: [], lastSeq: 1 });
  assertFaults(await realm.send('GET', '/events?before=0'), '/query/before');
  assertFaults(await realm.send('GET', '/events?before=5&after=1'), '/query/before');
});

test('one call finds what is rare, far back', async () => {
  const realm = await service.realm('rare');
  await realm.member('1');
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'active' } });
  await changeMany(
    realm,
    Array.from({ length: 3_000 }, () => ({ memberId: '1', tokens: 1 })),
  );
  const { items, lastSeq } = await read(realm, 'before=99999&types=member.frozen&limit=50');
  assert.deepEqual([items.map(({ type }: Event) => type), lastSeq], [['member.frozen'], 1]);
});

test('events say which settings changed, which key it was, and what was reversed', async () => {
  const realm = await service.realm('names');
  await realm.member('1', 0);
  const settings = { autoEnroll: true, siteUrl: 'https://acme.example/' };
  await realm.expect(200, 'PATCH', '', { body: { name: 'New', settings } });
  const key = keyIdOf(await realm.issueKey(['read'], { name: 'quest bot' }));
  const rotated = (await realm.expect(201, 'POST', `/keys/${key}/rotate`)).json.id;
  await realm.expect(204, 'DELETE', `/keys/${rotated}`);
  const of = { description: 'Game night prize' };
  const { transactionId } = await done(add(realm, '1', 585, of));
  const { transactionId: reversal } = (await reverse(realm, transactionId, { tokens: 85 })).json;
  const data = new Map((await everything(realm)).map((event: Event) => [event.type, event.data]));
  assert.deepEqual(data.get('realm.updated').changed, ['autoEnroll', 'siteUrl']);
  assert.equal(data.get('key.rotated').name, 'quest bot');
  assert.deepEqual(data.get('key.revoked'), { keyId: rotated, name: 'quest bot' });
  const original = { originalTokens: 585, originalDescription: 'Game night prize' };
  assert.deepEqual({ ...data.get('points.reversed'), ...original }, data.get('points.reversed'));
  const shown = (await realm.expect(200, 'GET', `/transactions/${reversal}`)).json;
  assert.deepEqual({ ...shown, ...original }, shown);
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true&erase=true');
  const left = await realm.expect(200, 'GET', `/events/${reversal}`);
  assert.doesNotMatch(left.text, /Game night/);
  assert.equal(left.json.data.originalTokens, 585);
});
