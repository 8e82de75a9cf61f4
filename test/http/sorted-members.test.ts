import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

const service = await serviceForFile();
const realm = await service.realm('acme');

interface Listed {
  id: string;
  balances: Record<string, number>;
  createdAt: string;
}

/** All members in an order, page by page. */
async function walk(
  query: string,
  limit: number,
  onPage = async () => {},
  within = realm,
): Promise<Listed[]> {
  const members: Listed[] = [];
  let path = `/members?${query}&limit=${limit}`;
  for (;;) {
    const { items, nextCursor } = (await within.expect(200, 'GET', path)).json;
    assert.ok(items.length <= limit);
    members.push(...items);
    if (nextCursor === null) return members;
    await onPage();
    // The cursor brings the order along.
    path = `/members?cursor=${nextCursor}&limit=${limit}`;
  }
}

const ids = (members: Listed[]): string[] => members.map(({ id }) => id);

await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
/** Balances with ties, and ids whose order as text is not that as numbers. */
const all = Array.from({ length: 120 }, (_, index) => ({
  id: index % 7 === 0 ? String(2n ** 60n + BigInt(index)) : String(index + 1),
  points: (index * 37) % 11,
  gems: index % 3,
}));
for (const { id, points, gems } of all) {
  const members = [{ id, balances: { points, gems } }];
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
}
await realm.expect(204, 'DELETE', `/members/${all[5]?.id}?forfeit=true`);
const present = all.filter((_, index) => index !== 5);

const compareIds = (a: string, b: string): number => (BigInt(a) < BigInt(b) ? -1 : 1);

test('by balance: the highest first, then by id, in any kind', async () => {
  for (const [query, kind] of [
    ['sort=-balance', 'points'],
    ['sort=-balance&realmPointId=gems', 'gems'],
  ] as const) {
    const expected = present.toSorted((a, b) => b[kind] - a[kind] || compareIds(a.id, b.id));
    for (const limit of [7, 50, 500]) {
      const found = await walk(query, limit);
      assert.deepEqual(
        ids(found),
        expected.map(({ id }) => id),
      );
      assert.ok(found.every((member, at) => member.balances[kind] === expected[at]?.[kind]));
    }
  }
});

test('by age: the newest first, each once while others are enrolled', async () => {
  for (const limit of [7, 50, 500]) {
    let next = 9_000 + limit * 10;
    const before = new Set(ids(await walk('sort=-createdAt', 500)));
    const found = await walk('sort=-createdAt', limit, async () => {
      next += 1;
      await realm.member(String(next));
    });
    assert.deepEqual(new Set(ids(found)), before);
    assert.equal(found.length, before.size);
    const instants = found.map(({ createdAt }) => createdAt);
    assert.deepEqual(instants, instants.toSorted().reverse());
  }
});

test('by name: the display name or the handle, whatever the case, then by id', async () => {
  const named = await service.realm('named');
  const names = ['bea', 'Ann', 'ann', 'Zoë', 'élodie', '名前', ':1', "o'hara\n", null, '🐸', null];
  for (const [index, name] of names.entries()) {
    const fields = index % 2 === 0 ? { displayName: name, username: 'aaa' } : { username: name };
    await named.member(String(100 - index), 0, name === null ? {} : fields);
  }
  const order = names
    .map((name, index) => ({
      id: 100 - index,
      text: Buffer.from(name?.toLowerCase() ?? '\u{10ffff}'),
    }))
    .toSorted((a, b) => Buffer.compare(a.text, b.text) || a.id - b.id)
    .map(({ id }) => String(id));
  for (const limit of [1, 3, 500]) {
    assert.deepEqual(ids(await walk('sort=name', limit, undefined, named)), order);
  }
  await named.expect(200, 'PATCH', '/members/100', { body: { displayName: '0' } });
  assert.equal(ids(await walk('sort=name', 1, undefined, named))[0], '100');
});

test('an order takes no filters, and only its own cursors', async () => {
  for (const filter of ['search=a', 'account=discord:1']) {
    assertFaults(await realm.send('GET', `/members?sort=-balance&${filter}`), '/query/sort');
  }
  assertFaults(await realm.send('GET', '/members?sort=balance'), '/query/sort');
  const unknown = await realm.send('GET', '/members?sort=-balance&realmPointId=none');
  assertProblem(unknown, 'realm-point-not-found', { realmPointId: 'none' });
  const page = async (query: string) =>
    (await realm.expect(200, 'GET', `/members?${query}&limit=1`)).json.nextCursor;
  const cursor = await page('sort=-balance');
  const other = await realm.send('GET', `/members?sort=-createdAt&cursor=${cursor}`);
  assertFaults(other, '/query/cursor');
  assert.ok(await page('sort=id'));
});
