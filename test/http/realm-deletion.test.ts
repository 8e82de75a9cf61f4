import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrite } from '../../src/contract/operation.ts';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { add, counters, done, times, verdict } from '../support/points.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { rowCounts } from '../support/rows.ts';
import { ROOT_KEY, serviceForFile, TestRealm, TestService } from '../support/service.ts';

/** Deleting a realm with all that is stored of it, and using its id again. */
const service = await serviceForFile();

const remove = ({ id }: { id: string }, at = service) =>
  at.send('DELETE', `/api/v4/realms/${id}?confirm=${id}`);

const create = (id: string, headers: Record<string, string> = {}) =>
  service.send('POST', '/api/v4/realms', { body: { id, name: id }, headers });

const realmIds = async () =>
  (await service.expect(200, 'GET', '/api/v4/realms?limit=500')).json.items.map(
    (realm: { id: string }) => realm.id,
  );

const recordsOf = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/events')).json.items.map(
    ({ seq, type }: { seq: number; type: string }) => `${seq} ${type}`,
  );

/** Waits until the realm is deleted, though not yet removed. */
async function hidden({ id }: TestRealm): Promise<void> {
  while ((await service.send('GET', `/api/v4/realms/${id}`)).status === 200);
}

test('a deletion has to be confirmed with the id of the realm', async () => {
  const realm = await service.realm('careful');
  const path = '/api/v4/realms/careful';
  for (const query of ['', '?confirm=', '?confirm=Careful', '?confirm=yes', '?force=careful']) {
    assertFaults(await service.send('DELETE', path + query), '/query/confirm');
  }
  assertProblem(await realm.send('DELETE', '?confirm=careful'), 'insufficient-scope');
  await realm.expect(200, 'GET', '');
  assertProblem(await remove({ id: 'nowhere' }), 'realm-not-found');
});

test('nothing is left of a deleted realm, and nothing else changes', async () => {
  const own = await TestService.start();
  try {
    const other = await prepare(own, 'other');
    const reads = ['/members/42', '/leaderboard', '/members/42/transactions', '/members?search=a'];
    const otherReads = async () => {
      const replies = reads.map((path) => other.realm.expect(200, 'GET', path));
      return (await Promise.all(replies)).map(({ json: { asOf: _, ...rest } }) => rest);
    };
    // Owners belong to no realm, nor do their sessions.
    const rowsOfRealms = async () => {
      const { owners: _, sessions: __, passkeys: ___, ...rest } = await rowCounts(own.database);
      return rest;
    };
    const before = [await otherReads(), await rowsOfRealms()];
    const { realm } = await prepare(own, 'gone');
    const address = { address: '0x52908400098527886E0F7030069857D2E4169EE7' };
    await realm.expect(201, 'POST', '/members/42/wallets/challenge', { body: address });
    const { transactionId } = await done(add(realm, '42', 5));
    await realm.expect(201, 'POST', `/transactions/${transactionId}/reversal`, {
      body: {},
      headers: { 'idempotency-key': 'k' },
    });
    for (const path of reads) await realm.expect(200, 'GET', path);
    const reply = await remove(realm, own);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.deepEqual([await otherReads(), await rowsOfRealms()], before);
    assert.equal((await verdict(other.realm)).ok, true);
    assertProblem(await realm.send('GET', '/members/42'), 'unauthorized');
    await remove(other.realm, own);
    assert.deepEqual(await rowsOfRealms(), {});
  } finally {
    await own.stop();
  }
  assert.deepEqual(own.errors(), []);
});

test('a realm is gone at once, on every node, before its rows are', async () => {
  const other = await TestService.start({}, {}, service.database);
  try {
    const prepared = await prepare(service, 'at-once');
    const { realm } = prepared;
    const there = { ...prepared, realm: new TestRealm(other, realm.id) };
    there.realm.key = realm.key;
    // The other node has the key and the realm in its caches.
    for (let n = 0; n < 20; n++) await done(add(there.realm, '42', 1));
    const removed = remove(realm);
    await hidden(realm);
    assertProblem(await create(realm.id), 'realm-being-deleted', { realmId: realm.id });
    const rows = await service.database.rows(
      "SELECT 1 FROM journal WHERE realm_id = 'at-once' LIMIT 1",
    );
    assert.equal(rows.length, 1, 'its rows are still there');
    for (const [id, operation] of table) {
      if (!operation.path.includes('{realmID}')) continue;
      for (const where of [prepared, there]) {
        assertProblem(await sendGood(id, where), 'realm-not-found', { realmId: realm.id });
      }
      if (operation.scope === 'root') continue;
      assertProblem(await sendGood(id, prepared, { key: realm.key }), 'unauthorized');
      // Its keys are known there for a moment longer, but change nothing any more.
      const reply = await sendGood(id, there, { key: realm.key });
      if (!isWrite(operation)) continue;
      assert.match(reply.json?.code, /^(unauthorized|realm-not-found)$/, `${id}: ${reply.text}`);
    }
    assert.ok(!(await realmIds()).includes(realm.id));
    assert.equal((await removed).status, 204);
    assertProblem(await there.realm.send('GET', '/members/42'), 'unauthorized');
  } finally {
    await other.stop();
  }
});

test('a new realm of the same id has nothing of the old one', async () => {
  const other = await TestService.start({}, {}, service.database);
  try {
    const headers = { 'idempotency-key': 'same' };
    await done(create('again', headers));
    const old = new TestRealm(service, 'again');
    old.key = await old.issueKey(['admin']);
    await old.member('1', 10, { username: 'ada' });
    await old.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
    const { id: checkId } = await done(old.send('POST', '/verify'));
    assert.equal((await verdict(old)).ok, true);
    await old.expect(200, 'GET', `/verify/${checkId}`);
    const there = new TestRealm(other, 'again');
    there.key = old.key;
    const credit = { body: { tokens: 1 }, headers };
    for (let n = 0; n < 20; n++) await done(add(there, '1', 1));
    await there.expect(200, 'GET', '/leaderboard');
    const path = '/members/1/tokenBalance';
    assertProblem(await there.send('PATCH', path, credit), 'idempotency-key-reused');
    assert.equal((await remove(old)).status, 204);

    const made = await create('again', headers);
    assert.equal(made.status, 201);
    assert.equal(made.headers['idempotent-replayed'], undefined);
    for (const { key } of [old, there]) {
      assertProblem(await old.send('GET', '', { key }), 'unauthorized');
      assertProblem(await there.send('GET', '', { key }), 'unauthorized');
    }
    const now = new TestRealm(service, 'again');
    now.key = await now.issueKey(['admin']);
    there.key = now.key;
    assertProblem(await there.send('GET', '/members/1'), 'member-not-found');
    assertProblem(await add(there, '1', 1), 'member-not-found');
    assertProblem(await now.send('GET', `/verify/${checkId}`), 'verification-not-found');
    const total = async () => (await there.expect(200, 'GET', '/leaderboard')).json.total;
    assert.equal(await total(), 0);
    assert.deepEqual((await there.expect(200, 'GET', '/members?search=ada')).json.items, []);
    await there.member('1', 3);
    assert.equal(await total(), 1);
    assert.equal((await now.expect(200, 'GET', '/points')).json.items.length, 1);
    const journal = ['1 realm.created', '2 key.created', '3 member.created', '4 points.added'];
    assert.deepEqual(await recordsOf(now), journal);
    const statement = (await now.expect(200, 'GET', '/members/1/transactions')).json.items;
    assert.deepEqual([statement.length, statement[0].transactionId], [1, 4]);
    assert.equal((await verdict(now)).ok, true);
  } finally {
    await other.stop();
  }
});

test('of many deletions one is done, and changes come before it or are refused', async () => {
  const realm = await service.realm('races');
  await realm.member('1');
  const changes = times(100, () =>
    service.send('PATCH', realm.path('/members/1/tokenBalance'), { body: { tokens: 1 } }),
  );
  const deletions = await times(30, () => remove(realm));
  assert.deepEqual(counters(deletions), { 204: 1, 'realm-not-found': 29 });
  const { 200: executed = 0, 'realm-not-found': refused = 0 } = counters(await changes);
  assert.equal(executed + refused, 100);
});

test('an archived realm can be deleted', async () => {
  const realm = await service.realm('archived');
  await realm.expect(200, 'POST', '/archive', { key: ROOT_KEY });
  assert.equal((await remove(realm)).status, 204);
});
