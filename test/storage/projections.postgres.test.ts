import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { ExclusivePool, SharedPool } from '../../src/store/postgres/pools.ts';
import { Projections } from '../../src/store/postgres/projections/projections.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { newPostgresDatabase } from '../support/database.ts';

const own = await newPostgresDatabase();
const ledger = new InProcessLedger(await openPostgresStore(own.url));
const database = new Database(own.url);
const readers = new SharedPool(database, 4);
after(async () => {
  await Promise.all([database.close(), ledger.close()]);
  await own.drop();
});

const base = { realmId: 'busy', actor: 'test', idempotency: null };
const points = { memberId: '1', tokens: 1, realmPointId: null, description: null };
const credit = () => ledger.execute({ ...base, ...points, type: 'points.change' });

/** Another record is written after every step of a projector. */
class BusyPool extends ExclusivePool {
  uses = 0;

  override async use<T>(...args: Parameters<typeof ExclusivePool.prototype.use<T>>): Promise<T> {
    this.uses += 1;
    const result = await super.use<T>(...args);
    await credit();
    return result;
  }
}
const projectors = new BusyPool(database, 2);

test('concurrent queries share the projection, however much is written meanwhile', async () => {
  const settings = { autoEnroll: true };
  await ledger.execute({ ...base, type: 'realm.create', name: 'Busy', settings });
  await credit();
  const { reader } = new Projections(readers, projectors);
  const params = { realmId: 'busy', memberId: '1', at: Date.now(), realmPointId: null };
  const standing = () => reader.standing({ ...params, window: 'all' });
  await Promise.all(Array.from({ length: 40 }, standing));
  assert.ok(projectors.uses <= 3, `projected ${projectors.uses} times`);
});

test('a journal that ends before the realm’s last seq does not block queries', async () => {
  const realm = { ...base, realmId: 'damaged' };
  const settings = { autoEnroll: true };
  await ledger.execute({ ...realm, type: 'realm.create', name: 'Damaged', settings });
  for (let round = 0; round < 3; round++) {
    await ledger.execute({ ...realm, ...points, type: 'points.change' });
  }
  await own.exec(`DELETE FROM journal WHERE realm_id = 'damaged' AND seq = 5`);
  const span = { realmPointId: null, type: null, from: null, to: null, before: null, limit: 9 };
  const start = performance.now();
  const read = () => ledger.query('statement', { realmId: 'damaged', memberId: '1', ...span });
  const all = await Promise.all(Array.from({ length: 10 }, read));
  const took = performance.now() - start;
  assert.ok(took < 4_000, `a query waited for ${Math.round(took)} ms`);
  for (const found of all)
    assert.deepEqual(
      found?.rows.map(({ transactionId }) => transactionId),
      [4, 3],
    );
});

test('a realm with little to project waits for one of the others, not for each', async () => {
  const pool = new ExclusivePool(database, 1);
  const order: string[] = [];
  const use = (line: string, cost: number) =>
    pool.use(async () => void order.push(line), { line, cost });
  const heavy = ['a', 'b', 'c', 'd'].map((line) => use(line, 2_000));
  await Promise.all([...heavy, use('light', 1)]);
  assert.deepEqual(order, ['a', 'light', 'b', 'c', 'd']);
});

test('work in the background leaves a connection to readers', async () => {
  const pool = new ExclusivePool(database, 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const background = ['first', 'second'].map((name) =>
    pool.useInBackground(async () => {
      await promise;
      order.push(name);
    }),
  );
  await pool.use(async () => void order.push('reader'), { line: 'acme', cost: 1 });
  resolve();
  await Promise.all(background);
  assert.deepEqual(order, ['reader', 'first', 'second']);
});
