import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { openProjections } from '../../src/store/sqlite/projections/database.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Table } from '../../src/store/tables/table.ts';
import { tables } from '../../src/store/tables/tables.ts';
import { command, REALM, setUp } from '../domain/histories.ts';

/**
 * Every statement uses an index, in a file without statistics: what is fast with ten members must
 * not become a scan with a million.
 */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-plans-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const PATH = join(folder, 'plans.db');

/** The SQL that is prepared during the work. */
async function sqlOf(work: () => Promise<void>): Promise<string[]> {
  const found = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    found.add(sql.replace(/\s+/g, ' ').trim());
    return prepare.call(this, sql);
  };
  try {
    await work();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
  return [...found];
}

/** Opening the store prepares nearly all statements; a check of a realm prepares its own. */
const all = await sqlOf(async () => {
  const ledger = new InProcessLedger(openSqliteStore(PATH));
  for (const one of setUp) await ledger.execute(one as never);
  await ledger.execute(command('member.create', { memberId: '1', fields: {}, wallets: [] }));
  while ((await ledger.housekeeping.project('all')) !== 'nothing');
  await ledger.query('verify', { realmId: REALM });
  await ledger.close();
});

const db = openProjections(PATH);
after(() => db.close());
const statements = all.filter((sql) => /^(SELECT|UPDATE|DELETE|WITH)\b/.test(sql));

const planOf = (sql: string): string[] =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row.detail));

/** The scans that are allowed, and why. */
const scans: [sql: RegExp, scan: RegExp, why: string][] = [
  [
    /^DELETE FROM idempotency_keys WHERE at < \?/,
    /^SCAN idempotency_keys/,
    'a job: rows are in the order of time, and LIMIT ends the scan',
  ],
  [/FROM sqlite_schema/, /^SCAN sqlite_schema/, 'the names of tables, when the file is opened'],
  [/^DELETE FROM challenges WHERE expires_at < \?/, /^SCAN challenges/, 'a job: the same'],
  [/json_each/, /SCAN json_each/, 'the list that the caller sent, not a table'],
  [
    /^SELECT count\(\*\) FROM \(SELECT 1 FROM member_words/,
    /^SCAN \(subquery/,
    'counts what LIMIT has left of a range',
  ],
  [
    /FROM \(SELECT \* FROM members/,
    /^SCAN \(subquery/,
    'finds members among those that LIMIT has left of a range',
  ],
  [/FROM webhooks LIMIT 1/, /^SCAN webhooks/, 'a job: whether there are any'],
  [/lease_owner = \?/, /^SCAN webhooks/, 'a job: the webhooks of all realms, which are few'],
  [/FROM realms WHERE deleted_at IS NOT NULL/, /INDEX realms_deleted$/, 'a job: only those'],
  [
    /FROM erasures WHERE phase <> 'done' AND EXISTS/,
    /^SCAN (erasures|\(subquery)/,
    'a job: those that are not finished',
  ],
  [/^SELECT/, /^SCAN CONSTANT ROW/, 'no table'],
];

const isAllowed = (sql: string, step: string): boolean =>
  scans.some(([text, scan]) => text.test(sql) && scan.test(step));

test('there are statements for every table', () => {
  assert.ok(statements.length > 60, String(statements.length));
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  for (const { name } of tables) {
    if (String(name).startsWith('sqlite_')) continue;
    assert.ok(
      all.some((sql) => new RegExp(`\\b(FROM|JOIN|INTO|UPDATE) ${name}\\b`).test(sql)),
      String(name),
    );
  }
  const statistics = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`).get();
  assert.equal(statistics, undefined, 'there are statistics, which may hide a scan');
});

test('every insert writes all columns of its table', () => {
  for (const { name, written } of Object.values<Table<never>>(tables)) {
    const columns = ['realm_id', ...written.map((column) => column.name)].toSorted();
    const insert = new RegExp(`^INSERT INTO ${name} \\(([^)]+)\\)`);
    const inserted = all.flatMap((sql) => insert.exec(sql)?.[1] ?? []);
    assert.ok(inserted.length > 0, name);
    for (const list of inserted) assert.deepEqual(list.split(', ').toSorted(), columns);
  }
});

test('no statement scans a table unless it is allowed to', () => {
  const others = statements.flatMap((sql) =>
    planOf(sql)
      .filter((step) => step.startsWith('SCAN') && !isAllowed(sql, step))
      .map((step) => `${step} in ${sql}`),
  );
  assert.deepEqual(others, []);
  for (const [text, , why] of scans.slice(0, -1)) {
    assert.ok(
      statements.some((sql) => text.test(sql)),
      `nothing needs this exception any more: ${why}`,
    );
  }
});

test('a statement for one member finds it by its id', () => {
  const named = statements.filter((sql) => /\bmember_id = (\?|CAST)/.test(sql));
  assert.ok(named.length >= 10, String(named.length));
  for (const sql of named) {
    const steps = planOf(sql).filter((step) => step.startsWith('SEARCH'));
    assert.ok(
      steps.some((step) => /\((realm_id|realm_no|leaderboard_no)=\?.*member_id=\?/.test(step)),
      `${steps.join('; ')} in ${sql}`,
    );
  }
});

test('every search starts from a realm, one of its leaderboards, or a global key', () => {
  const indexes = /\b(r USING PRIMARY KEY|holds_due|leaderboards_by_end)\b/;
  const tables = /\b(api_keys|service|sessions|realms|sqlite_schema)\b/;
  // A job that goes from one realm to the next.
  const nextRealm = /^SEARCH webhook_deliveries USING PRIMARY KEY \(realm_id>\?\)$/;
  const isGlobal = (step: string) => [indexes, tables, nextRealm].some((one) => one.test(step));
  const others = statements.flatMap((sql) =>
    planOf(sql)
      .filter((step) => step.startsWith('SEARCH') && !isGlobal(step))
      .filter(
        (step) =>
          !/\((realm_id|realm_no|leaderboard_no)=\?/.test(step) &&
          !/ROWID|rowid|\(seq=\?\)/.test(step),
      )
      .map((step) => `${step} in ${sql}`),
  );
  assert.deepEqual(others, []);
});

test('pages are in the order of an index and need no sorting', () => {
  const pages = statements.filter((sql) => /ORDER BY .* LIMIT/.test(sql));
  assert.ok(pages.length >= 10, String(pages.length));
  const sorted = pages.filter((sql) => planOf(sql).some((step) => /TEMP B-TREE/.test(step)));
  // Holds whose expiry is not recorded yet are few: a job records it within a second or so.
  assert.deepEqual(
    sorted.filter((sql) => !/FROM holds INDEXED BY holds_due/.test(sql)),
    [],
  );
  assert.equal(sorted.length, 1);
});

test('a search reads a range of words, from where it continues', () => {
  const reads = statements.filter((sql) => /FROM member_words/.test(sql) && /word </.test(sql));
  assert.equal(reads.length, 2);
  for (const sql of reads) {
    const range = /\(realm_no=\? AND (word>\?|\(word,member_id\)>\(\?,\?\)) AND word<\?\)/;
    assert.match(planOf(sql).join('; '), range, sql);
  }
});

test('a rank counts within one bucket, and a page reads no more than its rows', () => {
  const scores = statements.filter((sql) => /FROM standings/.test(sql) && /score/.test(sql));
  const ranges = scores.filter((sql) => /score (>|<|=)/.test(sql));
  assert.ok(ranges.length >= 5, String(ranges.length));
  for (const sql of ranges) {
    const steps = planOf(sql).join('; ');
    assert.match(steps, /standings_by_score \(leaderboard_no=\? AND score[<>=]/, sql);
  }
});
