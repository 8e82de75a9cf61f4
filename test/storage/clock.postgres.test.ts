import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { openPostgresStore } from '../support/postgres-store.ts';

/** A node whose clock is wrong would write wrong instants, so it gets no callers. */
test('a clock more than 2 s off the database makes a node not ready, and says so', async (t) => {
  const database = await newPostgresDatabase();
  let offset = 0;
  const store = await openPostgresStore(database.url, { clock: () => Date.now() + offset });
  const ledger = new InProcessLedger(store);
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  const expected: [ms: number, reason: RegExp | null][] = [
    [0, null],
    [1_500, null],
    [-1_500, null],
    [3_000, /clock of this node is [23]\.\d s ahead of the clock of the database/],
    [-60_000, /clock of this node is (59|60)\.\d s behind/],
    [0, null],
  ];
  for (const [ms, reason] of expected) {
    offset = ms;
    const [fault] = await ledger.query('ready', null);
    if (reason === null) assert.equal(fault, undefined, `${ms} ms`);
    else assert.match(fault?.reason ?? 'ready', reason);
    if (reason !== null) assert.equal(fault?.check, 'clock');
  }
});
