import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Outcome } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { type BatchWriter, RealmsLocked, type Store } from '../../src/ledger/store.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { fixedSalts } from '../support/salts.ts';
import { lockRealms } from './outside-locks.ts';

/** A realm that another process has locked delays no other. */
const database = await newPostgresDatabase();
after(() => database.drop());

const lock = (t: TestContext, ...realmIds: string[]) => lockRealms(t, database.url, ...realmIds);

async function ledgerOf(t: TestContext): Promise<InProcessLedger> {
  const ledger = new InProcessLedger(await openPostgresStore(database.url));
  t.after(() => ledger.close());
  return ledger;
}

/** New realms with one member each. */
async function newRealms(ledger: InProcessLedger, name: string, count: number): Promise<string[]> {
  const realmIds = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  for (const realmId of realmIds) answerOf(await ledger.execute(create(realmId)));
  return realmIds;
}

/** A ledger, and the realms that it has written apart from the others. */
async function ledgerWithApart(t: TestContext) {
  const store = await openPostgresStore(database.url);
  const inner = store.lockedWriter as BatchWriter;
  const apart = new Set<string>();
  const lockedWriter: BatchWriter = {
    limits: inner.limits,
    write: (batch) => {
      for (const { realmId } of batch.needs) apart.add(realmId);
      return inner.write(batch);
    },
  };
  const ledger = new InProcessLedger({ ...store, lockedWriter });
  t.after(() => ledger.close());
  return { ledger, apart };
}

test('a realm that is locked elsewhere does not delay others', async (t) => {
  const { ledger, apart } = await ledgerWithApart(t);
  const [locked = '', ...others] = await newRealms(ledger, 'locked', 20);
  const unlock = await lock(t, locked);
  const waiting: Promise<Outcome>[] = [];
  for (let balance = 1; balance <= 5; balance++) {
    waiting.push(ledger.execute(credit(locked)));
    // All of these are answered while it is locked.
    const credits = others.map(async (id) => answerOf(await ledger.execute(credit(id))));
    for (const { newBalance } of await Promise.all(credits)) assert.equal(newBalance, balance);
  }
  await unlock();
  assert.deepEqual([...apart], [locked]);
  const ends = await Promise.allSettled(waiting);
  for (const end of ends)
    if (end.status === 'rejected') assert.ok(end.reason instanceof Unavailable);
  const done = ends.filter(({ status }) => status === 'fulfilled').length;
  assert.equal(answerOf(await ledger.execute(credit(locked))).newBalance, done + 1);
});

test('a write to a realm that stays locked is rejected', async (t) => {
  const ledger = await ledgerOf(t);
  const [locked = ''] = await newRealms(ledger, 'stays-locked', 1);
  const unlock = await lock(t, locked);
  // While it is locked: the test would not end otherwise.
  await assert.rejects(ledger.execute(credit(locked)), Unavailable);
  await unlock();
  assert.equal(answerOf(await ledger.execute(credit(locked))).newBalance, 1);
});

/** Writes a batch of one credit for each realm. */
function writeCredits({ writer }: Store, realmIds: string[]) {
  const commands = realmIds.map((realmId) => credit(realmId));
  const batch = {
    needs: needsOf(commands),
    clock: Date.now,
    decide: (facts: Parameters<typeof decide>[0], now: number) =>
      decide(facts, commands, now, fixedSalts),
  };
  return writer.write(batch).done;
}

/** A store whose batches have several realms, with some realms in it. */
async function realmsOf(t: TestContext, name: string, count: number) {
  const store = await openPostgresStore(database.url);
  const ledger = new InProcessLedger(store);
  t.after(() => ledger.close());
  return { store, realmIds: await newRealms(ledger, name, count) };
}

test('a batch names those of its realms that are locked', async (t) => {
  const { store, realmIds } = await realmsOf(t, 'named', 9);
  const locked = [realmIds[2] ?? '', realmIds[7] ?? ''];
  const unlock = await lock(t, ...locked);
  await assert.rejects(writeCredits(store, realmIds), (error) => {
    assert.ok(error instanceof RealmsLocked);
    assert.deepEqual(error.realmIds.toSorted(), locked);
    return true;
  });
  await unlock();
  const { outcomes } = await writeCredits(store, realmIds);
  for (const outcome of outcomes) assert.equal(answerOf(outcome).newBalance, 1);
});

test('a batch waits for realms that another batch has locked', async (t) => {
  const { store, realmIds } = await realmsOf(t, 'shared', 9);
  const unlock = await lock(t, ...realmIds);
  const writing = writeCredits(store, realmIds);
  const attempts = new Set<unknown>();
  const waiting = `SELECT xact_start::text AS begun FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'realmkeep writer'
      AND wait_event_type = 'Lock'`;
  await eventually(
    () => database.rows(waiting),
    (rows) => {
      for (const { begun } of rows) attempts.add(begun);
      return attempts.size > 1;
    },
  );
  await unlock();
  const { outcomes } = await writing;
  for (const outcome of outcomes) assert.equal(answerOf(outcome).newBalance, 1);
  const lockedAgain = await lock(t, ...realmIds);
  await assert.rejects(writeCredits(store, realmIds), RealmsLocked);
  await lockedAgain();
});
