import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { prepare, sqlite } from '../../src/store/dialect.ts';
import { textOf } from '../../src/store/rows.ts';
import { migrations } from '../../src/store/sqlite/database.ts';
import { SqliteDriver } from '../../src/store/sqlite/driver.ts';
import { lookUps, statements } from './every-statement.ts';

/**
 * Every statement uses an index, in a file without statistics: what is fast with ten members must
 * not become a scan with a million.
 */
const db = new DatabaseSync(':memory:');
after(() => db.close());
for (const migration of migrations) db.exec(migration);
// It defines the functions that statements call.
new SqliteDriver(db);

const texts = [...statements.map(({ text }) => text), ...lookUps.map(({ select }) => select)];
const all = texts.map((text) => {
  const sql = prepare(sqlite, textOf(sqlite, text)).text.replace(/\s+/g, ' ').trim();
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return { sql, steps: steps.map(({ detail }) => String(detail)) };
});

/** The steps that match, each with its statement. */
const stepsIn = (plans: typeof all, step: RegExp): string[] =>
  plans.flatMap(({ sql, steps }) =>
    steps.filter((one) => step.test(one)).map((one) => `${one} in ${sql}`),
  );

/** The scans that are allowed, and why. */
const scans: [step: RegExp, why: string][] = [
  [/^SCAN json_each .* in /, 'the list that the caller sent'],
  [/^SCAN (looked|counted|e|s|search) in /, 'what LIMIT has left of a range'],
  [/^SCAN CONSTANT ROW in /, 'no table'],
  [/INDEX realms_deleted in /, 'a job: deleted realms, of which there are few'],
  [/INDEX erasures_unfinished in /, 'a job: erasures that are not finished'],
  [/^SCAN kind_enrolments in /, 'a job: new kinds of points, of which there are few'],
  [/^SCAN owners in /, 'the owners of the service, of whom there are few'],
  [/^SCAN webhooks in /, 'a job: the webhooks of all realms, of which there are few'],
  [/^SCAN kind_enrolments in /, 'a job: new kinds of points, of which there are few'],
  [
    /^SCAN (idempotency_keys|challenges) in .*( < \?|ORDER BY rowid DESC LIMIT 1$)/,
    'a job: rows are in the order of time, and LIMIT ends the scan',
  ],
];

test('no statement scans a table unless it is allowed to', () => {
  assert.ok(all.length > 60, String(all.length));
  const others = stepsIn(all, /^SCAN/).filter((one) => !scans.some(([step]) => step.test(one)));
  assert.deepEqual(others, []);
});

/** The searches that do not begin with a realm, and why. */
const global: [step: RegExp, why: string][] = [
  [/^SEARCH (realms|r) /, 'the realm itself'],
  [/\b(key_directory|service|sessions|owners|passkeys|sqlite_schema)\b/, 'tables of no realm'],
  [/ holds_due \(expires_at</, 'holds that expire, of which few are due'],
  [/ rank_buckets_by_end /, 'a job: leaderboards that ended'],
  [/^SEARCH webhook_deliveries USING PRIMARY KEY \(realm_id>/, 'a job: from realm to realm'],
  [/ kind_enrolments /, 'a job: new kinds of points, of which there are few'],
  [/ROWID|rowid/, 'rows that were found before'],
];

test('every search starts from a realm or a global key', () => {
  const others = stepsIn(all, /^SEARCH/).filter(
    (one) => !/\(realm_id=\?/.test(one) && !global.some(([step]) => step.test(one)),
  );
  assert.deepEqual(others, []);
});

test('a statement for one member finds it by its id', () => {
  const ofMember = /\b(realm_id|\w\.realm_id) = \?\d+ AND (\w\.)?member_id = \?/;
  const named = all.filter(({ sql }) => ofMember.test(sql));
  assert.ok(named.length >= 10, String(named.length));
  for (const { sql, steps } of named) {
    const isFound = steps.some((step) => /\(realm_id=\? AND member_id=\?/.test(step));
    assert.ok(isFound, `${steps.join('; ')} in ${sql}`);
  }
});

test('pages are in the order of an index and need no sorting', () => {
  const pages = all.filter(({ sql }) => /ORDER BY .* LIMIT/.test(sql));
  assert.ok(pages.length >= 15, String(pages.length));
  const sorted = stepsIn(pages, /TEMP B-TREE/).filter(
    (one) =>
      // The newest of several kinds of points, of which each has as many as the page.
      !/FROM \(SELECT e\.seq FROM/.test(one) &&
      // Holds whose expiry is not recorded yet are few: a job records it within a second or so.
      !/FROM holds INDEXED BY holds_due/.test(one) &&
      // The instants that the caller sent.
      !/RECURSIVE search/.test(one),
  );
  assert.deepEqual(sorted, []);
});

test('a search reads a range of words, from where it continues', () => {
  const reads = all.filter(({ sql }) => /FROM member_words/.test(sql) && / word|w\.word/.test(sql));
  const ranged = reads.filter(({ sql }) => /word < \?/.test(sql));
  assert.equal(ranged.length, 2);
  const range = /\(realm_id=\? AND (word>\?|\(word,member_id\)>\(\?,\?\)) AND word<\?\)/;
  for (const { sql, steps } of ranged) assert.match(steps.join('; '), range, sql);
});

test('the newest events of a type are found by it', () => {
  const reads = all.filter(({ sql }) => /FROM \(SELECT e\.seq FROM .* journal e ON/.test(sql));
  assert.equal(reads.length, 1);
  for (const { sql, steps } of reads) {
    const range = /journal_by_type \(realm_id=\? AND type=\? AND seq>\? AND seq<\?\)/;
    assert.match(steps.join('; '), range, sql);
  }
});

test('a rank counts within one bucket, and a page reads no more than its rows', () => {
  const isRange = /(balance|score) > -4611686018427387905/;
  const ranges = all.filter(({ sql }) => isRange.test(sql));
  assert.ok(ranges.length >= 12, String(ranges.length));
  for (const { sql, steps } of ranges) {
    const range = /_by_(score|day|week|month) \(realm_id=\? AND \w+=\? AND (\w+=\? AND )?\w+[<>=]/;
    assert.match(steps.join('; '), range, sql);
    // Of two lower bounds, SQLite starts at the first, and its plans do not tell which that is.
    const bounds = sql.match(/\.(balance|(\w+_)?score) > (\?|-)/g) ?? [];
    assert.ok(bounds.length === 1 || bounds[0]?.endsWith('?'), sql);
  }
});
