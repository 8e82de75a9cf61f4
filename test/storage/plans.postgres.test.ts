import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { Connection, SESSION } from '../../src/store/postgres/connection.ts';
import { preparedLookUp, preparedOf } from '../../src/store/postgres/driver.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { lookUps, statements } from './every-statement.ts';

/**
 * Every statement uses an index, in a database whose statistics were collected while it was empty:
 * what is fast with ten members must not become a scan with a million.
 */
const server = await PostgresServer.start();
const connection = await Connection.open({ url: server.url, purpose: 'plans', isPatient: true });
await migrate(connection);
await connection.run('ANALYZE');
await connection.close();
const client = new pg.Client(server.url);
await client.connect();
await client.query(SESSION);
after(async () => {
  await client.end();
  await server.stop();
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
}

const sent = (which: { statement: { text: string } }): string => which.statement.text;
const ofMany = new Set(lookUps.map((which) => sent(preparedLookUp(which).many)));
const texts = [
  ...statements.map((which) => sent(preparedOf(which))),
  ...lookUps.flatMap((which) => Object.values(preparedLookUp(which)).map(sent)),
];

/** The statements that may read several realms or a whole small table, and why. */
const wide: [sql: RegExp, why: string][] = [
  [/FROM realms WHERE realm_id > /, 'the list of realms, under the root key'],
  [/FROM service WHERE name > /, 'the servers of Discord, by the beginning of their names'],
  [/FROM owners ORDER BY/, 'the owners of the service, of whom there are few'],
  [/AS "realmId", r\.seq FROM/, 'how far the journals are that somebody follows'],
  [/FROM realms WHERE deleted_at IS NOT NULL/, 'a job: deleted realms, of which there are few'],
  [/FROM erasures\s+WHERE phase <> 'done' GROUP BY/, 'a job: erasures that are not finished'],
  [/FROM holds\s+WHERE status = 'open' AND expires_at <= /, 'a job: the open holds of all realms'],
  [/(UPDATE|FROM) webhooks[\s\S]*WHERE[\s\S]*lease_owner = /, 'a job: the webhooks of all realms'],
  [/FROM kind_enrolments\s+WHERE \(SELECT/, 'a job: new kinds of points, of which there are few'],
  [/DELETE FROM sessions WHERE expires_at/, 'a job: sessions that expired'],
  [/FROM rank_buckets WHERE ends_at </, 'a job: leaderboards that ended'],
  [/FROM (idempotency_keys|challenges) WHERE (at|expires_at) </, 'a job: the oldest rows'],
];

const KEY = /realm_id = |key_id = |session_id = |name = |ctid = |person_id = |passkey_id = /;

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
  assert.ok(texts.length > 100, String(texts.length));
  const others: string[] = [];
  for (const text of texts) {
    const isWide = wide.some(([sql]) => sql.test(text));
    for (const scan of scans(await planOf(text))) {
      const how = scan['Node Type'];
      const condition = scan['Index Cond'] ?? '';
      const isKeyed = how === 'Tid Scan' || (/Index/.test(how) && KEY.test(condition));
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
      (realm_id, member_id, status, tags, metadata, created_at, updated_at)
    SELECT 'acme', id, 'active', '[]', '{}', 0, 0 FROM generate_series(1, 20000) id`);
  for (const text of texts) {
    // Holds whose expiry is not recorded yet are few: a job records it within a second or so. And
    // a key has few sessions.
    const isPage = text.includes('LIMIT') && !text.startsWith('DELETE FROM sessions');
    if (!isPage || text.includes('ORDER BY hold_id + 0')) continue;
    assert.ok(!sortsForPage(await planOf(text)), text);
  }
});

/** The conditions by which a statement looks rows up in a table. */
async function conditionsOn(text: string, table: string): Promise<string[]> {
  const found = scans(await planOf(text)).filter((scan) => scan['Relation Name'] === table);
  return found.map((scan) => `${scan['Index Name']} ${scan['Index Cond']}`);
}

test('whatever belongs to a member is found by its id', async () => {
  let found = 0;
  for (const text of texts) {
    for (const [, table = ''] of text.matchAll(
      /\b(members|balances|accounts|wallets|scores|entries)\b[^()]*?\bmember_id = /g,
    )) {
      const conditions = await conditionsOn(text, table);
      assert.ok(
        conditions.some((one) => /\(member_id = /.test(one)),
        `${conditions} in ${text}`,
      );
      found += 1;
    }
  }
  assert.ok(found >= 20, String(found));
});

test('a search reads a range of words, from where it continues', async () => {
  const reads = texts.filter((text) => /FROM member_words\s[\s\S]*word </.test(text));
  assert.equal(reads.length, 2);
  for (const text of reads) {
    const [condition = ''] = await conditionsOn(text, 'member_words');
    assert.match(condition, /(word >=|ROW\(word, member_id\) >).*\(word </, text);
  }
});

test('the newest events of a type are found by it', async () => {
  const reads = texts.filter((text) => /SELECT e\.seq FROM[\s\S]* FROM journal e WHERE/.test(text));
  assert.equal(reads.length, 1);
  const [condition = ''] = await conditionsOn(reads[0] ?? '', 'journal');
  assert.match(condition, /^journal_by_type .*\(type = /);
});

test('a rank counts within one bucket, and a page reads no more than its rows', async () => {
  const reads = texts.filter((text) => /(balance|score) > -4611686018427387905/.test(text));
  assert.ok(reads.length >= 12, String(reads.length));
  for (const text of reads) {
    const table = /FROM (balances|(?:past_)?scores)/.exec(text)?.[1] ?? '';
    const [condition = ''] = await conditionsOn(text, table);
    assert.match(condition, /_by_(score|day|week|month) .*(balance|score) [<>=] \$/, text);
  }
});

test('only jobs and lists of realms need statements across realms', () => {
  const apart = /key_directory|(FROM|INTO|UPDATE) (service|sessions|owners|passkeys)/;
  const others = texts.filter(
    (text) =>
      !/realm_id = \$\d/.test(text) &&
      !apart.test(text) &&
      !ofMany.has(text) &&
      !wide.some(([sql]) => sql.test(text)),
  );
  assert.deepEqual(others, []);
});

test('every exception is still needed', () => {
  const unneeded = wide.filter(([sql]) => !texts.some((text) => sql.test(text)));
  assert.deepEqual(unneeded, []);
});
