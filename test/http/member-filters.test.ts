import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Members by several filters at once, compared with a look at each member. */
const service = await serviceForFile();
let realm: TestRealm;

interface Member {
  id: string;
  status: string;
  tags: string[];
  wallets: string[];
  balances: Record<string, number>;
  createdAt: string;
  lastActiveAt: string;
}

const TAGS = ['vip', 'VIP', 'helper', 'Early bird', "o'hara%"];

before(async () => {
  realm = await service.realm('filters');
  await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: 'Gems' } });
  for (let index = 1; index <= 60; index += 1) {
    const tags = TAGS.filter((_, at) => (index >> at) % 2 === 1);
    const wallets = index % 3 === 0 ? [`0x${String(index).padStart(40, '0')}`] : [];
    const name = { username: index % 2 === 0 ? `even${index}` : `odd${index}` };
    await realm.member(String(index * 7), (index % 5) * 10, { ...name, tags, wallets });
    if (index % 4 === 0) {
      const body = { tokens: index, realmPointId: 'gems' };
      await realm.expect(200, 'PATCH', `/members/${index * 7}/tokenBalance`, { body });
    }
    const status = index % 7 === 0 ? 'frozen' : 'active';
    if (index % 7 === 0)
      await realm.expect(200, 'PATCH', `/members/${index * 7}`, { body: { status } });
    if (index % 11 === 0) await realm.expect(204, 'DELETE', `/members/${index * 7}?forfeit=true`);
  }
});

async function all(query: Record<string, string>, limit = '500'): Promise<Member[]> {
  const found: Member[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const sent = new URLSearchParams({ ...query, limit, ...(cursor && { cursor }) });
    const { json } = await realm.expect(200, 'GET', `/members?${sent}`);
    assert.ok(json.items.length <= Number(limit));
    found.push(...json.items);
    cursor = json.nextCursor;
  }
  return found;
}

/** What each filter means. */
const passes: Record<string, (member: Member, value: string, kind: string) => boolean> = {
  status: ({ status }, value) => status === value,
  tags: ({ tags }, value) => value.split(',').every((tag) => tags.includes(tag)),
  hasWallet: ({ wallets }, value) => String(wallets.length > 0) === value,
  minimumBalance: ({ balances }, value, kind) => (balances[kind] ?? 0) >= Number(value),
  maximumBalance: ({ balances }, value, kind) => (balances[kind] ?? 0) <= Number(value),
  createdFrom: ({ createdAt }, value) => createdAt >= value,
  createdTo: ({ createdAt }, value) => createdAt < value,
  activeFrom: ({ lastActiveAt }, value) => lastActiveAt >= value,
  activeTo: ({ lastActiveAt }, value) => lastActiveAt < value,
};

const byId = (a: Member, b: Member): number => Number(a.id) - Number(b.id);
const orders: Record<string, (kind: string) => (a: Member, b: Member) => number> = {
  id: () => byId,
  '-balance': (kind) => (a, b) => (b.balances[kind] ?? 0) - (a.balances[kind] ?? 0) || byId(a, b),
  '-createdAt': () => (a, b) => b.createdAt.localeCompare(a.createdAt) || byId(b, a),
};

test('any filters together find whom they mean, in any order and pages, and count them', async () => {
  const members = await all({});
  assert.equal(members.length, 55);
  const instants = members.flatMap(({ createdAt, lastActiveAt }) => [createdAt, lastActiveAt]);
  const instant = fc.constantFrom(...instants);
  const tokens = fc.constantFrom('-1', '0', '10', '11', '40', '9007199254740991');
  const filters = fc.record(
    {
      status: fc.constantFrom('active', 'frozen'),
      tags: fc.subarray(TAGS, { minLength: 1, maxLength: 2 }).map(String),
      hasWallet: fc.constantFrom('true', 'false'),
      minimumBalance: tokens,
      maximumBalance: tokens,
      createdFrom: instant,
      createdTo: instant,
      activeFrom: instant,
      activeTo: instant,
    },
    { requiredKeys: [] },
  );
  const kind = fc.constantFrom('points', 'gems');
  const order = fc.constantFrom('id', '-balance', '-createdAt');
  const limit = fc.constantFrom('1', '3', '500');
  await fc.assert(
    fc.asyncProperty(filters, kind, order, limit, async (some, realmPointId, sort, limit) => {
      const hasKind = sort === '-balance' || 'minimumBalance' in some || 'maximumBalance' in some;
      const query: Record<string, string> = { ...some, sort, ...(hasKind && { realmPointId }) };
      const meant = members
        .filter((member) =>
          Object.entries(some).every(([name, value]) =>
            passes[name]?.(member, String(value), realmPointId),
          ),
        )
        .sort(orders[sort]?.(realmPointId));
      assert.deepEqual(await all(query, limit), meant);
      const asked = new URLSearchParams({ ...query, count: 'true', limit: '1' });
      const { json } = await realm.expect(200, 'GET', `/members?${asked}`);
      assert.deepEqual(json.count, { members: meant.length, isComplete: true });
      if (Object.keys(some).length > 0) {
        const { sort: _, ...unsorted } = query;
        const found = await all({ ...unsorted, search: 'even' }, limit);
        const named = meant.filter(({ id }) => (Number(id) / 7) % 2 === 0);
        assert.deepEqual(found.map(({ id }) => id).sort(), named.map(({ id }) => id).sort());
      }
    }),
    { numRuns: 60 },
  );
});

test('a wallet or an account passes the other filters, too', async () => {
  const wallet = `0x${'3'.padStart(40, '0')}`;
  assert.equal((await all({ wallet, tags: 'vip,VIP' })).length, 1);
  assert.equal((await all({ wallet, tags: 'helper' })).length, 0);
});

test('tags and notes change, are found by them, and are gone with the member', async () => {
  const id = String(7);
  const tags = ['New here', 'vip'];
  const body = { tags: [...tags, 'vip'], note: 'Asks often' };
  const { json } = await realm.expect(200, 'PATCH', `/members/${id}`, { body });
  assert.deepEqual([json.tags, json.note], [tags, 'Asks often']);
  const tagged = async () => (await all({ tags: 'New here' })).map((member) => member.id);
  assert.deepEqual(await tagged(), [id]);
  const same = await realm.expect(200, 'PATCH', `/members/${id}`, { body: { tags } });
  assert.equal(same.json.updatedAt, json.updatedAt);
  const seq = async () =>
    (await realm.expect(200, 'GET', '/events?before=999999999&limit=1')).json.items[0];
  assert.deepEqual((await seq()).data, { memberId: id, tags, note: 'Asks often' });
  await realm.expect(200, 'PATCH', `/members/${id}`, { body: { tags: [], note: null } });
  assert.deepEqual(await tagged(), []);
  await realm.expect(200, 'PATCH', `/members/${id}`, { body: { tags } });
  await realm.expect(204, 'DELETE', `/members/${id}?forfeit=true&erase=true`);
  assert.deepEqual(await tagged(), []);
  assert.equal((await realm.expect(200, 'GET', '/verify')).json.ok, true);
});

test('what makes no sense is refused, and says what to send', async () => {
  const faults: Record<string, string> = {
    'tags=': '/query/tags',
    [`tags=${'x'.repeat(33)}`]: '/query/tags',
    'hasWallet=yes': '/query/hasWallet',
    'minimumBalance=1.5': '/query/minimumBalance',
    'maximumBalance=9007199254740993': '/query/maximumBalance',
    'createdFrom=yesterday': '/query/createdFrom',
    'sort=name&tags=vip': '/query/sort',
    'ids=1&tags=vip': '/query/ids',
    'count=1': '/query/count',
  };
  for (const [query, pointer] of Object.entries(faults)) {
    assertFaults(await realm.send('GET', `/members?${query}`), pointer);
  }
  const unknown = await realm.send('GET', '/members?minimumBalance=1&realmPointId=none');
  assertProblem(unknown, 'realm-point-not-found', { realmPointId: 'none' });
  for (const tags of [['a,b'], ['x'.repeat(33)], [' a'], [''], ['\u200b'], Array(21).fill('a')]) {
    const reply = await realm.send('PATCH', '/members/14', { body: { tags } });
    assert.equal(reply.status, 400, String(tags));
  }
  assertFaults(
    await realm.send('PATCH', '/members/14', { body: { note: 'x'.repeat(1_001) } }),
    '/note',
  );
  const search = await realm.expect(200, 'GET', '/members?search=even&count=true');
  assert.equal(search.json.count, undefined);
});
