import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { add, changeMany, done, give, times, verdict } from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Checks of journal and balances over HTTP, while the realm is in use. */
const service = await serviceForFile();

const execSql = (sql: string): Promise<void> => service.database.exec(sql);

/** The seq of the last record. */
async function lastSeq(realm: TestRealm): Promise<number> {
  let last = 0;
  for (;;) {
    const path = `/events?after=${last}&limit=500`;
    const { items, lastSeq: seq } = (await realm.expect(200, 'GET', path)).json;
    if (items.length === 0) return last;
    last = seq;
  }
}

test('an intact realm, for a key with the admin scope', async () => {
  const realm = await service.realm('true');
  await realm.member('1', 100);
  await realm.member('2');
  await done(give(realm, '1', '2', 40));
  const { head, ...rest } = await verdict(realm);
  const records = await lastSeq(realm);
  assert.deepEqual(rest, { ok: true, transactions: 2, records, members: 2 });
  assert.match(head, /^[0-9a-f]{64}$/);
  const key = await realm.issueKey(['write']);
  const refused = await realm.send('GET', '/verify', { key });
  assertProblem(refused, 'insufficient-scope', { required: 'admin' });
  const after = await verdict(realm);
  assert.notEqual(after.head, head, 'every record changes the head');
});

test('a tampered realm: the first fault is a result, not an error', async () => {
  const realm = await service.realm('false');
  const other = await service.realm('beside');
  await realm.member('1');
  await other.member('1', 100);
  const { transactionId } = await done(add(realm, '1', 100));
  await done(add(realm, '1', -30));
  await execSql(
    `UPDATE journal SET data = replace(data, '"tokens":100', '"tokens":900')
     WHERE realm_id = 'false' AND seq = ${transactionId}`,
  );
  const found = await verdict(realm);
  const { detail, ...fault } = found.fault;
  const { ok, records, transactions } = found;
  assert.deepEqual([ok, records, transactions], [false, transactionId - 1, 0]);
  assert.deepEqual(fault, { seq: transactionId });
  assert.match(detail, new RegExp(`record ${transactionId}`));
  assert.equal((await verdict(other)).ok, true);
  await execSql(`UPDATE balances SET balance = 7 WHERE realm_id = 'beside' AND member_id = 1`);
  const { seq, memberId, realmPointId } = (await verdict(other)).fault;
  assert.deepEqual([seq, memberId, realmPointId], [null, '1', 'points']);
});

test('three realms at once are all verified', async () => {
  const realms = await Promise.all(['one', 'two', 'three'].map((id) => service.realm(id)));
  for (const realm of realms) await realm.member('1', 100);
  const verdicts = await Promise.all([...realms, ...realms].map(verdict));
  assert.deepEqual(
    verdicts.map(({ ok, transactions }) => [ok, transactions]),
    Array(6).fill([true, 1]),
  );
});

test('a check is started, followed to its result, and seen by its realm alone', async () => {
  const realm = await service.realm('followed');
  const other = await service.realm('stranger');
  await realm.member('1', 100);
  const accepted = await realm.expect(202, 'POST', '/verify');
  const { id } = accepted.json;
  const path = `/api/v4/realms/followed/verify/${id}`;
  assert.equal(accepted.headers.location, path);
  let check = accepted.json;
  while (check.status !== 'done') {
    assert.ok(['queued', 'running'].includes(check.status), check.status);
    assert.equal(check.result, null);
    check = (await realm.expect(200, 'GET', `/verify/${id}`)).json;
  }
  assert.deepEqual([check.result.ok, check.result.transactions], [true, 1]);
  const elsewhere = await other.send('GET', `/verify/${id}`);
  assertProblem(elsewhere, 'verification-not-found', { verificationId: id });
  assert.equal((await other.send('GET', `/verify/a%20b`)).status, 400);
});

test('reads and writes continue while 30,000 records are checked', async () => {
  const realm = await service.realm('long', { autoEnroll: true });
  await realm.member('1', 1_000);
  const entries = Array.from({ length: 30_000 }, (_, index) => ({
    memberId: 1 + (index % 200),
    tokens: 1,
  }));
  await changeMany(realm, entries);
  const before = await realm.expect(200, 'GET', '/members/1');
  let isDone = false;
  const checked = verdict(realm).finally(() => {
    isDone = true;
  });
  const counts = { reads: 0, writes: 0 };
  await times(4, async (writer) => {
    while (!isDone) {
      if (writer < 2) await realm.expect(200, 'GET', '/members/1');
      else await done(give(realm, '1', '2', 1));
      if (!isDone) counts[writer < 2 ? 'reads' : 'writes'] += 1;
    }
  });
  const result = await checked;
  assert.equal(result.ok, true, JSON.stringify(result.fault));
  assert.ok(result.transactions > 30_000);
  assert.ok(counts.reads >= 10 && counts.writes >= 10, JSON.stringify(counts));
  assert.ok((await realm.balance('1')) < before.json.tokenBalance);
});
