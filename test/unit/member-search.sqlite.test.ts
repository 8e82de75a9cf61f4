import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchKey } from '../../src/domain/rules/search.ts';
import { searchReaders } from '../../src/store/readers/member-search.ts';
import { migrate, openForWriting } from '../../src/store/sqlite/database.ts';
import { SqliteDriver } from '../../src/store/sqlite/driver.ts';
import type { Operation } from '../../src/store/statement.ts';

/** An index of members that have these words, in the order of their ids; counts what is read. */
function indexOf(members: string[][]) {
  const db = openForWriting(':memory:');
  migrate(db);
  const add = db.prepare('INSERT INTO member_words VALUES (?, ?, ?, ?)');
  db.exec('BEGIN');
  members.forEach((words, index) => {
    for (const word of words) {
      const others = words.filter((other) => other !== word).join(' ');
      add.run('acme', word, index + 1, others);
    }
  });
  db.exec('COMMIT');
  const driver = new SqliteDriver(db);
  const read = { times: 0, words: 0 };
  function* counted<T>(operation: Operation<T>): Operation<T> {
    let step = operation.next();
    while (!step.done) {
      const results = yield step.value;
      for (const rows of results as { others?: string }[][]) {
        if (rows[0]?.others === undefined) continue;
        read.times += 1;
        read.words += rows.length;
      }
      step = operation.next(results);
    }
    return step.value;
  }
  const search = (text: string, after: SearchKey | null = null, limit = 50) => {
    const params = { realmId: 'acme', search: text, status: null, after, limit, now: 0 };
    return driver.run(counted(searchReaders.searchMembers(params)));
  };
  return { read, search };
}

test('a search with one term reads no more words than it shows, and one more', () => {
  const { read, search } = indexOf(Array.from({ length: 1_000 }, () => ['ANN']));
  search('a');
  assert.deepEqual(read, { times: 1, words: 51 });
});

test('a search walks the words of its rarest term', () => {
  const { read, search } = indexOf(
    Array.from({ length: 10_000 }, (_, index) => (index % 100 === 0 ? ['ANN', 'SMITH'] : ['ANN'])),
  );
  assert.equal(search('ann smith', null, 500).next, null);
  assert.equal(read.words, 100);
});

test('a search of common terms that never meet ends its page early', () => {
  const { read, search } = indexOf(
    Array.from({ length: 60_000 }, (_, index) => (index % 2 === 0 ? ['ALPHA'] : ['BETA'])),
  );
  let pages = 1;
  for (let { next } = search('alpha beta'); next; pages++) {
    assert.ok(read.words <= pages * 8_000, `${read.words} words for ${pages} pages`);
    ({ next } = search('alpha beta', next));
  }
  assert.deepEqual([pages, read.words], [4, 30_000]);
});
