import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { SESSION } from '../../src/store/postgres/session.ts';
import { statements } from '../../src/store/postgres/statement.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { newPostgresDatabase } from '../support/database.ts';

/**
 * Every statement uses an index, in a database whose statistics were collected while it was empty:
 * what is fast with ten members must not become a scan with a million.
 */
const database = await newPostgresDatabase();
await openPostgresStore(database.url).then((store) => store.close());
await database.exec('ANALYZE');
const client = new pg.Client(database.url);
await client.connect();
await client.query(SESSION);
after(async () => {
  await client.end();
  await database.drop();
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
}

/** The statements that may read several realms or a whole small table, and why. */
const wide: [sql: RegExp, why: string][] = [
  [/FROM schema_migrations/, 'one row for each migration'],
  [/FROM realms WHERE realm_id > /, 'the list of realms, under the root key'],
  [/FROM realms WHERE realm_id = ANY /, 'how far the journals are that somebody follows'],
  [/FROM realms WHERE deleted_at IS NOT NULL/, 'a job: deleted realms, of which there are few'],
  [/FROM erasures\s+WHERE phase <> 'done'/, 'a job: erasures that are not finished'],
  [
    /FROM realms r\s+LEFT JOIN projection_positions .* WHERE r\.realm_id > /s,
    'a job: all realms, in pages',
  ],
  [/FROM rank_buckets\s+WHERE \(realm_id, leaderboard\) > /, 'a job: expired leaderboards'],
  [/FROM holds\s+WHERE status = 'open' AND expires_at <= /, 'a job: the open holds of all realms'],
  [/webhooks\s.*lease_owner = \$1/s, 'a job: the webhooks of all realms, of which there are few'],
  [/FROM webhook_deliveries WHERE NOT EXISTS/, 'a job: deliveries of deleted webhooks'],
  [
    /(DELETE|SELECT realm_id) FROM (idempotency_keys|challenges)/,
    'a job: by blocks, in the order of time',
  ],
  [/FROM sessions WHERE expires_at < /, 'a job: sessions belong to no realm'],
];

/** Statements about the server itself. */
const administrative =
  /pg_(advisory|locks|dist|stat)|clock_time|to_regclass|create_\w+_table|run_command|quote_ident/;

const KEY = /realm_id = |key_id = |session_id = |name = |ctid = /;

function scans(node: Node): Node[] {
  const isScan = /Scan$/.test(node['Node Type']) && node['Relation Name'] !== undefined;
  return [...(isScan ? [node] : []), ...(node.Plans ?? []).flatMap(scans)];
}

/** The plan for any parameters, which the settings of a session ask for. */
async function planOf(text: string): Promise<Node> {
  const parameters = new Set(text.match(/\$\d+/g)).size;
  const values = parameters === 0 ? '' : `(${Array(parameters).fill('NULL').join(', ')})`;
  await client.query(`PREPARE planned AS ${text}`);
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE planned${values}`);
  await client.query('DEALLOCATE planned');
  return rows[0]['QUERY PLAN'][0].Plan;
}

test('every statement finds its rows by a key of one realm', async () => {
  assert.ok(statements.length > 60);
  const others: string[] = [];
  for (const { text } of statements) {
    if (administrative.test(text)) continue;
    const isWide = wide.some(([sql]) => sql.test(text));
    for (const scan of scans(await planOf(text))) {
      const how = scan['Node Type'];
      const condition = scan['Index Cond'] ?? '';
      const isKeyed = /Index|Tid/.test(how) ? KEY.test(condition) || how === 'Tid Scan' : false;
      if (!isKeyed && !isWide) others.push(`${how} ${condition} in ${text}`);
    }
  }
  assert.deepEqual(others, []);
});

/** Whether rows of a table are sorted, of which a page is then taken. */
function sortsForPage(node: Node, isPaged = false): boolean {
  const below = node.Plans ?? [];
  const isScan = below.some((one) => one['Relation Name'] !== undefined);
  if (isPaged && node['Node Type'].endsWith('Sort') && isScan) return true;
  return below.some((one) => sortsForPage(one, isPaged || node['Node Type'] === 'Limit'));
}

test('a page is read in the order of an index, even of a table that has just grown', async () => {
  await client.query(`INSERT INTO members
      (realm_id, member_id, status, metadata, created_at, updated_at)
    SELECT 'acme', id, 'active', '{}', 0, 0 FROM generate_series(1, 20000) id`);
  for (const { text } of statements) {
    if (administrative.test(text) || !text.includes('LIMIT')) continue;
    assert.ok(!sortsForPage(await planOf(text)), text);
  }
});

test('a member is found on a leaderboard by its id, not by a scan', async () => {
  const lookUps = statements.filter(({ text }) =>
    /FROM standings\s+WHERE [^)]*member_id = (wanted|gone|page|\$3)/.test(text),
  );
  assert.equal(lookUps.length, 4);
  for (const { text } of lookUps) {
    const plan = JSON.stringify(await planOf(text));
    assert.match(plan, /standings_pkey/, text);
    assert.match(plan, /standings_pkey[^}]*member_id = /, text);
  }
});

test('a search reads a range of words, from where it continues', async () => {
  const reads = statements.filter(({ text }) => /FROM member_words\s[\s\S]*word </.test(text));
  assert.equal(reads.length, 2);
  for (const { text } of reads) {
    const plan = JSON.stringify(await planOf(text));
    assert.match(
      plan,
      /member_words_pkey[^}]*(word >=|ROW\(word, member_id\) >)[^}]*\(word </,
      text,
    );
    assert.doesNotMatch(plan, /"Sort"/, text);
  }
});

/** Writes batches of several realms; each has a counterpart for a batch of one realm. */
const OF_MANY = /unnest\(\$1::text\[\]/;

test('only jobs and lists of realms need statements across realms', () => {
  const apart = /schema_migrations|key_directory|(FROM|INTO|UPDATE) (service|sessions)/;
  const others = statements.filter(
    ({ text }) =>
      !/realm_id = \$1|SELECT \$1,|VALUES \(\$1/.test(text) &&
      !apart.test(text) &&
      !OF_MANY.test(text) &&
      !administrative.test(text) &&
      !wide.some(([sql]) => sql.test(text)),
  );
  assert.deepEqual(
    others.map(({ text }) => text),
    [],
  );
});

test('every exception is still needed', () => {
  const unneeded = wide.filter(([sql]) => !statements.some(({ text }) => sql.test(text)));
  assert.deepEqual(unneeded, []);
});
