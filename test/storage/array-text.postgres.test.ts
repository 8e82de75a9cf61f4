import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Connection } from '../../src/store/postgres/connection.ts';
import { statement } from '../../src/store/postgres/statement.ts';
import { newPostgresDatabase } from '../support/database.ts';

/** PostgreSQL reads the values of an array as they were written. */
const database = await newPostgresDatabase();
const connection = await Connection.open({ url: database.url, purpose: 'test' });
after(async () => {
  await connection.close();
  await database.drop();
});

const echo = statement<{ value: string | null }, [(string | null)[]]>(
  'SELECT value FROM unnest($1::text[]) WITH ORDINALITY AS one(value, n) ORDER BY n',
);

const hostile = fc
  .string({ unit: fc.constantFrom(...'"\\{},\n\t\x1f\x7f\x85 aN', 'é', '\u2028', '😀', 'NULL') })
  .map((text) => (text.length % 5 === 4 ? text.repeat(10_000) : text));
const json = fc.object().map((value) => JSON.stringify(value));

test('every text is read as it was written', async () => {
  const values = fc.array(fc.option(fc.oneof(hostile, json)), { maxLength: 120, size: 'max' });
  await fc.assert(
    fc.asyncProperty(values, async (written) => {
      const read = (await connection.query(echo, written)).map(({ value }) => value);
      assert.deepEqual(read, written);
    }),
    { numRuns: 60 },
  );
});
