import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InDoubt } from '../../src/engine/errors.ts';
import type { ProjectionsBehind } from '../../src/store/sqlite/projections/behind.ts';
import { openSqliteProjections } from '../../src/store/sqlite/projections/open.ts';
import type { Projections } from '../../src/store/sqlite/projections/projections.ts';
import { ThreadedLedger } from '../../src/store/threads/threaded-ledger.ts';
import { create, enrol, largeBatch, turn } from '../domain/queues.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-threads-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const open = (path: string) =>
  ThreadedLedger.open(path, {
    onDeath: (error) => {
      throw error;
    },
    onDamage: (reason) => assert.fail(reason),
    onUnavailable: (cause) => assert.fail(cause),
    onAvailable: () => undefined,
  });

const STATEMENT = { realmPointId: null, type: null, from: null, to: null, before: null, limit: 5 };

test('a write that the thread does not answer in time is in doubt', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const path = newPath();
  const ledger = await open(path);
  await ledger.execute(create('a'));
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const write = ledger.execute(enrol('a', 1));
  const stuck = assert.rejects(write, InDoubt);
  for (let rounds = 0; rounds < 7; rounds++) context.mock.timers.tick(10_000);
  await stuck;
  other.exec('ROLLBACK');
  other.close();
  assert.ok('answer' in (await ledger.execute(enrol('a', 2))), 'later calls are answered');
  await ledger.close();
});

test('large commands take turns by realm before they reach the thread', async () => {
  const ledger = await open(newPath());
  await Promise.all(['greedy', 'modest'].map((realmId) => ledger.execute(create(realmId))));
  await Promise.all(['greedy', 'modest'].map((realmId) => ledger.execute(enrol(realmId, 1))));
  const order: string[] = [];
  const large = (realmId: string) =>
    ledger.execute(largeBatch(realmId)).then((outcome) => {
      assert.ok('answer' in outcome);
      order.push(realmId);
    });
  const greedy = Array.from({ length: 6 }, () => large('greedy'));
  await Promise.all([large('modest'), ...greedy]);
  // The first was on its way already, and of two equals the one that came first goes first.
  assert.ok(order.indexOf('modest') <= 2, order.join(' '));
  await ledger.close();
});

test('a realm with too much waiting is refused, and a light one is not', async () => {
  const ledger = await open(newPath());
  await Promise.all(['heavy', 'light'].map((realmId) => ledger.execute(create(realmId))));
  await ledger.execute(enrol('heavy', 1));
  const heavy = Promise.allSettled(
    Array.from({ length: 20 }, () => ledger.execute(largeBatch('heavy'))),
  );
  for (let id = 1; id <= 20; id++)
    assert.ok('answer' in (await ledger.execute(enrol('light', id))));
  const answered = (await heavy).filter(({ status }) => status === 'fulfilled').length;
  // One in the thread, and eight waiting.
  assert.equal(answered, 9);
  await ledger.close();
});

test('reads beyond the budget of a realm are refused, and those of another are not', async () => {
  const ledger = await open(newPath());
  await Promise.all(['heavy', 'light'].map((realmId) => ledger.execute(create(realmId))));
  const filter = { search: null, wallet: null, account: null, status: null };
  const page = { realmId: 'heavy', after: null, limit: 500, filter, now: 0 };
  await ledger.query('members', page); // Until then, nothing is known of what its members cost.
  const heavy = Promise.allSettled(
    Array.from({ length: 500 }, () => ledger.query('members', page)),
  );
  const light = Array.from({ length: 50 }, () => ledger.query('realm', { realmId: 'light' }));
  for (const realm of await Promise.all(light)) assert.equal(realm?.id, 'light');
  const answered = (await heavy).filter(({ status }) => status === 'fulfilled').length;
  assert.equal(answered, 402);
  await ledger.close();
});

test('the read of a caller that has disconnected is not made', async () => {
  const ledger = await open(newPath());
  await ledger.execute(create('a'));
  const filter = { search: null, wallet: null, account: null, status: null };
  const page = { realmId: 'a', after: null, limit: 500, filter, now: 0 };
  await ledger.query('members', page); // Until then, nothing is known of what its members cost.
  const caller = { destroyed: false };
  const reads = Promise.allSettled(
    Array.from({ length: 50 }, () => ledger.query('members', page, caller)),
  );
  caller.destroyed = true;
  const answered = (await reads).filter(({ status }) => status === 'fulfilled').length;
  assert.equal(answered, 2);
  await ledger.close();
});

/** A file with a realm of 10,000 records, none of them projected, and one of a single member. */
async function unprojected(): Promise<string> {
  const path = newPath();
  const ledger = await open(path);
  await Promise.all(['far', 'near'].map((realmId) => ledger.execute(create(realmId))));
  await Promise.all(['far', 'near'].map((realmId) => ledger.execute(enrol(realmId, 1))));
  await ledger.execute(largeBatch('far'));
  await ledger.close();
  return path;
}

test('a realm that is far behind is projected step by step, a step per turn', async () => {
  const projections: Projections = openSqliteProjections(await unprojected());
  const query = { ...STATEMENT, realmId: 'far', memberId: '1' };
  const { immediateReader, reader } = projections;
  const read = () => immediateReader.statement(query);
  const isBehind = (error: ProjectionsBehind) => error.end > 10_000;
  assert.throws(read, isBehind);
  const waiting = Array.from({ length: 20 }, () => reader.statement(query));
  let turns = 0;
  const answered = Promise.all(waiting).then(() => true);
  while (!(await Promise.race([answered, turn().then(() => false)]))) turns += 1;
  assert.ok(turns >= 10, `all of it took ${turns} turns`);
  for (const page of await Promise.all(waiting)) assert.equal(page?.rows.length, 5);
  projections.close();
});

test('queries that wait for one realm leave the thread to those of others', async () => {
  const ledger = await open(await unprojected());
  const order: string[] = [];
  const statement = (realmId: string) =>
    ledger
      .query('statement', { ...STATEMENT, limit: 500, realmId, memberId: '1' })
      .then(() => order.push(realmId));
  const far = Array.from({ length: 50 }, () => statement('far'));
  await statement('near');
  assert.deepEqual(order, ['near']);
  await Promise.all(far);
  await ledger.close();
});
