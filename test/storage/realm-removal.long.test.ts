import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { Cli } from '../cli/cli.ts';
import { command, REALM } from '../domain/histories.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newDatabase } from '../support/database.ts';
import { removeRows, rowCounts } from '../support/rows.ts';
import { ROOT_KEY, TestService } from '../support/service.ts';
import { verdictOf } from '../support/verdict.ts';

/** What is stored of deleted realms is removed in small steps, which any process continues. */
const MEMBERS = 5_000;
const deletion = command('realm.delete', {});

/** Writes a realm, by default with 10,003 records, in batches of 1,000 entries. */
async function fill(ledger: Ledger, members = MEMBERS): Promise<void> {
  answerOf(await ledger.execute(create(REALM)));
  const entries = Array.from({ length: members }, (_, index) => ({
    memberId: String(index + 1),
    tokens: 5,
    realmPointId: null,
    description: null,
  }));
  for (let from = 0; from < members; from += 1_000) {
    const batch = { atomic: true, entries: entries.slice(from, from + 1_000) };
    answerOf(await ledger.execute(command('points.batch', batch)));
  }
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test('rows are removed in bounded steps, and only those of deleted realms', async () => {
  const database = await newDatabase();
  const ledger = await database.ledger();
  try {
    const { housekeeping } = ledger;
    await fill(ledger);
    answerOf(await ledger.execute(create('other')));
    answerOf(await ledger.execute(credit('other')));
    const before = await rowCounts(database);
    for (const realmId of [REALM, 'other', 'nowhere']) {
      assert.equal(await housekeeping.removeRealmRows({ realmId, from: 0 }), null);
      await housekeeping.removeRealm(realmId);
    }
    assert.deepEqual(await rowCounts(database), before, 'no realm is deleted yet');
    answerOf(await ledger.execute(deletion));
    assert.deepEqual(await ledger.query('deletedRealms', { limit: 9 }), [REALM]);
    assert.equal(await verdictOf(ledger, REALM), null);
    let left = sum(await rowCounts(database));
    const steps = await removeRows(ledger, REALM, async () => {
      const now = sum(await rowCounts(database));
      assert.ok(left - now <= 2_000, `${left - now} rows in one step`);
      left = now;
    });
    assert.ok(steps >= 15, `${steps} steps`);
    const { realms, journal } = await rowCounts(database);
    assert.deepEqual([realms, journal], [2, 3]);
    await housekeeping.removeRealm(REALM);
    assert.deepEqual(await ledger.query('deletedRealms', { limit: 9 }), []);
    // A late step of another node finds a new realm of the same id, and leaves it alone.
    await fill(ledger, 10);
    const verdict = await verdictOf(ledger, REALM);
    assert.equal(await removeRows(ledger, REALM), 1);
    await housekeeping.removeRealm(REALM);
    assert.equal(verdict?.ok, true);
    assert.deepEqual(await verdictOf(ledger, REALM), verdict);
    assert.equal(verdict?.ok && verdict.members, 10);
  } finally {
    await ledger.close();
    await database.drop();
  }
});

test('a removal that was killed is continued by the next start', async (t) => {
  const cli = new Cli(t, { ROOT_KEY });
  const ledger = await cli.database.ledger();
  await fill(ledger);
  await ledger.close();
  const program = cli.start(['serve']);
  const [, url] = await program.says(/listens on (\S+)/);
  const request = fetch(`${url}/api/v4/realms/${REALM}?confirm=${REALM}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ROOT_KEY}` },
  }).catch(() => null);
  const left = async () => Number((await rowCounts(cli.database)).journal);
  const all = await left();
  while ((await left()) >= all) await new Promise((next) => setTimeout(next, 5));
  program.kill();
  await request;
  await program.ended;
  const service = await TestService.start({}, {}, cli.database);
  try {
    const path = `/api/v4/realms/${REALM}`;
    assert.equal((await service.send('GET', path)).status, 404);
    const create = () =>
      service.send('POST', '/api/v4/realms', { body: { id: REALM, name: 'Anew' } });
    let reply = await create();
    while (reply.json.code === 'realm-being-deleted') {
      await new Promise((next) => setTimeout(next, 100));
      reply = await create();
    }
    assert.equal(reply.status, 201, reply.text);
    await service.expect(200, 'GET', `${path}/leaderboard`);
    const counts = await rowCounts(cli.database);
    assert.deepEqual([counts.journal, counts.realms, counts.members], [1, 1, undefined]);
  } finally {
    await service.stop();
  }
});
