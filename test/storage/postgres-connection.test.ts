import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import type { Statement } from '../../src/store/postgres/statement.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** Statements that go out as one round are carried out in order and fail as one. */
const database = await newPostgresDatabase();
await database.exec('CREATE TABLE things (id bigint PRIMARY KEY, name text)');
after(() => database.drop());

let statements = 0;
/** A statement that no connection has prepared yet. */
function fresh<Row, Args extends (string | number | null)[]>(text: string): Statement<Row, Args> {
  statements += 1;
  return { name: `test ${statements}`, text, distributed: text };
}

async function connected(t: TestContext, url = database.url): Promise<Connection> {
  const connection = await Connection.open({ url, purpose: 'test' });
  t.after(() => connection.close());
  return connection;
}

test('the answers of a round come in order, each with its own rows', async (t) => {
  const connection = await connected(t);
  const put = fresh<never, [number, string | null]>('INSERT INTO things VALUES ($1, $2)');
  const all = fresh<{ id: number; name: string | null }, [number]>(
    'SELECT id, name FROM things WHERE id >= $1 ORDER BY id',
  );
  const odd = fresh<{ yes: boolean; json: unknown }, []>(
    `SELECT true AS yes, '[1, {"a": null}]'::json AS json`,
  );
  const ask = () =>
    Promise.all([
      connection.change(put, statements, 'one "quoted" \\ word'),
      connection.query(all, statements),
      connection.change(put, statements + 1, null),
      connection.query(all, statements),
      connection.query(odd),
    ]);
  for (const _ of ['prepared now', 'prepared before']) {
    statements += 2;
    const first = { id: statements, name: 'one "quoted" \\ word' };
    assert.deepEqual(await connection.round(ask), [
      1,
      [first],
      1,
      [first, { id: statements + 1, name: null }],
      [{ yes: true, json: [1, { a: null }] }],
    ]);
  }
});

test('a failure is that of the whole round, which then never was', async (t) => {
  const connection = await connected(t);
  const id = 1_000_000;
  const put = fresh<never, [number]>('INSERT INTO things VALUES ($1)');
  const divide = fresh<{ result: number }, [number]>('SELECT 1 / $1::int AS result');
  const count = fresh<{ count: number }, [number]>('SELECT count(*) FROM things WHERE id = $1');
  const ask = (divisor: number) =>
    connection.round(() =>
      Promise.allSettled([
        connection.change(put, id),
        connection.query(divide, divisor),
        connection.query(count, id),
      ]),
    );
  const failed = await ask(0);
  const reasons = failed.map((one) => one.status === 'rejected' && one.reason.code);
  assert.deepEqual(reasons, ['22012', '22012', '22012']);
  // The first was prepared, the second too, the third was never reached: each is known as it is.
  const done = await ask(1);
  assert.deepEqual(
    done.map((one) => one.status === 'fulfilled' && one.value),
    [1, [{ result: 1 }], [{ count: 1 }]],
  );
});

test('a statement that cannot be prepared fails every time, and harms no other', async (t) => {
  const connection = await connected(t);
  const wrong = fresh<never, []>('SELECT * FROM no_such_table');
  const one = fresh<{ one: number }, []>('SELECT 1 AS one');
  for (const _ of ['first', 'second']) {
    const [failed, other] = await Promise.allSettled([
      connection.query(wrong),
      connection.query(one),
    ]);
    assert.equal(failed.status === 'rejected' && failed.reason.code, '42P01');
    assert.deepEqual(other.status === 'fulfilled' && other.value, [{ one: 1 }]);
  }
});

test('rounds follow each other without waiting, each with its own end', async (t) => {
  const connection = await connected(t);
  const divide = fresh<{ result: number }, [number]>('SELECT 12 / $1::int AS result');
  const rounds = [3, 0, 4].map((divisor) =>
    connection.round(() => connection.query(divide, divisor)),
  );
  const [three, none, four] = await Promise.allSettled(rounds);
  assert.deepEqual(three?.status === 'fulfilled' && three.value, [{ result: 4 }]);
  assert.equal(none?.status, 'rejected');
  assert.deepEqual(four?.status === 'fulfilled' && four.value, [{ result: 3 }]);
});

test('an empty round asks nothing', async (t) => {
  const connection = await connected(t);
  assert.equal(await connection.round(async () => 'done'), 'done');
  assert.equal(connection.waiting, 0);
});

test('a connection that breaks fails every question of the round', async (t) => {
  const proxy = await CuttingProxy.start(database.url);
  t.after(() => proxy.stop());
  const connection = await connected(t, proxy.url);
  const say = fresh<{ said: string }, [string]>('SELECT $1::text AS said');
  proxy.poison = 'poison';
  const results = await connection.round(() =>
    Promise.allSettled([connection.query(say, 'fine'), connection.query(say, 'poison')]),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.ok(connection.isLost);
});
