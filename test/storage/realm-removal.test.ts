import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { Cli } from '../cli/cli.ts';
import { command, REALM } from '../domain/histories.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newDatabase, STORAGE } from '../support/database.ts';
import { rowCounts } from '../support/rows.ts';
import { ROOT_KEY, TestService } from '../support/service.ts';

/** What is stored of deleted realms is removed in small steps, which any process continues. */
const MEMBERS = 5_000;
const deletion = command('realm.delete', {});

/** Writes a realm, by default with 10,003 records, and projects it. */
async function fill(ledger: InProcessLedger, members = MEMBERS): Promise<void> {
  answerOf(await ledger.execute(create(REALM)));
  const entries = Array.from({ length: members }, (_, index) => ({
    memberId: String(index + 1),
    tokens: 5,
    realmPointId: null,
    description: null,
  }));
  answerOf(await ledger.execute(command('points.batch', { atomic: true, entries })));
  while ((await ledger.housekeeping.project('all')) !== 'nothing');
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test('rows are removed in bounded steps, and only those of deleted realms', async () => {
  const database = await newDatabase();
  const ledger = new InProcessLedger(await database.open());
  try {
    const { housekeeping } = ledger;
    await fill(ledger);
    answerOf(await ledger.execute(create('other')));
    answerOf(await ledger.execute(credit('other')));
    while ((await housekeeping.project('all')) !== 'nothing');
    const before = await rowCounts(database);
    for (const realmId of [REALM, 'other', 'nowhere']) {
      assert.equal(await housekeeping.removeRealmRows(realmId), false);
      assert.equal(await housekeeping.removeRealmProjections(realmId), false);
      await housekeeping.removeRealm(realmId);
    }
    assert.deepEqual(await rowCounts(database), before, 'no realm is deleted yet');
    answerOf(await ledger.execute(deletion));
    assert.deepEqual(await ledger.query('deletedRealms', { limit: 9 }), [REALM]);
    assert.equal(await ledger.query('verify', { realmId: REALM }), null);
    let left = sum(await rowCounts(database));
    const steps = { rows: 0, projections: 0 };
    const step = async (remove: (realmId: string) => boolean | Promise<boolean>) => {
      const hasMore = await remove(REALM);
      const now = sum(await rowCounts(database));
      // PostgreSQL removes the rest of every table in one step.
      assert.ok(left - now < 15_000, `${left - now} rows in one step`);
      left = now;
      return hasMore;
    };
    do steps.rows += 1;
    while (await step(housekeeping.removeRealmRows));
    do steps.projections += 1;
    while (await step(housekeeping.removeRealmProjections));
    assert.ok(steps.rows >= 5 && steps.projections >= 4, JSON.stringify(steps));
    // A deleted realm is not projected again, even by a node that has not noticed.
    await housekeeping.project('all');
    assert.equal(sum(await rowCounts(database)), left);
    await housekeeping.removeRealm(REALM);
    assert.deepEqual(await ledger.query('deletedRealms', { limit: 9 }), []);
    // A late step of another node finds a new realm of the same id, and leaves it alone.
    await fill(ledger, 10);
    const verdict = await ledger.query('verify', { realmId: REALM });
    assert.equal(await housekeeping.removeRealmRows(REALM), false);
    assert.equal(await housekeeping.removeRealmProjections(REALM), false);
    await housekeeping.removeRealm(REALM);
    assert.equal(verdict?.ok, true);
    assert.deepEqual(await ledger.query('verify', { realmId: REALM }), verdict);
    assert.equal(verdict?.ok && verdict.members, 10);
  } finally {
    await ledger.close();
    await database.drop();
  }
});

const onPostgres = { skip: STORAGE !== 'postgres' && 'SQLite has no dead rows' };

test(
  'a step goes on where the one before ended, the last one from the start',
  onPostgres,
  async () => {
    const database = await newDatabase();
    const ledger = new InProcessLedger(await database.open());
    try {
      await fill(ledger);
      answerOf(await ledger.execute(deletion));
      const step = () => ledger.housekeeping.removeRealmRows(REALM);
      const count = async (condition = '') =>
        Number((await database.rows(`SELECT count(*) FROM balances ${condition}`))[0]?.count);
      while ((await count()) === MEMBERS) assert.equal(await step(), true);
      // As if a crash of the server had undone a step.
      await database.exec(
        `INSERT INTO balances (realm_id, member_id, realm_point_id, balance, held, open_holds)
       VALUES ('${REALM}', 1, 'points', 5, 0, 0)`,
      );
      while ((await count()) > 1) assert.equal(await step(), true);
      assert.equal(await count('WHERE member_id = 1'), 1, 'the rows before are not read again');
      while (await step());
      assert.equal(await count(), 0);
    } finally {
      await ledger.close();
      await database.drop();
    }
  },
);

test('a removal that was killed is continued by the next start', async (t) => {
  const cli = new Cli(t, { ROOT_KEY });
  const ledger = new InProcessLedger(await cli.database.open());
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
