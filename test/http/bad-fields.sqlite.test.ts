import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

/** Invalid fields of realms, members and keys. */
const service = await serviceForFile();

test('invalid fields of members', async () => {
  const realm = await service.realm('fields');
  await realm.member('1');
  const long = (length: number) => 'é'.repeat(length);
  const account = { provider: 'discord', id: '1' };
  const cases: [field: string, value: unknown, pointer?: string][] = [
    ['username', ''],
    ['username', long(65)],
    ['username', 5],
    ['displayName', long(129)],
    ['displayName', ['x']],
    ['accounts', null],
    ['accounts', Array.from({ length: 21 }, (_, id) => ({ ...account, id: String(id) }))],
    ['accounts', [5], '/accounts/0'],
    ['accounts', [{}, account], '/accounts/0/id'],
    ['accounts', [{ ...account, provider: 'Discord' }], '/accounts/0/provider'],
    ['accounts', [{ ...account, provider: 'a:b' }], '/accounts/0/provider'],
    ['accounts', [{ ...account, id: 1 }], '/accounts/0/id'],
    ['accounts', [{ ...account, id: 'ü' }], '/accounts/0/id'],
    ['accounts', [{ ...account, username: '' }], '/accounts/0/username'],
    ['metadata', []],
    ['metadata', null],
    ['metadata', 'text'],
    ['metadata', { text: 'x'.repeat(8_182) }],
    ['metadata', { text: long(4_091) }],
  ];
  await changesNothing(realm, async () => {
    for (const [field, value, pointer = `/${field}`] of cases) {
      const created = await realm.send('POST', '/members', { body: { id: 7, [field]: value } });
      const changed = await realm.send('PATCH', '/members/1', { body: { [field]: value } });
      for (const reply of [created, changed]) {
        const places = reply.json.errors?.map((fault: { pointer: string }) => fault.pointer);
        assert.ok(places?.includes(pointer), `${pointer}: ${reply.text}`);
      }
    }
    for (const status of ['removed', 'Frozen', null, 1]) {
      assertFaults(await realm.send('PATCH', '/members/1', { body: { status } }), '/status');
    }
    for (const id of [0, -1, 1.5, '007', '', null, true, [1]]) {
      assertFaults(await realm.send('POST', '/members', { body: { id } }), '/id');
    }
    const wallets = ['0x0', '', 'x'.repeat(129)];
    const reply = await realm.send('POST', '/members', { body: { wallets } });
    assertFaults(reply, '/wallets/0', '/wallets/1', '/wallets/2');
    const two = await realm.send('POST', '/members', { body: { wallets: wallets.slice(0, 2) } });
    assertFaults(two, '/wallets/0', '/wallets/1');
  });
  await realm.expect(201, 'POST', '/members', { body: { metadata: { text: 'x'.repeat(8_181) } } });
});

test('numbers in metadata that would lose precision are rejected', async () => {
  const realm = await service.realm('exact');
  await realm.member('1');
  const wrong = [
    '9007199254740993',
    '-9007199254740993',
    '[{"a":[18446744073709551616]}]',
    '1e400',
  ];
  wrong.push('9007199254740993.0', '9007199254740993e0', '9007199254740992');
  await changesNothing(realm, async () => {
    for (const text of wrong) {
      const raw = `{"metadata":{"n":${text}}}`;
      for (const [method, path] of [
        ['POST', '/members'],
        ['PATCH', '/members/1'],
      ] as const) {
        const reply = await realm.send(method, path, { raw });
        assert.equal(reply.status, 400, text);
        assert.match(reply.json.errors[0].pointer, /^\/metadata/);
      }
    }
  });
});

test('text that cannot be stored is rejected everywhere', async () => {
  const realm = await service.realm('texts');
  await realm.member('1');
  const bad = ['\\u0000', '\\ud800', '\\udc00\\ud800', 'a\\u0000b', '\\uD83D'];
  const bodies: [method: string, path: string, body: (text: string) => string, pointer: string][] =
    [
      ['POST', '/members', (text) => `{"username":"${text}"}`, '/username'],
      ['PATCH', '/members/1', (text) => `{"displayName":"${text}"}`, '/displayName'],
      ['PATCH', '/members/1', (text) => `{"metadata":{"a":["${text}"]}}`, '/metadata/a/0'],
      ['PATCH', '', (text) => `{"name":"${text}"}`, '/name'],
      ['POST', '/keys', (text) => `{"scopes":["read"],"name":"${text}"}`, '/name'],
      ['POST', '/members/includes', (text) => `{"wallets":["a","${text}"]}`, '/wallets/1'],
    ];
  await changesNothing(realm, async () => {
    for (const [method, path, body, pointer] of bodies) {
      for (const text of bad) {
        assertFaults(await realm.send(method, path, { raw: body(text) }), pointer);
      }
    }
    const key = await realm.send('PATCH', '/members/1', { raw: '{"metadata":{"a\\u0000":1}}' });
    assert.equal(key.status, 400);
  });
});

test('invalid fields of realms and keys', async () => {
  const realm = await service.realm('set-up');
  const settings: [object, string][] = [
    [{ autoEnroll: 'true' }, '/settings/autoEnroll'],
    [{ transfers: null }, '/settings/transfers'],
    [{ maxTokensPerRequest: 0 }, '/settings/maxTokensPerRequest'],
    [{ maxTokensPerRequest: 1.5 }, '/settings/maxTokensPerRequest'],
    [{ maxTokensPerRequest: 2 ** 53 }, '/settings/maxTokensPerRequest'],
    [{ rateLimit: {} }, '/settings/rateLimit/perSecond'],
    [{ rateLimit: { perSecond: 0, burst: 1 } }, '/settings/rateLimit/perSecond'],
    [{ rateLimit: 5 }, '/settings/rateLimit'],
  ];
  const keys: [object, string][] = [
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(129) }, '/name'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['read', 'read'] }, '/scopes'],
    [{ scopes: ['root'] }, '/scopes/0'],
    [{ scopes: 'read' }, '/scopes'],
    ...[
      '2020-01-01T00:00:00Z',
      '2099-02-30T00:00:00Z',
      '2099-01-01',
      '2099-01-01T00:00:00',
      'never',
    ].map((expiresAt): [object, string] => [{ expiresAt }, '/expiresAt']),
    [{ expiresAt: 4_000_000_000 }, '/expiresAt'],
    [{ expiresAt: '2099-13-01T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: '2099-01-01T24:00:00Z' }, '/expiresAt'],
  ];
  await changesNothing(realm, async () => {
    const places = (reply: { json: { errors: { pointer: string }[] } }) =>
      reply.json.errors.map((fault) => fault.pointer);
    for (const [value, pointer] of settings) {
      const reply = await realm.send('PATCH', '', { body: { settings: value } });
      assert.ok(places(reply).includes(pointer), reply.text);
    }
    for (const [value, pointer] of keys) {
      const body = { name: 'x', scopes: ['read'], ...value };
      assertFaults(await realm.send('POST', '/keys', { body }), pointer);
    }
    for (const overlapSeconds of [-1, 1.5, '5', null, 2_592_001]) {
      const reply = await realm.send('POST', '/keys/abc/rotate', { body: { overlapSeconds } });
      assertFaults(reply, '/overlapSeconds');
    }
    assertFaults(await realm.send('PATCH', '', { body: { name: '' } }), '/name');
  });
});

test('the sentence of a fault says all that is required', async () => {
  const realm = await service.realm('sentences');
  const longest = '9'.repeat(15);
  const calls: [path: string, body: object, detail: string][] = [
    [
      '/keys',
      { name: 'x', scopes: [] },
      'must be a list of one or more of "read", "write" and "admin", each at most once',
    ],
    [
      '/points',
      { id: '-gems', name: 'Gems' },
      'must be 1 to 32 lower-case letters, digits, "_" or "-", starting with a letter or digit, ' +
        'and not digits alone',
    ],
    [
      `/transactions/${longest}9/reversal`,
      {},
      'must be an integer from 1, of at most 15 digits, without leading zeros',
    ],
  ];
  for (const [path, body, detail] of calls) {
    const reply = await realm.send('POST', path, { body });
    assert.deepEqual(
      reply.json.errors.map((fault: { detail: string }) => fault.detail),
      [detail],
    );
  }
  const allowed = await realm.send('POST', `/transactions/${longest}/reversal`, { body: {} });
  assertProblem(allowed, 'transaction-not-found');
});

test('unknown settings are neither stored nor recorded', async () => {
  const realm = await service.realm('unknown');
  const settings = { autoEnroll: false, colour: 'red', rateLimit: null };
  await changesNothing(realm, async () => {
    const body = { settings, colour: 'red' };
    assertFaults(await realm.send('PATCH', '', { body }), '/settings/colour', '/colour');
  });
});
