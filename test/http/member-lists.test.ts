import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Searching members and paging through lists. */
const service = await serviceForFile();
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

async function find(realm: TestRealm, filters: Record<string, string>): Promise<string[]> {
  const query = new URLSearchParams({ limit: '500', ...filters });
  const reply = await realm.expect(200, 'GET', `/members?${query}`);
  return reply.json.items.map((member: { id: string }) => member.id);
}

test('search finds the beginnings of words, ignoring case and accents, literally', async () => {
  const realm = await service.realm('search');
  const names: [username: string | null, displayName: string | null][] = [
    ['Alice', 'The Brave'],
    ['bob', 'ALICIA'],
    ['ÉLODIE', null],
    ['ΟΔΥΣΣΕΥΣ', 'ДМИТРИЙ'],
    ['100%', 'a_b'],
    ["o'hara", 'say "hi"'],
    [null, 'back\\slash'],
    ['🐸', 'x*y?'],
    [null, null],
  ];
  for (const [index, [username, displayName]] of names.entries()) {
    await realm.member(String(index + 1), 0, { username, displayName });
  }
  const found: Record<string, string[]> = {
    ali: ['1', '2'],
    ALICE: ['1'],
    'alice brave': ['1'],
    'bra THE': ['1'],
    'the  bravest': [],
    lice: [],
    'e br': [],
    élod: ['3'],
    ELOD: ['3'],
    e\u0301lodi: ['3'],
    οδυσσ: ['4'],
    дмитрий: ['4'],
    '100%': ['5'],
    a_: ['5'],
    b: ['5', '7', '2', '1'],
    '%': [],
    _: [],
    "o'h": ['6'],
    hara: ['6'],
    '"': ['6'],
    "' OR 1=1 --": [],
    'back\\s': ['7'],
    slash: ['7'],
    '🐸': ['8'],
    'x*': ['8'],
    '*': [],
    null: [],
  };
  for (const [search, ids] of Object.entries(found)) {
    assert.deepEqual(await find(realm, { search }), ids, search);
  }
  await realm.expect(200, 'PATCH', '/members/1', { body: { username: 'carol' } });
  assert.deepEqual(await find(realm, { search: 'alice' }), []);
  assert.deepEqual(await find(realm, { search: 'CAROL' }), ['1']);
});

test('many members by their ids, in one call', async () => {
  const realm = await service.realm('named');
  const large = '9223372036854775807';
  for (const id of ['7', '42', '43', large]) await realm.member(id);
  await realm.expect(204, 'DELETE', '/members/43');
  assert.deepEqual(await find(realm, { ids: `${large},42,7,42,43,8` }), ['7', '42', large]);
  const { json } = await realm.expect(200, 'GET', '/members?ids=7,42&limit=1');
  assert.deepEqual([json.items[0].id, json.items.length], ['7', 1]);
  const next = await realm.expect(200, 'GET', `/members?cursor=${json.nextCursor}`);
  assert.deepEqual([next.json.items[0].id, next.json.nextCursor], ['42', null]);
  await realm.expect(200, 'POST', '/members/batch', {
    body: { members: Array.from({ length: 90 }, (_, index) => ({ id: String(index + 101) })) },
  });
  const many = Array.from({ length: 100 }, (_, index) => String(index + 95));
  assert.deepEqual(await find(realm, { ids: many.join(), limit: '100' }), many.slice(6, 96));
  const forged = JSON.stringify(['listMembers named', '42', { ids: '7,42' }]);
  const cursor = Buffer.from(forged).toString('base64url');
  const end = await realm.expect(200, 'GET', `/members?cursor=${cursor}`);
  assert.deepEqual([end.json.items, end.json.nextCursor], [[], null]);
  assert.deepEqual(await find(realm, { ids: '42' }), ['42']);
  const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();
  for (const ids of ['', '0', '7,', 'x', '9223372036854775808', tooMany]) {
    assertFaults(await realm.send('GET', `/members?ids=${ids}`), '/query/ids');
  }
  for (const more of ['search=a', 'status=active', 'sort=-balance']) {
    assertFaults(await realm.send('GET', `/members?ids=7&${more}`), '/query/ids');
  }
});

test('search: letters with two lower cases are found in upper case', async () => {
  const realm = await service.realm('sigma');
  await realm.member('1', 0, { username: 'Οδυσσέας' });
  assert.deepEqual(await find(realm, { search: 'οδυσ' }), ['1']);
  assert.deepEqual(await find(realm, { search: 'ΟΔΥΣ' }), ['1']);
});

test('a search without words finds nobody', async () => {
  const realm = await service.realm('between');
  await realm.member('1', 0, { username: 'alice', displayName: 'Brave' });
  await realm.member('2');
  for (const search of ['\n', ' ', '\0', 'alicebrave', 'null', '\u0301']) {
    assert.deepEqual(await find(realm, { search }), [], JSON.stringify(search));
  }
  assert.deepEqual(await find(realm, { search: 'alice\nbrave' }), ['1']);
});

test('a search sees the writes before it', async () => {
  const realm = await service.realm('fresh', { autoEnroll: true });
  await realm.member('1', 0, { username: 'ann', displayName: 'Queen' });
  assert.deepEqual(await find(realm, { search: 'ann' }), ['1']);
  await realm.expect(200, 'PATCH', '/members/1', { body: { username: 'bea' } });
  assert.deepEqual(await find(realm, { search: 'ann' }), []);
  assert.deepEqual(await find(realm, { search: 'bea queen' }), ['1']);
  await realm.expect(200, 'PATCH', '/members/2/tokenBalance', { body: { tokens: 1 } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { displayName: 'Beatrix' } });
  assert.deepEqual(await find(realm, { search: 'bea' }), ['1', '2']);
  await realm.expect(204, 'DELETE', '/members/1');
  assert.deepEqual(await find(realm, { search: 'bea' }), ['2']);
  await realm.member('1', 0, { username: 'beatrice' });
  assert.deepEqual(await find(realm, { search: 'bea' }), ['1', '2']);
  assert.deepEqual(await find(realm, { search: 'queen' }), []);
});

test('the cursor of a search continues that search only', async () => {
  const realm = await service.realm('cursors');
  for (let id = 1; id <= 3; id++) await realm.member(String(id), 0, { username: `ann${id}` });
  const first = (await realm.expect(200, 'GET', '/members?search=ann&limit=1')).json;
  const [list, key, filters] = JSON.parse(Buffer.from(first.nextCursor, 'base64url').toString());
  assert.equal(key, 'ANN1 1');
  const forged = (after: unknown, with_: object = filters) =>
    Buffer.from(JSON.stringify([list, after, with_])).toString('base64url');
  const keys = ['1', 'ANN1', 'ANN1 ', ' 1', 'BEA 1', 'ANN1 x', 'ANN1 1 1', 'ann1 1', '', 5, null];
  for (const after of keys) {
    await realm.expect(400, 'GET', `/members?cursor=${forged(after)}`);
  }
  for (const with_ of [{}, { search: 'bea' }, { search: ' ' }, { ...filters, account: 'x:1' }]) {
    await realm.expect(400, 'GET', `/members?cursor=${forged(key, with_)}`);
  }
  const rest = await realm.expect(200, 'GET', `/members?cursor=${forged('ANN1 5')}`);
  assert.deepEqual(
    rest.json.items.map(({ id }: { id: string }) => id),
    ['2', '3'],
  );
});

test('members are filtered by wallet, account, status, search and all of them', async () => {
  const realm = await service.realm('filters');
  const account = (id: string) => ({ provider: 'discord', id });
  await realm.member('1', 0, { username: 'ann', accounts: [account('7')], wallets: [WALLET] });
  await realm.member('2', 0, { username: 'anna', accounts: [account('a:b')] });
  await realm.member('3', 0, { username: 'bob' });
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'frozen' } });
  const other = await service.realm('filters-too');
  await other.member('9', 0, { accounts: [account('8')] });
  const cases: [filters: Record<string, string>, ids: string[]][] = [
    [{}, ['1', '2', '3']],
    [{ wallet: WALLET }, ['1']],
    [{ wallet: WALLET.toLowerCase() }, ['1']],
    [{ wallet: `0X${WALLET.slice(2).toUpperCase()}` }, ['1']],
    [{ wallet: 'rubbish' }, []],
    [{ account: 'discord:7' }, ['1']],
    [{ account: 'discord:a:b' }, ['2']],
    [{ account: 'discord:8' }, []],
    [{ account: 'telegram:7' }, []],
    [{ status: 'active' }, ['1', '3']],
    [{ status: 'frozen' }, ['2']],
    [{ status: 'frozen', search: 'AN' }, ['2']],
    [{ wallet: WALLET, account: 'discord:7' }, ['1']],
    [{ wallet: WALLET, account: 'discord:a:b' }, []],
    [{ wallet: WALLET, account: 'discord:none' }, []],
    [{ wallet: WALLET, status: 'frozen' }, []],
    [{ wallet: WALLET, search: 'bob' }, []],
    [{ account: 'discord:7', status: 'active', search: 'ann', wallet: WALLET }, ['1']],
  ];
  for (const [filters, ids] of cases) {
    assert.deepEqual(await find(realm, filters), ids, JSON.stringify(filters));
  }
});

/** Reads all pages of a list; `between` runs after each page. */
async function walk(
  next: (cursor: string) => Promise<{ items: { id: string }[]; nextCursor: string | null }>,
  between: (page: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let page = 0; ; page++) {
    const { items, nextCursor } = await next(cursor);
    ids.push(...items.map((item) => item.id));
    if (nextCursor === null) return ids;
    assert.ok(items.length > 0);
    cursor = `&cursor=${nextCursor}`;
    await between(page);
  }
}

const members = (realm: TestRealm, query: string) => async (cursor: string) =>
  (await realm.expect(200, 'GET', `/members?${query}${cursor}`)).json;

test('pages of any size contain every member once, ordered by id', async () => {
  const realm = await service.realm('pages');
  const ids = ['9223372036854775807', '9007199254740993', '10', '9', '1', '100', '2'];
  for (const id of ids) await realm.member(id);
  const inOrder = ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  for (const limit of [1, 2, 3, 6, 7, 8, 500]) {
    assert.deepEqual(await walk(members(realm, `limit=${limit}`)), inOrder, String(limit));
  }
});

test('members that stay appear exactly once while others join and leave', async () => {
  const realm = await service.realm('crowd', { autoEnroll: true });
  const all = Array.from({ length: 60 }, (_, index) => String((index + 1) * 10));
  const entries = all.map((memberId) => ({ memberId, tokens: 1 }));
  await realm.expect(200, 'PATCH', '/members/tokenBalance', { body: { entries } });
  const removed = new Set<string>();
  const between = async (page: number): Promise<void> => {
    const id = all[(page * 17) % all.length] ?? '';
    if (!removed.has(id)) await realm.expect(204, 'DELETE', `/members/${id}?forfeit=true`);
    removed.add(id);
    await realm.member(String(page * 60 + 5));
    await realm.member(String(page * 10 + 3));
    await realm.expect(200, 'PATCH', '/members/20', { body: { username: `renamed ${page}` } });
  };
  const ids = await walk(members(realm, 'limit=7'), between);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of all) assert.ok(ids.includes(id) || removed.has(id), id);
});

test('filters apply to every page', async () => {
  const realm = await service.realm('kept');
  for (let id = 1; id <= 12; id++) {
    await realm.member(String(id), 0, { username: id % 3 === 0 ? 'ann & co' : 'bob' });
  }
  const found = await walk(async (cursor) => {
    const query =
      cursor === '' ? `limit=1&search=${encodeURIComponent('co An &')}` : `limit=1${cursor}`;
    return (await realm.expect(200, 'GET', `/members?${query}`)).json;
  });
  assert.deepEqual(found, ['3', '6', '9', '12']);
});

test('a page by status ends after as many members as it may look at, and goes on', async () => {
  const realm = await service.realm('seldom');
  const ids = Array.from({ length: 1_100 }, (_, index) => String(index + 1));
  for (let at = 0; at < ids.length; at += 100) {
    const members = ids.slice(at, at + 100).map((id) => ({ id }));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  }
  await realm.expect(200, 'PATCH', '/members/1050', { body: { status: 'frozen' } });
  const first = (await realm.expect(200, 'GET', '/members?status=frozen&limit=1')).json;
  assert.deepEqual(first.items, []);
  const next = await realm.expect(200, 'GET', `/members?limit=1&cursor=${first.nextCursor}`);
  assert.deepEqual([next.json.items[0].id, next.json.nextCursor], ['1050', null]);
  assert.deepEqual(await find(realm, { status: 'frozen' }), ['1050']);
});

test('realms and keys have pages too', async () => {
  const realm = await service.realm('walked');
  for (let count = 0; count < 5; count++) await realm.issueKey(['read']);
  const keys = await walk(async (cursor) => {
    return (await realm.expect(200, 'GET', `/keys?limit=2${cursor}`)).json;
  });
  assert.equal(new Set(keys).size, 6);
  assert.equal(keys.length, 6);
  const realms = await walk(async (cursor) => {
    return (await service.expect(200, 'GET', `/api/v4/realms?limit=2${cursor}`)).json;
  });
  assert.ok(realms.includes('walked') && realms.includes('search'));
  assert.deepEqual(realms, [...new Set(realms)].sort());
});
