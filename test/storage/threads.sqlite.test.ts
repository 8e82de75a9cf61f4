import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { InDoubt } from '../../src/ledger/errors.ts';
import { sqliteThreads, ThreadedLedger } from '../../src/store/threads/threaded-ledger.ts';
import { create, enrol } from '../domain/queues.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-threads-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const open = (path: string) =>
  ThreadedLedger.open(sqliteThreads(path), {
    onDeath: (error) => {
      throw error;
    },
    onDamage: (reason) => assert.fail(reason),
    onUnavailable: (cause) => assert.fail(cause),
    onAvailable: () => undefined,
    onRefused: (reason) => assert.fail(reason),
  });

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

test('a closed ledger starts no thread', async () => {
  const check = { realmId: 'a', createdAt: 0, id: 'none' };
  const ledger = await open(newPath());
  const answer = ledger.query('verification', check);
  await ledger.close();
  assert.equal(await answer, null, 'one that is still starting answers first');
  const unused = await open(newPath());
  await unused.close();
  await assert.rejects(async () => unused.query('verification', check), /closed/);
});

const FILTER = { wallet: null, account: null, status: null };
const page = (realmId: string) => ({ realmId, after: null, limit: 500, filter: FILTER, now: 0 });
const answered = async (reads: Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(reads)).filter(({ status }) => status === 'fulfilled').length;

test('reads beyond what may wait of a realm are refused, those of another are not', async () => {
  const ledger = await open(newPath());
  await Promise.all(['heavy', 'light'].map((realmId) => ledger.execute(create(realmId))));
  const heavy = Array.from({ length: 500 }, () => ledger.query('members', page('heavy')));
  const light = Array.from({ length: 50 }, () => ledger.query('realm', { realmId: 'light' }));
  const count = answered(heavy);
  for (const realm of await Promise.all(light)) assert.equal(realm?.id, 'light');
  // Some in the thread, and as many waiting as a realm may have.
  assert.equal(await count, 202);
  await ledger.close();
});

test('the read of a caller that has disconnected is not made', async () => {
  const ledger = await open(newPath());
  await ledger.execute(create('a'));
  const caller = { destroyed: false };
  const reads = Array.from({ length: 50 }, () => ledger.query('members', page('a'), caller));
  caller.destroyed = true;
  assert.equal(await answered(reads), 2);
  await ledger.close();
});
