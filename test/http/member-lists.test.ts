import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Searching members and paging through lists. */
const service = await serviceForFile();
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

async function find(realm: TestRealm, filters: Record<string, string>): Promise<string[]> {
  const query = new URLSearchParams({ limit: '500', ...filters });
  const reply = await realm.expect(200, 'GET', `/members?${query}`);
  return reply.json.items.map((member: { id: string }) => member.id);
}

test('search finds part of either name, case-insensitively and literally', async () => {
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
    'e br': ['1'],
    élod: ['3'],
    ÉLOD: ['3'],
    οδυσσ: ['4'],
    дмитрий: ['4'],
    '%': ['5'],
    _: ['5'],
    "'": ['6'],
    '"': ['6'],
    "' OR 1=1 --": [],
    '\\': ['7'],
    '🐸': ['8'],
    '*': ['8'],
    '?': ['8'],
    null: [],
  };
  for (const [search, ids] of Object.entries(found)) {
    assert.deepEqual(await find(realm, { search }), ids, search);
  }
  await realm.expect(200, 'PATCH', '/members/1', { body: { username: 'carol' } });
  assert.deepEqual(await find(realm, { search: 'alice' }), []);
  assert.deepEqual(await find(realm, { search: 'CAROL' }), ['1']);
});

test('search: letters with two lower cases are found in upper case', async () => {
  const realm = await service.realm('sigma');
  await realm.member('1', 0, { username: 'Οδυσσέας' });
  assert.deepEqual(await find(realm, { search: 'οδυσ' }), ['1']);
  assert.deepEqual(await find(realm, { search: 'ΟΔΥΣ' }), ['1']);
});

test('search does not match across the two names', async () => {
  const realm = await service.realm('between');
  await realm.member('1', 0, { username: 'alice', displayName: 'Brave' });
  await realm.member('2');
  for (const search of [
    '\n',
    'alice\nbrave',
    '\0',
    'alice\0brave',
    'alicebrave',
    'alice brave',
    'null',
  ]) {
    assert.deepEqual(await find(realm, { search }), [], JSON.stringify(search));
  }
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
      cursor === '' ? `limit=1&search=${encodeURIComponent('N & C')}` : `limit=1${cursor}`;
    return (await realm.expect(200, 'GET', `/members?${query}`)).json;
  });
  assert.deepEqual(found, ['3', '6', '9', '12']);
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
