import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { forCluster } from '../../src/store/postgres/citus/rewrite.ts';
import { statements } from '../../src/store/postgres/statement.ts';
import '../../src/store/postgres/store.ts';

/** The texts that a Citus cluster gets in place of the plain ones; no cluster is needed here. */
const pinned = readFileSync(new URL('./cluster-statements.sql', import.meta.url), 'utf8')
  .split(/;\n+/)
  .filter((text) => text !== '');

/** Batches on a cluster are single-realm and never decided from the cache. */
const unused = /unnest\(\$1::text\[\]|cache_valid/;

test('a cluster gets exactly these texts in place of the plain ones', () => {
  const rewritten = statements.filter((plain) => forCluster(plain) !== plain);
  assert.deepEqual(rewritten.map((plain) => forCluster(plain).text).toSorted(), pinned.toSorted());
  for (const plain of rewritten) assert.notEqual(forCluster(plain).name, plain.name);
});

test('nothing that needs another text on a cluster is left as it is', () => {
  const texts = statements.map((plain) => forCluster(plain).text);
  const left = texts.filter((text) => /SELECT \$1,|\bctid\b/.test(text) && !unused.test(text));
  assert.deepEqual(
    left.map((text) => /^(INSERT INTO|DELETE FROM) \w+/.exec(text)?.[0]),
    // One realm's row and a table on every server; a cluster deletes expired rows per realm.
    [
      'INSERT INTO realms',
      'INSERT INTO key_directory',
      'DELETE FROM idempotency_keys',
      'DELETE FROM challenges',
    ],
  );
});
