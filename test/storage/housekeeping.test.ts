import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newDatabase, STORAGE } from '../support/database.ts';

/** What is written beside commands, in steps with a bounded number of rows. */
async function opened(t: TestContext) {
  const database = await newDatabase();
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  const count = async (table: string): Promise<number> =>
    Number((await database.rows(`SELECT count(*) AS count FROM ${table}`))[0]?.count);
  return { housekeeping: ledger.housekeeping, exec: database.exec, count };
}

/** Rows from 1 on, as the values of an insertion. */
const rows = (count: number, row: (id: number) => string): string =>
  Array.from({ length: count }, (_, index) => `(${row(index + 1)})`).join(', ');

test('old answers are removed in steps, the oldest first', async (t) => {
  const { housekeeping, exec, count } = await opened(t);
  await exec(`INSERT INTO idempotency_keys
    (realm_id, idempotency_key, fingerprint, at, seq, records) VALUES
    ${rows(6_000, (id) => `'acme', 'key${id}', '', ${id}, 1, 1`)}`);
  const expire = () => housekeeping.expireAnswers(5_501);
  assert.deepEqual([await expire(), await expire(), await expire()], [5_000, 500, 0]);
  assert.equal(await count('idempotency_keys'), 500);
});

test('only leaderboards whose window ended are dropped', async (t) => {
  const { housekeeping, exec, count } = await opened(t);
  await exec(`INSERT INTO rank_buckets (realm_id, leaderboard, width, bucket, count, ends_at) VALUES
    ('acme', 'points', 1, 3, 1, NULL), ('acme', 'points@day:one', 1, 3, 2, 100),
    ('acme', 'points@day:one', 1, 4, 5998, 100), ('acme', 'points@day:two', 1, 3, 1, 200)`);
  const drop = () => housekeeping.dropEndedLeaderboards(150);
  assert.deepEqual([await drop(), await drop()], [2, 0]);
  assert.equal(await count('rank_buckets'), 2);
});

test('members get a balance of a new kind in steps, unless they have one or left', async (t) => {
  const { housekeeping, exec, count } = await opened(t);
  await exec(`INSERT INTO realms (realm_id, name, settings, seq, head, last_at, clock_at,
      next_member_id, created_at, updated_at)
    SELECT 'acme', 'Acme', '{}', 1, hash, 1, 1, 1, 1, 1
    FROM (SELECT CAST('' AS ${STORAGE === 'postgres' ? 'bytea' : 'BLOB'}) AS hash) h`);
  const statusOf = (id: number) => (id % 10 === 0 ? 'removed' : 'active');
  await exec(`INSERT INTO members
    (realm_id, member_id, status, metadata, tags, created_at, updated_at) VALUES
    ${rows(1_500, (id) => `'acme', ${id}, '${statusOf(id)}', '{}', '[]', 1, 1`)}`);
  await exec(`INSERT INTO balances
    (realm_id, member_id, realm_point_id, balance, held, open_holds, moved_at)
    VALUES ('acme', 3, 'gems', 7, 0, 0, 1)`);
  await exec(`INSERT INTO kind_enrolments (realm_id, realm_point_id, enrolled_to)
    VALUES ('acme', 'gems', 0)`);
  const enrol = () => housekeeping.enrolInKinds('acme');
  assert.equal(await enrol(), true);
  assert.equal(await count('balances'), 900);
  assert.deepEqual([await enrol(), await enrol()], [true, false]);
  assert.equal(await count("balances WHERE realm_point_id = 'gems' AND balance = 0"), 1_349);
  assert.equal(await count('balances WHERE member_id = 3 AND balance = 7 AND moved_at = 1'), 1);
  assert.equal(await count('kind_enrolments'), 0);
});
