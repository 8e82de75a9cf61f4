import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing, recordsOf } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** The assets of a realm; reading their balances is tested in test/web3. */
const service = await serviceForFile();
const CONTRACT = '0x52908400098527886E0F7030069857D2E4169EE7';
const MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const MOST = String(2n ** 256n - 1n);
const pass = { id: 'pass', chain: 'eip155:1', standard: 'erc721', contract: CONTRACT };
const badge = { ...pass, id: 'badge', standard: 'erc1155', tokenId: '0' };

const create = (realm: TestRealm, body: unknown, headers = {}) =>
  realm.send('POST', '/assets', { body, headers });
const list = async (realm: TestRealm) => (await realm.expect(200, 'GET', '/assets')).json;
const web3 = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/web3/members/${id}`)).json;

test('a realm creates, lists and deletes assets', async () => {
  const realm = await service.realm('list');
  assert.deepEqual(await list(realm), { items: [], nextCursor: null });
  const first = await create(realm, { ...pass, contract: MIXED.toLowerCase(), symbol: 'PASS' });
  assert.equal(first.status, 201, first.text);
  const shown = { ...pass, contract: MIXED, tokenId: null, symbol: 'PASS' };
  assert.deepEqual(first.json, shown);
  const most = await create(realm, { ...badge, chain: 'eip155:999999999999999', tokenId: MOST });
  assert.deepEqual(most.json, {
    ...badge,
    chain: 'eip155:999999999999999',
    tokenId: MOST,
    symbol: null,
  });
  const nulls = { ...pass, id: 'nulls', standard: 'erc20', tokenId: null, symbol: null };
  assert.deepEqual((await create(realm, nulls)).json, nulls);
  assert.deepEqual((await list(realm)).items, [most.json, nulls, shown]);
  await realm.expect(204, 'DELETE', '/assets/pass');
  assert.deepEqual((await list(realm)).items, [most.json, nulls]);
  assert.equal((await create(realm, pass)).status, 201, 'the id is free again');
  await service.restart();
  assert.equal((await list(realm)).items.length, 3);
});

test('assets belong to one realm', async () => {
  const [one, other] = [await service.realm('one'), await service.realm('other')];
  await create(one, pass);
  assert.deepEqual((await list(other)).items, []);
  assertProblem(await other.send('DELETE', '/assets/pass'), 'asset-not-found');
  assert.equal((await create(other, { ...pass, standard: 'erc20' })).status, 201);
});

test('a retry creates one asset', async () => {
  const realm = await service.realm('retry');
  const key = { 'idempotency-key': 'once' };
  const records = await recordsOf(realm, async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(realm, pass, key)));
    for (const { status, text } of replies)
      assert.deepEqual([status, text], [201, replies[0]?.text]);
  });
  assert.equal(records, 1);
  assertProblem(await create(realm, badge, key), 'idempotency-key-reused');
});

test('concurrent creations respect the limit and each other', async () => {
  const realm = await service.realm('race');
  const ids = Array.from({ length: 60 }, (_, index) => `a${index % 55}`);
  const replies = await Promise.all(ids.map((id) => create(realm, { ...pass, id })));
  const made = replies.filter(({ status }) => status === 201);
  assert.equal(made.length, 50);
  assert.equal((await list(realm)).items.length, 50);
  assert.equal(new Set(made.map(({ json }) => json.id)).size, 50);
});

test('without a chain a balance is null and stale; without wallets it is 0', async () => {
  const realm = await service.realm('no-chain');
  await create(realm, { ...badge, symbol: 'B' });
  await realm.member('1', 0, { wallets: [CONTRACT] });
  await realm.member('2', 0, { wallets: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] });
  const { id: assetId, ...named } = badge;
  const told = { assetId, ...named, symbol: 'B', block: null };
  assert.deepEqual((await web3(realm, '1')).assets, [
    { ...told, balance: null, asOf: null, stale: true },
  ]);
  const [none] = (await web3(realm, '2')).assets;
  assert.match(none.asOf, /Z$/);
  assert.deepEqual(none, { ...told, balance: '0', asOf: none.asOf, stale: false });
  await realm.expect(204, 'DELETE', '/assets/badge');
  assert.deepEqual((await web3(realm, '1')).assets, []);
});

test('invalid input changes nothing', async () => {
  const realm = await service.realm('off');
  const chains = [
    '',
    'eip155',
    'eip155:',
    'eip155:0',
    'eip155:01',
    'EIP155:1',
    'solana:x',
    1,
    null,
  ];
  const fields: [field: string, values: unknown[]][] = [
    ['id', ['', 'Pass', 'a b', '-a', 'x'.repeat(65), 5, null]],
    ['chain', [...chains, 'eip155:1 ', `eip155:${'9'.repeat(16)}`]],
    ['standard', ['erc-20', 'ERC20', '', 20, null]],
    [
      'contract',
      ['', '0x', MIXED.replace('5a', '5A'), '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 5, null],
    ],
    ['symbol', ['', 'x'.repeat(33), 5]],
  ];
  const tokenIds = [
    '',
    '-1',
    '01',
    '1.0',
    '0x1',
    ' 1',
    String(2n ** 256n),
    '9'.repeat(79),
    1,
    true,
  ];
  await changesNothing(realm, async () => {
    for (const [field, values] of fields) {
      for (const value of values) {
        assertFaults(await create(realm, { ...pass, [field]: value }), `/${field}`);
      }
    }
    for (const tokenId of tokenIds) {
      assertFaults(await create(realm, { ...badge, tokenId }), '/tokenId');
    }
    assertFaults(await create(realm, { ...badge, tokenId: undefined }), '/tokenId');
    assertFaults(await create(realm, { ...badge, tokenId: null }), '/tokenId');
    assertFaults(await create(realm, { ...pass, tokenId: '1' }), '/tokenId');
    const both = await create(realm, { ...pass, tokenId: '1', contract: '0x12' });
    assertFaults(both, '/contract', '/tokenId');
    assertFaults(await create(realm, {}), '/chain', '/contract', '/id', '/standard');
    for (const id of ['Pass', '%00', 'a%20b', 'x'.repeat(65)]) {
      assertFaults(await realm.send('DELETE', `/assets/${id}`), '/path/assetId');
    }
  });
});

test('the list has pages', async () => {
  const realm = await service.realm('walk');
  for (const id of ['c', 'a', 'b', 'd', 'e']) await create(realm, { ...pass, id });
  const ids: string[] = [];
  let query = '?limit=2';
  for (let pages = 1; query !== ''; pages += 1) {
    const { items, nextCursor } = (await realm.expect(200, 'GET', `/assets${query}`)).json;
    ids.push(...items.map(({ id }: { id: string }) => id));
    assert.ok(items.length <= 2 && pages <= 3);
    // Rows before the cursor may be deleted or added without effect.
    if (pages === 1) await realm.expect(204, 'DELETE', '/assets/b');
    query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`;
  }
  assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e']);
  for (const limit of ['0', '501', 'x', '']) {
    assertFaults(await realm.send('GET', `/assets?limit=${limit}`), '/query/limit');
  }
  for (const cursor of ['x', '']) {
    assertFaults(await realm.send('GET', `/assets?cursor=${cursor}`), '/query/cursor');
  }
});

test('invisible characters in symbols and names are rejected', async () => {
  const realm = await service.realm('signs');
  const unseen = [' ', '\t', '\u00a0', 'A\nB', 'A\u202eB', '\u2066A', 'A\u200bB', '\ufeff'];
  unseen.push('A\u200dB', '\u3164', '\u2028', '\u0007', '\ue000', '\ufe0f', '\u200f');
  for (const symbol of unseen) {
    assertFaults(await create(realm, { ...pass, symbol }), '/symbol');
    const kind = { id: 'gems', name: symbol, symbol };
    assertFaults(await realm.send('POST', '/points', { body: kind }), '/name', '/symbol');
  }
  const seen = ['★', 'PA SS', 'ش', 'é', '❤️', '👩‍🚀', '👩🏽‍🚀', '1️⃣', '🏴‍☠️'];
  for (const [index, symbol] of seen.entries()) {
    const made = await create(realm, { ...pass, id: `p${index}`, symbol });
    assert.deepEqual([made.status, made.json.symbol], [201, symbol], made.text);
  }
});
