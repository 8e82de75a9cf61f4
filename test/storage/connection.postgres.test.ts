import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { objectsOf, type Result } from '../../src/store/postgres/pipeline.ts';
import type { PgStatement, Sql } from '../../src/store/postgres/statement.ts';
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

/** One statement of a pipeline. */
const one = <Row, Args extends Sql[]>(statement: PgStatement<Row, Args>, ...values: Args) => ({
  statement: statement as PgStatement<unknown, never>,
  values,
});

const rowsOf = (result: Result | undefined): object[] | undefined => result && objectsOf(result);

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
  for (const _ of ['prepared now', 'prepared before']) {
    statements += 2;
    const results = await connection.execute([
      one(put, statements, 'one "quoted" \\ word'),
      one(all, statements),
      one(put, statements + 1, null),
      one(all, statements),
      one(odd),
    ]);
    const first = { id: statements, name: 'one "quoted" \\ word' };
    assert.deepEqual(results.map(rowsOf), [
      [],
      [first],
      [],
      [first, { id: statements + 1, name: null }],
      [{ yes: true, json: [1, { a: null }] }],
    ]);
    assert.deepEqual(
      results.map(({ count }) => count),
      [1, 1, 1, 2, 1],
    );
  }
});

test('a failure fails and undoes the whole pipeline', async (t) => {
  const connection = await connected(t);
  const id = 1_000_000;
  const put = fresh<never, [number]>('INSERT INTO things VALUES ($1)');
  const divide = fresh<{ result: number }, [number]>('SELECT 1 / $1::int AS result');
  const count = fresh<{ count: number }, [number]>('SELECT count(*) FROM things WHERE id = $1');
  const ask = (divisor: number) =>
    connection.execute([one(put, id), one(divide, divisor), one(count, id)]);
  await assert.rejects(ask(0), { code: '22012' });
  // The first two were prepared, the third was not reached: each is remembered correctly.
  const [, divided, counted] = await ask(1);
  assert.deepEqual([rowsOf(divided), rowsOf(counted)], [[{ result: 1 }], [{ count: 1 }]]);
});

test('a statement that cannot be prepared fails every time, and affects no other', async (t) => {
  const connection = await connected(t);
  const wrong = fresh<never, []>('SELECT * FROM no_such_table');
  const right = fresh<{ one: number }, []>('SELECT 1 AS one');
  for (const _ of ['first', 'second']) {
    const [failed, other] = await Promise.allSettled([
      connection.query(wrong),
      connection.query(right),
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
      connection.execute([one(other), one(divide, divisor)]),
    );
    const [three, none, four] = await Promise.allSettled(pipelines);
    assert.deepEqual(three?.status === 'fulfilled' && rowsOf(three.value[1]), [{ result: 4 }]);
    assert.equal(none?.status, 'rejected');
    assert.deepEqual(four?.status === 'fulfilled' && rowsOf(four.value[1]), [{ result: 3 }]);
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
  const ask = (id: number) => connection.execute([one(put, id), one(look, id)]);
  // The second does not rely on the first, which may still fail; both are sent in one write.
  await Promise.all([ask(2_000_001), ask(2_000_002)]);
  assert.deepEqual((await ask(2_000_003)).map(rowsOf), [[], [{ id: 2_000_003 }]]);
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

test('a pipeline may take as long as the server works on it', async (t) => {
  const connection = await connected(t);
  const sleep = fresh<{ slept: boolean }, []>('SELECT pg_sleep(3) IS NULL AS slept');
  const answers = await connection.execute([one(sleep), one(sleep), one(sleep)]);
  assert.equal(answers.length, 3);
});

test('an empty pipeline sends nothing', async (t) => {
  const connection = await connected(t);
  assert.deepEqual(await connection.execute([]), []);
  assert.equal(connection.pending, 0);
});

test('a lost connection fails every statement of a pipeline', async (t) => {
  const proxy = await CuttingProxy.start(database.url);
  t.after(() => proxy.stop());
  const connection = await connected(t, proxy.url);
  const say = fresh<{ said: string }, [string]>('SELECT $1::text AS said');
  proxy.poison = 'poison';
  await assert.rejects(connection.execute([one(say, 'fine'), one(say, 'poison')]));
  assert.ok(connection.isLost);
});
