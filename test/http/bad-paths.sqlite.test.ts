import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { type Reply, ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';

/** Invalid paths, queries and headers. */
const service = await serviceForFile();

async function pair(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 1_000);
  await realm.member('2');
  return realm;
}

test('invalid member ids in paths', async () => {
  const realm = await pair('member-ids');
  const wrong = ['0', '-1', '+1', '1.5', '007', '01', 'abc', '1e3', '0x1', '1%20', '%201', '１'];
  wrong.push('9223372036854775808', '9'.repeat(5_000), '1%00', '1;drop', "1'--", '%2e', '1%2F2');
  const calls: [method: string, rest: string, body?: object][] = [
    ['GET', ''],
    ['PATCH', '/tokenBalance', { tokens: 1 }],
    ['PATCH', '/transfer', { tokens: 1, recipientId: 2 }],
    ['PATCH', '', { status: 'frozen' }],
    ['DELETE', ''],
    ['POST', '/wallets', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
  ];
  await changesNothing(realm, async () => {
    for (const id of wrong) {
      const path = `/members/${id === '１' ? encodeURIComponent(id) : id}`;
      for (const [method, rest, body] of calls) {
        assertFaults(await realm.send(method, path + rest, { body }), '/path/memberID');
      }
      assertFaults(await realm.send('GET', `/web3${path}`), '/path/memberID');
    }
    for (const word of ['includes', 'tokenBalance']) {
      // Words of the API are never parsed as member ids.
      const path = `/members/${word}/tokenBalance`;
      const reply = await realm.send('PATCH', path, { body: { tokens: 1 } });
      assertFaults(reply, '/path/memberID');
    }
  });
  const most = '9223372036854775807';
  await realm.member(most, 5);
  assert.equal((await realm.expect(200, 'GET', `/members/${most}`)).json.id, most);
});

test('invalid realm ids in paths are 400 with the root key, 403 with a realm key', async () => {
  const realm = await pair('realm-ids');
  const wrong = ['%2F', 'a%2Fb', '%00', 'realm-ids%00', '.', '..', '%2e%2e', '%F0%9F%90%B8', '_a'];
  wrong.push('x'.repeat(65), '-a', 'a%20b', 'a.b', 'realm-ids%20', '%', 'a%ZZ', "a'--", '*');
  const send = (id: string, key: string): Promise<Reply> =>
    service.send('GET', `/api/v4/realms/${id}/members/1`, { key });
  await changesNothing(realm, async () => {
    for (const id of wrong) {
      const undecodable = id === '%' || id === 'a%ZZ';
      assertFaults(await send(id, ROOT_KEY), undecodable ? '/path' : '/path/realmID');
      const reply = await send(id, realm.key);
      if (!undecodable) assertProblem(reply, 'forbidden');
    }
    for (const id of ['REALM-IDS', 'realm-idsx', 'x'.repeat(64)]) {
      assertProblem(await send(id, ROOT_KEY), 'realm-not-found');
      assertProblem(await send(id, realm.key), 'forbidden');
    }
  });
  const body = { name: 'x' };
  for (const id of ['', 'a b', 'a/b', '..', '🐸', 'x'.repeat(65), 7, null, 'a\n']) {
    const reply = await service.send('POST', '/api/v4/realms', { body: { ...body, id } });
    assertFaults(reply, '/id');
  }
});

test('invalid key ids in paths', async () => {
  const realm = await pair('key-ids');
  await changesNothing(realm, async () => {
    for (const id of ['a-b', '%00', "a'--", 'x'.repeat(65), '%F0%9F%90%B8']) {
      assertFaults(await realm.send('DELETE', `/keys/${id}`), '/path/keyID');
      assertFaults(await realm.send('POST', `/keys/${id}/rotate`), '/path/keyID');
    }
  });
});

test('a GET or DELETE with a content type and no body is an ordinary request', async () => {
  const realm = await pair('typed');
  for (const type of [
    'application/json',
    'text/plain',
    'rubbish',
    'multipart/form-data; boundary=x',
  ]) {
    const headers = { 'content-type': type };
    for (const path of ['', '/members/1', '/members', '/keys', '/web3/members/1']) {
      await realm.expect(200, 'GET', path, { headers });
      await realm.expect(200, 'GET', path, { headers: { ...headers, 'content-length': '0' } });
    }
    await realm.expect(200, 'GET', '/members/includes?wallets=a', { headers });
    const id = String(100 + type.length);
    await realm.member(id);
    await realm.expect(204, 'DELETE', `/members/${id}`, { headers });
  }
  for (const method of ['GET', 'DELETE']) {
    // The body of such a request is ignored.
    const reply = await realm.send(method, '/members/2', { raw: '{"not": json' });
    assert.ok(reply.status === 200 || reply.status === 204, reply.text);
  }
});

test('invalid limits and cursors', async () => {
  const realm = await pair('cursors');
  const other = await pair('cursors-too');
  const next = async (of: TestRealm, path: string): Promise<string> =>
    (await of.expect(200, 'GET', path)).json.nextCursor;
  const lists = ['/members', '/keys'];
  for (const list of lists) {
    for (const limit of ['0', '501', 'abc', '', '-1', '1.0', '1e1', '05', '%201', '9'.repeat(99)]) {
      assertFaults(await realm.send('GET', `${list}?limit=${limit}`), '/query/limit');
    }
    assertFaults(await realm.send('GET', `${list}?limit=1&limit=2`), '/query/limit');
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const rubbish = [
      '',
      'rubbish',
      '%00',
      'x'.repeat(4_097),
      json(null),
      json([]),
      json(['1', {}]),
    ];
    rubbish.push(json([1, {}, {}]), json(['listMembers cursors', '-1', {}]), json({ 0: 1 }));
    rubbish.push(json(['listMembers cursors', '1', { search: 5 }]), json([[], [], []]));
    rubbish.push(json(['listMembers cursors', '1', { search: '' }]));
    for (const cursor of rubbish) {
      assertFaults(await realm.send('GET', `${list}?cursor=${cursor}`), '/query/cursor');
    }
  }
  await realm.issueKey(['read']);
  const members = await next(realm, '/members?limit=1');
  const keys = await next(realm, '/keys?limit=1');
  const foreign = await next(other, '/members?limit=1');
  const wrong = [
    `/keys?cursor=${members}`,
    `/members?cursor=${keys}`,
    `/members?cursor=${foreign}`,
  ];
  for (const path of wrong) assertFaults(await realm.send('GET', path), '/query/cursor');
  const realms = await service.send('GET', `/api/v4/realms?cursor=${members}`);
  assertFaults(realms, '/query/cursor');
  await realm.expect(200, 'GET', `/members?cursor=${members}`);
});

test('a cursor contains its filters: none can be added or changed', async () => {
  const realm = await service.realm('filters');
  for (const id of ['1', '2', '3', '4']) await realm.member(id, 0, { username: `ann${id}` });
  await realm.expect(200, 'PATCH', '/members/4', { body: { status: 'frozen' } });
  const page = (query: string) => realm.send('GET', `/members?limit=1${query}`);
  const cursor = (await page('&search=ann&status=active')).json.nextCursor;
  const plain = (await page('')).json.nextCursor;
  const clashes = [`&cursor=${cursor}&search=bob`, `&cursor=${cursor}&status=frozen`];
  clashes.push(`&cursor=${cursor}&account=x:1`, `&cursor=${plain}&search=ann`);
  for (const query of clashes) assertFaults(await page(query), '/query/cursor');
  const kept = await realm.expect(200, 'GET', `/members?cursor=${cursor}`);
  assert.deepEqual(
    kept.json.items.map((member: { id: string }) => member.id),
    ['2', '3'],
  );
  const same = await realm.expect(200, 'GET', `/members?cursor=${cursor}&search=ann`);
  assert.equal(same.text, kept.text);
});

test('invalid filters', async () => {
  const realm = await pair('off');
  const wrong = ['search=', 'wallet=', 'account=', 'account=discord', 'account=:1', 'account=D:1'];
  wrong.push('status=removed', 'status=Active', 'status=', `search=${'x'.repeat(129)}`);
  wrong.push('search=a&search=b', 'status=active&status=frozen', 'account=discord:%C3%A9');
  for (const query of wrong) {
    const reply = await realm.send('GET', `/members?${query}`);
    assertFaults(reply, `/query/${query.split('=')[0]}`);
  }
  assertFaults(await realm.send('DELETE', '/members/1?forfeit=yes'), '/query/forfeit');
  assertFaults(await realm.send('DELETE', '/members/1?forfeit=TRUE'), '/query/forfeit');
  const odd = 'search=%00&__proto__=1&constructor=2&toString=3&search%5B%5D=4';
  await realm.expect(200, 'GET', `/members?${odd}`);
});

test('invalid idempotency keys', async () => {
  const realm = await pair('keys-off');
  const wrong = ['', 'x'.repeat(256), 'two words', 'tab\tbed', 'naïve', 'é', '\x80'];
  const calls: [method: string, path: string, body: object][] = [
    ['PATCH', '/members/1/tokenBalance', { tokens: 1 }],
    ['PATCH', '/members/1/transfer', { tokens: 1, recipientId: 2 }],
    ['PATCH', '/members/tokenBalance', { entries: [{ memberId: 1, tokens: 1 }] }],
    ['POST', '/members', {}],
    ['PATCH', '/members/1', { username: 'x' }],
    ['POST', '/keys', { name: 'x', scopes: ['read'] }],
    ['PATCH', '', { name: 'x' }],
  ];
  await changesNothing(realm, async () => {
    for (const [method, path, body] of calls) {
      for (const key of [...wrong, ['one', 'two']]) {
        const reply = await realm.send(method, path, { body, headers: { 'idempotency-key': key } });
        assertFaults(reply, '/header/idempotency-key');
      }
    }
  });
  const headers = { 'idempotency-key': `!~${'x'.repeat(253)}` };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 }, headers });
});
