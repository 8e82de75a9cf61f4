import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FIRST_KIND } from '../src/domain/model.ts';
import { migrate, openForWriting, transaction } from '../src/store/sqlite/database.ts';
import { insert, upsert } from '../src/store/sqlite/rows.ts';
import { answerLines } from './answering.ts';
import { firstMembers, MAX_ENTRIES, REALM } from './community.ts';

/**
 * The time that SQLite alone takes to write the rows of a batch: one transaction with one fsync,
 * prepared statements, no rules, no hashes, no JSON. It runs in its own process: each line of its
 * input is a number of batches, each line of its output the milliseconds they took.
 */
const REALM_REST =
  'name, settings, seq, head, last_at, clock_at, next_member_id, created_at, updated_at';
const ACTOR = 'key:k3Jx81PzQw2m';
const HASH = Buffer.alloc(32, 7);

const db = openForWriting(join(process.argv[2] ?? '.', 'raw.db'));
migrate(db);
const put = statements(db);
const members = firstMembers(MAX_ENTRIES);
const at = Date.now();
let written = 0;

answerLines('ready', async (line) => {
  let total = 0;
  for (let batch = 0; batch < Number(line); batch++) total += writeBatch();
  return total;
});

/** Returns the milliseconds of the transaction; the values are made before it. */
function writeBatch(): number {
  const balance = 1_000_000_000 + written / MAX_ENTRIES;
  const data = members.map((memberId) => {
    const realmPointId = FIRST_KIND.id;
    return JSON.stringify({ memberId, tokens: 1, realmPointId: realmPointId, newBalance: balance });
  });
  const answer = JSON.stringify(
    members.map((memberId, index) => ({
      memberId,
      newBalance: balance,
      transactionId: written + index,
    })),
  );
  const key = randomUUID();
  const start = performance.now();
  transaction(db, () => {
    const last = written + members.length;
    put.realm.run(REALM, 'Benchmark', '{}', last, HASH, at, at, 1, at, at);
    for (const text of data) {
      written += 1;
      put.record.run(REALM, written, 'points.added', at, ACTOR, text, HASH);
    }
    for (const memberId of members) put.balance.run(REALM, memberId, FIRST_KIND.id, balance, 0, 0);
    put.idempotencyRecords.run(REALM, key, key.slice(0, 22), at, last, answer);
  });
  return performance.now() - start;
}

function statements(to: DatabaseSync) {
  return {
    realm: upsert(to, 'realms', 'realm_id', REALM_REST),
    record: insert(to, 'journal', 'realm_id, seq, type, at, actor, data, hash'),
    balance: upsert(
      to,
      'balances',
      'realm_id, member_id, realm_point_id',
      'balance, held, open_holds',
    ),
    idempotencyRecords: insert(
      to,
      'idempotency_keys',
      'realm_id, idempotency_key, fingerprint, at, seq, answer',
    ),
  };
}
