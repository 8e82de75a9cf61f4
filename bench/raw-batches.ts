import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_KIND } from '../src/domain/model.ts';
import { migrate, openForWriting } from '../src/store/sqlite/database.ts';
import { transaction } from '../src/store/sqlite/driver.ts';
import { answerLines } from './answering.ts';
import { BATCH_MEMBERS, firstMembers, MAX_ENTRIES, REALM } from './community.ts';

/**
 * The time that SQLite alone takes to write the rows of a batch: one transaction with one fsync,
 * prepared statements, no rules, no hashes, no JSON. It runs in its own process: each line of its
 * input is a number of batches, each line of its output the milliseconds they took.
 */
const ACTOR = 'key:k3Jx81PzQw2m';
const KIND = FIRST_KIND.id;
const TYPE = 'points.added';
const HASH = Buffer.alloc(32, 7);
const LEADERBOARDS = ['day:2026-11-18', 'week:2026-11-16', 'month:2026-11-01'].map(
  (window) => `${KIND}@${window}`,
);

const db = openForWriting(join(process.argv[2] ?? '.', 'raw.db'));
migrate(db);
const put = statements(db);
const allMembers = firstMembers(BATCH_MEMBERS);
const at = Date.now();
let written = 0;

answerLines('ready', async (line) => {
  let total = 0;
  for (let batch = 0; batch < Number(line); batch++) total += writeBatch();
  return total;
});

/** Returns the milliseconds of the transaction; the values are made before it. */
function writeBatch(): number {
  const from = written % BATCH_MEMBERS;
  const members = allMembers.slice(from, from + MAX_ENTRIES);
  const earned = 1 + Math.floor(written / BATCH_MEMBERS);
  const newBalance = 1_000_000_000 + earned;
  const rows = members.map((memberId, index) => {
    const data = JSON.stringify({ memberId, tokens: 1, realmPointId: KIND, newBalance });
    return { memberId, data, seq: written + index + 1 };
  });
  const results = rows.map(({ memberId, seq }) => ({ memberId, newBalance, transactionId: seq }));
  const answer = JSON.stringify(results);
  const key = randomUUID();
  const start = performance.now();
  transaction(db, () => {
    written += members.length;
    put.realm.run(REALM, 'Benchmark', '{}', written, HASH, at, at, 1, at, at);
    for (const { seq, data } of rows) put.record.run(REALM, seq, TYPE, at, ACTOR, data, HASH);
    put.answer.run(REALM, key, key.slice(0, 22), at, written, members.length, answer);
    for (const { memberId } of rows)
      put.balance.run(REALM, memberId, KIND, newBalance, 0, 0, at, 20_775);
    for (const { memberId, seq } of rows)
      put.entry.run(REALM, memberId, KIND, seq, TYPE, newBalance);
    for (const { seq } of rows) put.movement.run(REALM, KIND, TYPE, seq);
    for (const { memberId } of rows) {
      put.scores.run(REALM, memberId, KIND, 20_775, earned, 20_773, earned, 20_758, earned);
    }
    for (const leaderboard of LEADERBOARDS) put.bucket.run(REALM, leaderboard, 1, earned, 1, at);
    put.day.run(REALM, 1, KIND, written, 0, `${written}`, '0', '0', '0');
  });
  return performance.now() - start;
}

function statements(to: DatabaseSync) {
  const insert = (table: string, columns: string, end = '') => {
    const names = `realm_id, ${columns}`;
    const values = names.split(', ').map(() => '?');
    return to.prepare(`INSERT INTO ${table} (${names}) VALUES (${values}) ${end}`);
  };
  const upsert = (table: string, key: string, rest: string) => {
    const updates = rest.split(', ').map((name) => `${name} = excluded.${name}`);
    const end = `ON CONFLICT (realm_id, ${key}) DO UPDATE SET ${updates}`;
    return insert(table, `${key}, ${rest}`, end);
  };
  const ofRealm = 'name, settings, seq, head, last_at, clock_at, next_member_id';
  return {
    realm: insert(
      'realms',
      `${ofRealm}, created_at, updated_at`,
      'ON CONFLICT DO UPDATE SET seq = excluded.seq, head = excluded.head',
    ),
    record: insert('journal', 'seq, type, at, actor, data, hash'),
    answer: insert('idempotency_keys', 'idempotency_key, fingerprint, at, seq, records, answer'),
    balance: upsert(
      'balances',
      'member_id, realm_point_id',
      'balance, held, open_holds, moved_at, active_day',
    ),
    entry: insert('entries', 'member_id, realm_point_id, seq, type, balance'),
    movement: insert('movements', 'realm_point_id, type, seq'),
    scores: upsert(
      'scores',
      'member_id, realm_point_id',
      'day, day_score, week, week_score, month, month_score',
    ),
    bucket: upsert('rank_buckets', 'leaderboard, width, bucket', 'count, ends_at'),
    day: upsert(
      'daily_totals',
      'day, realm_point_id',
      'records, member_count, issued, spent, opened, held',
    ),
  };
}
