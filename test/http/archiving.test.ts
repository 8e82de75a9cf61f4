import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrite } from '../../src/contract/operation.ts';
import type { RefusalCode } from '../../src/domain/refusal.ts';
import { assertProblem } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  instant,
  newKind,
  release,
  reverse,
  times,
  verdict,
} from '../support/points.ts';
import { type Refusing, testRefusals } from '../support/refusing.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, TestRealm, TestService } from '../support/service.ts';

/** Realms and kinds of points that are archived. */
const service = await serviceForFile();
const root = { key: ROOT_KEY };

const archive = (realm: TestRealm) => realm.expect(200, 'POST', '/archive', root);

test('an archived realm can be read, and refuses every change until it is unarchived', async () => {
  const prepared = await prepare(service, 'archived');
  const { realm } = prepared;
  assert.equal((await realm.expect(200, 'GET', '')).json.archivedAt, null);
  const { json } = await archive(realm);
  assert.equal(json.archivedAt, json.updatedAt);
  assert.deepEqual((await realm.expect(200, 'GET', '')).json, json);
  const last = async () => (await realm.expect(200, 'GET', '/events?after=0&limit=500')).json.items;
  const before = await last();
  for (const [id, operation] of table) {
    if (!operation.path.includes('{realmID}') || operation.inArchived) continue;
    const reply = await sendGood(id, prepared, { key: realm.key });
    if (isWrite(operation)) assertProblem(reply, 'realm-archived', { realmId: realm.id });
    else assert.equal(reply.status, operation.answer.status, `${id}: ${reply.text}`);
  }
  assert.deepEqual((await archive(realm)).json, json, 'archiving it again changes nothing');
  const events = await last();
  assert.deepEqual(events, before);
  assert.equal(events.at(-1).type, 'realm.archived');
  assert.deepEqual([events.at(-1).data, events.at(-1).actor], [{}, 'root']);
  const open = (await realm.expect(200, 'POST', '/unarchive', root)).json;
  assert.equal(open.archivedAt, null);
  await realm.expect(200, 'POST', '/unarchive', root);
  assert.deepEqual(
    (await last()).slice(events.length).map(({ type }: { type: string }) => type),
    ['realm.unarchived'],
  );
  await done(add(realm, '42', 5));
  assert.equal((await verdict(realm)).ok, true);
});

test('a key of an archived realm can be revoked', async () => {
  const realm = await service.realm('leaked');
  const { json } = await realm.expect(201, 'POST', '/keys', {
    body: { name: 'leaked', scopes: ['read'] },
  });
  await archive(realm);
  await realm.expect(204, 'DELETE', `/keys/${json.id}`);
  assertProblem(await realm.send('GET', '', { key: json.key }), 'unauthorized');
});

test('of changes beside an archiving, those after it are refused', async () => {
  const realm = await service.realm('archiving');
  await realm.member('1');
  const [changes] = await Promise.all([times(200, () => add(realm, '1', 1)), archive(realm)]);
  const executed = changes.filter(({ status }) => status === 200).length;
  for (const reply of changes) if (reply.status !== 200) assertProblem(reply, 'realm-archived');
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  assert.equal(items.at(-1).type, 'realm.archived');
  assert.equal(await realm.balance('1'), executed);
});

test('another node refuses changes at once, and answers what was answered before', async () => {
  const other = await TestService.start({}, {}, service.database);
  try {
    const realm = await service.realm('two-nodes');
    await realm.member('1', 10);
    const there = new TestRealm(other, realm.id);
    there.key = realm.key;
    const first = { body: { tokens: 1 }, headers: { 'idempotency-key': 'first' } };
    // The other node knows the realm well by now, and decides by what it has cached.
    for (let n = 0; n < 20; n++) await done(add(there, '1', 1));
    const answer = await there.expect(200, 'PATCH', '/members/1/tokenBalance', first);
    await archive(realm);
    assertProblem(await add(there, '1', 1), 'realm-archived');
    const again = await there.expect(200, 'PATCH', '/members/1/tokenBalance', first);
    assert.equal(again.text, answer.text);
    await realm.expect(200, 'POST', '/unarchive', root);
    await done(add(there, '1', 1));
    assert.equal(await realm.balance('1'), 32);
  } finally {
    await other.stop();
  }
});

test('a hold expires in an archived realm, and that is recorded', async () => {
  const realm = await service.realm('archived-hold');
  await realm.member('1', 10);
  const { holdId, expiresAt } = await done(hold(realm, '1', 4, { expiresInSeconds: 1 }));
  await archive(realm);
  await instant(Date.parse(expiresAt));
  assert.equal((await realm.expect(200, 'GET', `/holds/${holdId}`)).json.status, 'expired');
  const isRecorded = async () =>
    (await realm.expect(200, 'GET', '/events')).json.items.at(-1).type === 'points.released';
  while (!(await isRecorded())) await instant(Date.now() + 50);
});

test('points of an archived kind can be read and released, but not moved', async () => {
  const realm = await service.realm('archived-kind');
  await newKind(realm, 'gems');
  await realm.member('1', 10);
  await done(add(realm, '1', 5, { realmPointId: 'gems' }));
  const { holdId } = await done(hold(realm, '1', 2, { realmPointId: 'gems' }));
  const patch = (body: object) => realm.expect(200, 'PATCH', '/points/gems', { body });
  assert.equal((await patch({ archived: true })).json.archived, true);
  assert.equal((await patch({ archived: true, name: 'Old gems' })).json.name, 'Old gems');
  const member = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.deepEqual(member.balances, { gems: 5, points: 10 });
  assertProblem(await add(realm, '1', -99, { realmPointId: 'gems' }), 'realm-point-archived');
  assert.equal((await done(release(realm, holdId))).status, 'released');
  const entries = { entries: [{ memberId: '1', tokens: 1, realmPointId: 'gems' }] };
  const batch = await realm.send('PATCH', '/members/tokenBalance', { body: entries });
  assertProblem(batch, 'realm-point-archived');
  const board = (await realm.expect(200, 'GET', '/leaderboard?realmPointId=gems')).json;
  assert.equal(board.members[0].balance, 5);
  assert.equal((await verdict(realm)).ok, true);
  await patch({ archived: false });
  await done(add(realm, '1', -5, { realmPointId: 'gems' }));
});

test('a member with points of an archived kind can still be removed', async () => {
  const realm = await service.realm('archived-forfeit');
  await newKind(realm, 'gems');
  await realm.member('1');
  await done(add(realm, '1', 5, { realmPointId: 'gems' }));
  await realm.expect(200, 'PATCH', '/points/gems', { body: { archived: true } });
  assertProblem(await realm.send('DELETE', '/members/1'), 'balance-not-zero');
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  assert.equal((await verdict(realm)).ok, true);
});

let [added, held] = [0, 0];
const inGems = { realmPointId: 'gems' };

/** An archived kind, of which member 1 has points, some of them on hold. */
async function archivedGems(realm: TestRealm): Promise<void> {
  await newKind(realm, 'gems');
  added = (await done(add(realm, '1', 30, inGems))).transactionId;
  held = (await done(hold(realm, '1', 10, inGems))).holdId;
  await realm.expect(200, 'PATCH', '/points/gems', { body: { archived: true } });
}

const ofArchivedGems = (ask: Refusing['ask']): Refusing => ({
  given: archivedGems,
  ask,
  extra: inGems,
});

const refusals: Partial<Record<RefusalCode, Refusing[]>> = {
  'default-archived': [
    {
      ask: (realm) =>
        realm.send('PATCH', '/points/points', { body: { archived: true, name: 'x' } }),
      extra: { realmPointId: 'points' },
    },
    ofArchivedGems((realm) => realm.send('PATCH', '/points/gems', { body: { isDefault: true } })),
  ],
  'realm-point-archived': [
    ofArchivedGems((realm) => add(realm, '1', 5, inGems)),
    ofArchivedGems((realm) => add(realm, '1', -999, inGems)),
    ofArchivedGems((realm) => give(realm, '1', '2', 5, inGems)),
    ofArchivedGems((realm) => hold(realm, '1', 5, inGems)),
    ofArchivedGems((realm) => capture(realm, held)),
    ofArchivedGems((realm) => reverse(realm, added)),
  ],
};

testRefusals(service, refusals);
