import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import type { PgStatement } from '../../src/store/postgres/statement.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** The statements of a pipeline are executed in order and fail as one. */
const database = await newPostgresDatabase();
await database.exec('CREATE TABLE things (id bigint PRIMARY KEY, name text)');
after(() => database.drop());

let statements = 0;
/** A statement that no connection has prepared yet. */
function fresh<Row, Args extends (string | number | null)[]>(text: string): PgStatement<Row, Args> {
  statements += 1;
  return { name: `test ${statements}`, text };
}

/** The type letters of the messages that a client sends. */
function lettersOf(chunk: Buffer): string {
  let letters = '';
  for (let at = 0; at < chunk.length; at += 1 + chunk.readInt32BE(at + 1)) {
    letters += String.fromCharCode(chunk[at] as number);
  }
  return letters;
}

async function connected(t: TestContext, url = database.url): Promise<Connection> {
  const connection = await Connection.open({ url, purpose: 'test' });
  t.after(() => connection.close());
  return connection;
}

test('the results of a pipeline come in order, each with its own rows', async (t) => {
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
    assert.deepEqual(await connection.pipeline(ask), [
      1,
      [first],
      1,
      [first, { id: statements + 1, name: null }],
      [{ yes: true, json: [1, { a: null }] }],
    ]);
  }
});

test('a failure fails and undoes the whole pipeline', async (t) => {
  const connection = await connected(t);
  const id = 1_000_000;
  const put = fresh<never, [number]>('INSERT INTO things VALUES ($1)');
  const divide = fresh<{ result: number }, [number]>('SELECT 1 / $1::int AS result');
  const count = fresh<{ count: number }, [number]>('SELECT count(*) FROM things WHERE id = $1');
  const ask = (divisor: number) =>
    connection.pipeline(() =>
      Promise.allSettled([
        connection.change(put, id),
        connection.query(divide, divisor),
        connection.query(count, id),
      ]),
    );
  const failed = await ask(0);
  const reasons = failed.map((one) => one.status === 'rejected' && one.reason.code);
  assert.deepEqual(reasons, ['22012', '22012', '22012']);
  // The first two were prepared, the third was not reached: each is remembered correctly.
  const done = await ask(1);
  assert.deepEqual(
    done.map((one) => one.status === 'fulfilled' && one.value),
    [1, [{ result: 1 }], [{ count: 1 }]],
  );
});

test('a statement that cannot be prepared fails every time, and affects no other', async (t) => {
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

test('pipelines follow each other without waiting, and fail separately', async (t) => {
  const connection = await connected(t);
  const divide = fresh<{ result: number }, [number]>('SELECT 12 / $1::int AS result');
  const other = fresh<{ one: number }, []>('SELECT 1 AS one');
  for (const _ of ['not yet prepared', 'prepared']) {
    const pipelines = [3, 0, 4].map((divisor) =>
      connection.pipeline(() =>
        Promise.all([connection.query(other), connection.query(divide, divisor)]),
      ),
    );
    const [three, none, four] = await Promise.allSettled(pipelines);
    assert.deepEqual(three?.status === 'fulfilled' && three.value[1], [{ result: 4 }]);
    assert.equal(none?.status, 'rejected');
    assert.deepEqual(four?.status === 'fulfilled' && four.value[1], [{ result: 3 }]);
  }
});

test('a statement is prepared until the server has confirmed it', async (t) => {
  const proxy = await CuttingProxy.start(database.url);
  t.after(() => proxy.stop());
  const connection = await connected(t, proxy.url);
  const sent: string[] = [];
  proxy.onSent = (chunk) => sent.push(lettersOf(chunk));
  const put = fresh<never, [number]>('INSERT INTO things VALUES ($1)');
  const look = fresh<{ id: number }, [number]>('SELECT id FROM things WHERE id = $1');
  const ask = (id: number) =>
    connection.pipeline(() =>
      Promise.all([connection.change(put, id), connection.query(look, id)]),
    );
  // The second does not rely on the first, which may still fail; both are sent in one write.
  await Promise.all([ask(2_000_001), ask(2_000_002)]);
  assert.deepEqual(await ask(2_000_003), [1, [{ id: 2_000_003 }]]);
  const prepared = 'CPDBECPDBES';
  assert.deepEqual(sent, [prepared + prepared, 'BEBES']);
});

test('a statement whose plan is outdated or missing is prepared again', async (t) => {
  const connection = await connected(t);
  const all = fresh<object, []>('SELECT * FROM things LIMIT 0');
  await connection.query(all);
  await database.exec('ALTER TABLE things ADD COLUMN more text');
  await assert.rejects(connection.query(all), /cached plan/);
  await connection.query(all);
  await connection.run('DEALLOCATE ALL');
  await assert.rejects(connection.query(all), { code: '26000' });
  await connection.query(all);
});

test('what would be sent in another order than it was called is rejected', async (t) => {
  const connection = await connected(t);
  const one = fresh<{ one: number }, []>('SELECT 1 AS one');
  const nest = () => connection.pipeline(() => connection.pipeline(() => connection.query(one)));
  assert.throws(nest, /a pipeline within a pipeline/);
  await assert.rejects(
    connection.pipeline(() => connection.run('SELECT 1')),
    /before its pipeline/,
  );
  let asked: Promise<unknown> | null = null;
  const fail = () =>
    connection.pipeline(() => {
      asked = connection.query(one);
      throw new RangeError('made up');
    });
  assert.throws(fail, RangeError);
  await assert.rejects(asked as unknown as Promise<unknown>, RangeError);
  assert.deepEqual(await connection.query(one), [{ one: 1 }]);
});

test('a pipeline may take as long as the server works on it', async (t) => {
  const connection = await connected(t);
  const sleep = fresh<{ slept: boolean }, []>('SELECT pg_sleep(4) IS NULL AS slept');
  const ask = () => connection.query(sleep);
  const answers = await connection.pipeline(() => Promise.all([ask(), ask(), ask()]));
  assert.equal(answers.length, 3);
});

test('an empty pipeline sends nothing', async (t) => {
  const connection = await connected(t);
  assert.equal(await connection.pipeline(async () => 'done'), 'done');
  assert.equal(connection.pending, 0);
});

test('a lost connection fails every statement of a pipeline', async (t) => {
  const proxy = await CuttingProxy.start(database.url);
  t.after(() => proxy.stop());
  const connection = await connected(t, proxy.url);
  const say = fresh<{ said: string }, [string]>('SELECT $1::text AS said');
  proxy.poison = 'poison';
  const results = await connection.pipeline(() =>
    Promise.allSettled([connection.query(say, 'fine'), connection.query(say, 'poison')]),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.ok(connection.isLost);
});
