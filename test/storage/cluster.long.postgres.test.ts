import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { generateKey } from '../../src/domain/key-format.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import { priorUse } from '../../src/ledger/prior-use.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { readCluster } from '../../src/store/postgres/citus/catalogue.ts';
import { hashText } from '../../src/store/postgres/citus/hash.ts';
import { preparedLookUp, preparedOf } from '../../src/store/postgres/driver.ts';
import { openPostgresLedger, type PostgresLedger } from '../../src/store/postgres/ledger.ts';
import { tables } from '../../src/store/tables.ts';
import { query } from '../support/cluster.ts';
import { credit as creditOf } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { StandInCluster } from '../support/stand-in-cluster.ts';
import { verdictOf } from '../support/verdict.ts';
import { lookUps, statements } from './every-statement.ts';

/** What a cluster needs of this program, over servers with a catalogue like that of Citus. */
const cluster = await StandInCluster.start();
after(() => cluster.stop());

const REALMS = Array.from({ length: 12 }, (_, index) => `realm-${index}`);
const base = { actor: 'test', idempotency: null };
const settings = { autoEnroll: true };

async function opened(
  t: TestContext,
  onServer?: (name: string, cause: Unavailable | null) => void,
): Promise<PostgresLedger> {
  const ledger = await openPostgresLedger(cluster.url, { settleMs: 700, onServer });
  t.after(() => ledger.close());
  return ledger;
}

const credit = (ledger: PostgresLedger, realmId: string) => ledger.execute(creditOf(realmId));

const balance = async (ledger: PostgresLedger, realmId: string) =>
  (await ledger.query('member', { realmId, memberId: '1', now: 0 }))?.balances.points ?? 0;

test('the hash of a realm is that of PostgreSQL', async () => {
  const texts = Array.from({ length: 200 }, (_, length) =>
    randomBytes(length)
      .toString('base64url')
      .slice(0, length % 64),
  );
  const all = ['', 'ä', '会員', ...texts];
  const list = all.map((text) => `('${text}')`).join(', ');
  const rows = await query(
    cluster.url,
    `SELECT hashtext(text COLLATE "C") AS hash FROM (VALUES ${list}) AS t(text)`,
  );
  assert.deepEqual(
    all.map(hashText),
    rows.map(({ hash }) => hash),
  );
});

test('every statement can be sent to a shard', async () => {
  const client = new pg.Client(cluster.url);
  await client.connect();
  await client.query('BEGIN');
  for (const { name } of Object.values(tables)) await client.query(`DROP TABLE ${name} CASCADE`);
  const [shard] = (await readCluster(cluster.url))?.shards ?? [];
  const sent = lookUps.map(preparedLookUp).flatMap(({ sole, one, many }) => [sole, one, many]);
  for (const { statement } of [...statements.map(preparedOf), ...sent]) {
    const { text } = shard?.rename(statement) ?? statement;
    assert.doesNotMatch(text, / AS "?\w+_10\d{4}\b/, 'a column of the result is renamed');
    await client.query(`PREPARE one AS ${text}; DEALLOCATE one`);
  }
  await client.query('ROLLBACK');
  await client.end();
});

test('each realm is on one server, and everything of it', async (t) => {
  const ledger = await opened(t);
  for (const realmId of REALMS) {
    await ledger.execute({ ...base, type: 'realm.create', realmId, name: realmId, settings });
  }
  await Promise.all(REALMS.map((realmId) => credit(ledger, realmId)));
  const { rows } = await ledger.query('realms', { after: null, limit: 5 });
  assert.deepEqual(
    rows.map(({ id }) => id),
    REALMS.toSorted().slice(0, 5),
  );
  for (const realmId of REALMS) {
    assert.equal(await balance(ledger, realmId), 1);
    assert.equal((await verdictOf(ledger, realmId))?.ok, true);
  }
  const idempotency = { key: 'once', fingerprint: 'same' };
  const rename = (realmId: string) =>
    ledger.execute({
      ...base,
      idempotency,
      type: 'realm.update',
      realmId,
      name: 'New',
      settings: {},
    });
  await Promise.all(REALMS.map(rename));
  assert.deepEqual(
    await ledger.housekeeping.leaseWebhooks({ owner: 'test', sealedBy: 'x', ms: 1 }),
    [],
  );
  assert.equal(await ledger.housekeeping.expireAnswers(Date.now() + 1_000), REALMS.length);
  const seqs = await ledger.query('lastSeqs', { realmIds: [...REALMS, 'nobody'] });
  assert.deepEqual(
    seqs.flatMap(({ realmId, seq }) => (seq === null ? [realmId] : [])),
    ['nobody'],
  );
  for (const { name } of Object.values(tables)) {
    assert.deepEqual(await cluster.rows(`SELECT 1 FROM ${name}`), [], name);
  }
  const perServer = await Promise.all(
    cluster.servers.map(async ({ url }) => {
      const counts = cluster
        .shardsOf('realms')
        .map((id) => query(url, `SELECT realm_id FROM realms_${id}`));
      return (await Promise.all(counts)).flat().length;
    }),
  );
  assert.equal(
    perServer.reduce((sum, count) => sum + count, 0),
    REALMS.length,
  );
  assert.ok(
    perServer.every((count) => count > 0),
    `realms per server: ${perServer}`,
  );
});

test('a service finds the keys of all realms, by its thread', async (t) => {
  const ignore = () => undefined;
  const ledger = await openStorage(readConfig({ DATABASE_URL: cluster.url }).database, {
    onDeath: assert.fail,
    onDamage: assert.fail,
    onUnavailable: ignore,
    onAvailable: ignore,
    onRefused: ignore,
  });
  t.after(() => ledger.close());
  for (const realmId of REALMS) {
    const { newKey } = generateKey();
    const key = { newKey, name: 'key', scopes: ['read' as const], expiresAt: null };
    await ledger.execute({ ...base, type: 'key.create', realmId, ...key });
    // Citus copies it to all servers.
    const row = `INSERT INTO key_directory VALUES ('${newKey.id}', '${realmId}')`;
    await cluster.rows(`${row} ON CONFLICT DO NOTHING`);
    assert.equal((await ledger.query('apiKey', { keyId: newKey.id }))?.realmId, realmId);
  }
  assert.equal(await ledger.query('apiKey', { keyId: generateKey().newKey.id }), null);
  assert.deepEqual(await ledger.query('ready', null), []);
});

test('a realm moved or split off is followed, and nothing is lost or doubled', async (t) => {
  const ledger = await opened(t);
  const before = await Promise.all(REALMS.map((realmId) => balance(ledger, realmId)));
  let isDone = false;
  const written = REALMS.map(async (realmId) => {
    let count = 0;
    while (!isDone) {
      const outcome = await credit(ledger, realmId);
      assert.ok('answer' in outcome, JSON.stringify(outcome));
      count += 1;
    }
    return count;
  });
  for (const [shard, from, to] of [
    [0, 0, 1],
    [1, 1, 0],
    [0, 1, 0],
  ] as const) {
    await cluster.move(shard, from, to);
  }
  await cluster.renumber(2);
  for (const realmId of REALMS) assert.ok('answer' in (await credit(ledger, realmId)));
  isDone = true;
  const counts = await Promise.all(written);
  const now = await Promise.all(REALMS.map((realmId) => balance(ledger, realmId)));
  assert.deepEqual(
    now,
    before.map((points, at) => points + (counts[at] ?? 0) + 1),
  );
  for (const realmId of REALMS) {
    assert.equal((await verdictOf(ledger, realmId))?.ok, true);
  }
});

test('a server that is away is an outage of its realms alone', async (t) => {
  const away: string[] = [];
  const ledger = await opened(t, (name, cause) => away.push(cause ? name : 'back'));
  const [, second] = cluster.servers;
  const works = async (realmId: string): Promise<boolean> => {
    try {
      return 'answer' in (await credit(ledger, realmId));
    } catch (error) {
      assert.ok(error instanceof Error);
      return false;
    }
  };
  assert.ok((await Promise.all(REALMS.map(works))).every(Boolean));
  await second?.crash();
  const all = () => Promise.all(REALMS.map(works));
  await eventually(all, (states) => !states.every(Boolean));
  await eventually(
    async () => away.length,
    (count) => count === 1,
  );
  const states = await Promise.all(REALMS.map(works));
  assert.ok(states.includes(true) && states.includes(false));
  assert.ok((await priorUse(await opened(t))).hasRealms, 'a service can start');
  // Jobs go on where they can, and a list that would lack some says so.
  await ledger.query('dueHolds', { now: 1, limit: 10 });
  await assert.rejects(ledger.query('realms', { after: null, limit: 5 }), Unavailable);
  const seqs = await ledger.query('lastSeqs', { realmIds: REALMS });
  const seen = seqs.map(({ realmId, seq }) => (seq === null ? 'gone' : realmId));
  assert.deepEqual(seen.toSorted(), REALMS.filter((_, at) => states[at]).toSorted());
  const [fault, ...others] = await ledger.query('ready', null);
  assert.deepEqual([fault?.check, others], ['servers', []]);
  assert.match(fault?.reason ?? '', new RegExp(`${new URL(second?.url ?? '').port}`));
  await second?.up();
  await eventually(all, (working) => working.every(Boolean));
  assert.equal(away.at(-1), 'back');
  assert.deepEqual(await ledger.query('ready', null), []);
});
