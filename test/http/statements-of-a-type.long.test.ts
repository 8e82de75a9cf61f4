import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeMany, newKind, walk } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Statements of one type, where its movements are few among more than a page looks through. */
const service = await serviceForFile();
type Row = Reply['json'];

/** As many as a page looks through. */
const MANY = 10_000;
const STATEMENT = '/members/1/transactions';

/** Of five movements in turn. */
const KINDS = ['points', 'points', 'points', 'points', 'gems'];

const change = async (realm: TestRealm, count: number, tokens: number, kinds = KINDS) => {
  const entries = Array.from({ length: count }, (_, index) => ({
    memberId: 1,
    tokens,
    realmPointId: kinds[index % kinds.length],
  }));
  await changeMany(realm, entries);
};

/** A member who spent at the beginning, twice in between and at the end, and gained in between. */
async function realmWithFewDebits(): Promise<TestRealm> {
  const realm = await service.realm('few');
  await realm.member('1', 1_000);
  await newKind(realm, 'gems', { minimumBalance: -1_000 });
  await newKind(realm, 'stars');
  await change(realm, 5, -1);
  await change(realm, 3, 1, ['stars']);
  await change(realm, MANY, 1);
  await change(realm, 7, -1);
  await change(realm, MANY, 1, ['points']);
  await change(realm, 10, -1);
  await change(realm, 4_000, 1);
  await change(realm, 5, -1);
  return realm;
}

const realm = await realmWithFewDebits();
const all = await walk(realm, `${STATEMENT}?limit=500`);

/** All pages of a list, none of which has more than the limit. */
async function pagesOf(query: string, limit: number): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let cursor = ''; ; ) {
    const path = `${STATEMENT}?${query}&limit=${limit}${cursor}`;
    const { items, nextCursor } = (await realm.expect(200, 'GET', path)).json;
    assert.ok(items.length <= limit);
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = `&cursor=${nextCursor}`;
  }
}

const DEBITS = 'type=points.subtracted';
const isDebit = ({ type }: Row): boolean => type === 'points.subtracted';

test('the pages have every movement of the type once, newest first', async () => {
  assert.equal(all.length, 1 + 27 + 3 + 2 * MANY + 4_000);
  assert.equal(all.filter(isDebit).length, 27);
  for (const kind of [null, 'points', 'gems', 'stars']) {
    const query = kind === null ? DEBITS : `${DEBITS}&realmPointId=${kind}`;
    const expected = all.filter(
      (row) => isDebit(row) && (kind === null || row.realmPointId === kind),
    );
    for (const limit of [1, 4, 27, 500]) {
      assert.deepEqual((await pagesOf(query, limit)).flat(), expected, `${query} by ${limit}`);
    }
  }
});

test('a page ends where it stopped looking, even without a row', async () => {
  const lengths = (await pagesOf(`${DEBITS}&realmPointId=points`, 500)).map(({ length }) => length);
  // The first looks through 3,200 and some of 10,000 credits, the second through the rest of them.
  assert.deepEqual(lengths, [12, 6, 4]);
  for (const query of ['type=points.reversed', 'type=points.reversed&realmPointId=points']) {
    const pages = await pagesOf(query, 50);
    assert.ok(pages.every(({ length }) => length === 0));
    // With several kinds, each has a share.
    assert.ok(pages.length > 2 && pages.length <= 8, `${pages.length} pages`);
  }
  assert.deepEqual(await pagesOf('type=points.added&realmPointId=stars', 3), [
    all.filter(({ realmPointId }) => realmPointId === 'stars'),
  ]);
});

test('movements of a common type fill their pages', async () => {
  const pages = await pagesOf('type=points.added', 500);
  const expected = all.filter((row) => row.type === 'points.added');
  assert.deepEqual(pages.flat(), expected);
  assert.ok(pages.slice(0, -1).every(({ length }) => length === 500));
});

test('a range of time is looked through to its end', async () => {
  const [newest, oldest] = [all.filter(isDebit)[4], all.at(-1)];
  for (const [from, to] of [
    [oldest.at, newest.at],
    [newest.at, '2999-01-01T00:00:00Z'],
  ]) {
    const expected = all.filter((row) => isDebit(row) && row.at >= from && row.at < to);
    const pages = await pagesOf(`${DEBITS}&from=${from}&to=${to}`, 10);
    assert.deepEqual(pages.flat(), expected);
  }
});
