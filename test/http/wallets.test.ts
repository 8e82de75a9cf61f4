import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** The wallet check in all its forms, linking, and web3 data. */
const service = await serviceForFile();
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const EVM_2 = '0xde709f2102306220921060314715629080e2fb77';
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const BITCOIN = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const SEGWIT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

async function holders(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('42', 0, { wallets: [EVM, SOLANA] });
  await realm.member('43', 0, { wallets: [BITCOIN, SEGWIT] });
  return realm;
}

const asked = [EVM, EVM.toLowerCase(), BITCOIN, 'not-a-wallet', EVM, SEGWIT.toUpperCase(), EVM_2];
const expected = {
  all: false,
  any: true,
  results: asked.map((wallet, index) => {
    const memberId = ['42', '42', '43', null, '42', '43', null][index];
    return { wallet, included: memberId !== null, memberId, verified: false };
  }),
};

const includes = '/members/includes';
const body = { wallets: asked };
const text = JSON.stringify(body);

/** Each form of the check, by name. */
const forms: Record<string, (realm: TestRealm) => Promise<unknown>> = {
  'GET with a body': async (realm) => (await realm.send('GET', includes, { body })).json,
  'GET with a body of another type': async (realm) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return (await realm.send('GET', includes, { raw: text, headers })).json;
  },
  'GET with a chunked body': async (realm) => {
    const headers = { 'transfer-encoding': 'chunked', 'content-length': [] };
    return (await realm.send('GET', includes, { raw: text, headers })).json;
  },
  'GET with commas': async (realm) =>
    (await realm.send('GET', `${includes}?wallets=${asked.join(',')}`)).json,
  'GET with encoded commas': async (realm) =>
    (await realm.send('GET', `${includes}?wallets=${encodeURIComponent(asked.join(','))}`)).json,
  'GET repeated': async (realm) =>
    (await realm.send('GET', `${includes}?${asked.map((one) => `wallets=${one}`).join('&')}`)).json,
  'GET both ways': async (realm) => {
    const [first, second, ...rest] = asked;
    const query = `wallets=${first}&wallets=${second}&wallets=${rest.join(',')}`;
    return (await realm.send('GET', `${includes}?${query}`)).json;
  },
  POST: async (realm) => (await realm.send('POST', includes, { body })).json,
  QUERY: async (realm) => (await realm.send('QUERY', includes, { body })).json,
  'fetch with POST': (realm) => fetched(realm, 'POST'),
  'fetch with QUERY': (realm) => fetched(realm, 'QUERY'),
};

async function fetched(realm: TestRealm, method: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${realm.key}`, 'content-type': 'application/json' };
  const url = service.url + realm.path(includes);
  return (await fetch(url, { method, headers, body: text })).json();
}

for (const [index, [name, check]] of Object.entries(forms).entries()) {
  test(`${name} returns one result for each wallet, in order`, async () => {
    assert.deepEqual(await check(await holders(`form-${index}`)), expected);
  });
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('curl -d with GET works as people write it', {
  skip: !hasCurl && 'no curl here',
}, async () => {
  const realm = await holders('curl');
  const run = promisify(execFile);
  for (const method of ['GET', 'QUERY', 'POST']) {
    const type = method === 'POST' ? ['-H', 'content-type: application/json'] : [];
    const url = service.url + realm.path(includes);
    const key = `authorization: Bearer ${realm.key}`;
    const { stdout } = await run('curl', [
      '-sS',
      '-X',
      method,
      '-H',
      key,
      ...type,
      '-d',
      text,
      url,
    ]);
    assert.deepEqual(JSON.parse(stdout), expected, method);
  }
});

test('all and any summarise the results', async () => {
  const realm = await holders('summary');
  const check = async (...wallets: string[]) => {
    const { all, any } = (await realm.expect(200, 'POST', includes, { body: { wallets } })).json;
    return [all, any];
  };
  assert.deepEqual(await check(EVM, BITCOIN), [true, true]);
  assert.deepEqual(await check(EVM, 'x'), [false, true]);
  assert.deepEqual(await check('x', EVM_2), [false, false]);
  assert.deepEqual(await check('x'.repeat(128), '🐸', ' ', 'includes', '0x'), [false, false]);
});

test('each kind of address is compared by its own rules', async () => {
  const realm = await holders('kinds');
  const wrongCase = EVM.replace('E7', 'e7');
  const wallets = [`0X${EVM.slice(2)}`, wrongCase, ` ${EVM}`, EVM.slice(0, -1)];
  wallets.push(SOLANA, SOLANA.toLowerCase(), BITCOIN.toLowerCase(), SEGWIT.replace('q', 'Q'));
  const { results } = (await realm.expect(200, 'POST', includes, { body: { wallets } })).json;
  assert.deepEqual(
    results.map((result: { memberId: string | null }) => result.memberId),
    ['42', '42', null, null, '42', null, null, null],
  );
});

test('10,000 wallets are accepted, 10,001 are rejected', async () => {
  const realm = await holders('many');
  const wallets = Array.from({ length: 10_000 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`);
  wallets[9_999] = EVM;
  for (const method of ['GET', 'POST', 'QUERY']) {
    const { json } = await realm.expect(200, method, includes, { body: { wallets } });
    assert.equal(json.results.length, 10_000);
    assert.deepEqual([json.any, json.results[9_999].memberId], [true, '42']);
    const reply = await realm.send(method, includes, { body: { wallets: [...wallets, EVM] } });
    assertFaults(reply, '/wallets');
  }
  // The largest body of all: 1 MiB.
  const longest = Array.from({ length: 8_000 }, () => 'x'.repeat(128));
  await realm.expect(200, 'POST', includes, { body: { wallets: longest } });
  const beyond = await realm.send('POST', includes, {
    body: { wallets: [...longest, ...wallets] },
  });
  assertProblem(beyond, 'body-too-large', { limit: 1024 * 1024 });
});

test('invalid wallet checks are rejected', async () => {
  const realm = await holders('off');
  for (const method of ['GET', 'POST', 'QUERY']) {
    const send = (sent: object) => realm.send(method, includes, sent);
    assertFaults(await send({ body: { wallets: [] } }), '/wallets');
    assertFaults(await send({ body: {} }), '/wallets');
    assertFaults(await send({ body: { wallets: EVM } }), '/wallets');
    assertFaults(await send({ body: { wallets: [EVM, '', 5] } }), '/wallets/1', '/wallets/2');
    assertFaults(await send({ body: { wallets: ['x'.repeat(129)] } }), '/wallets/0');
    assertFaults(await send({}), '/wallets');
    assertProblem(await send({ raw: '{"wallets":' }), 'malformed-json');
    const both = await realm.send(method, `${includes}?wallets=${EVM}`, { body });
    assertFaults(both, '/query/wallets');
  }
  const queries: [query: string, ...entries: number[]][] = [
    ['wallets=', 0],
    ['wallets=a,,b', 1],
    ['wallets=,', 0, 1],
    [`wallets=${'x'.repeat(129)}`, 0],
  ];
  for (const [query, ...entries] of queries) {
    const pointers = entries.map((entry) => `/query/wallets/${entry}`);
    assertFaults(await realm.send('GET', `${includes}?${query}`), ...pointers);
  }
  assertFaults(await realm.send('GET', `${includes}?wallet=${EVM}`), '/wallets');
});

test('wallets are linked with their kind, the first one as primary', async () => {
  const realm = await service.realm('links');
  await realm.member('1');
  const link = (sent: object) => realm.expect(201, 'POST', '/members/1/wallets', { body: sent });
  const first = await link({ address: EVM.toLowerCase() });
  assert.deepEqual(
    { ...first.json, linkedAt: '' },
    {
      address: EVM,
      chain: 'eip155',
      primary: true,
      verified: false,
      verifiedAt: null,
      verifiedOn: null,
      linkedAt: '',
    },
  );
  const others: [address: string, chain: string][] = [
    [SOLANA, 'solana'],
    [BITCOIN, 'bitcoin'],
    [SEGWIT, 'bitcoin'],
  ];
  for (const [address, chain] of others) {
    const { json } = await link({ address, chain });
    assert.deepEqual([json.address, json.chain, json.primary], [address, chain, false]);
  }
  const moved = await link({ address: SOLANA, primary: true });
  assert.equal(moved.json.primary, true);
  const web3 = (await realm.expect(200, 'GET', '/web3/members/1')).json;
  assert.deepEqual([web3.memberId, web3.realmId, web3.assets], ['1', 'links', []]);
  const shown: { address: string; primary: boolean }[] = web3.wallets;
  assert.equal(shown[0]?.address, SOLANA);
  assert.deepEqual(shown.filter((wallet) => wallet.primary).length, 1);
  assert.deepEqual(
    shown.map((wallet) => wallet.address).sort(),
    [EVM, SOLANA, BITCOIN, SEGWIT].sort(),
  );
  const member = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.deepEqual(
    member.wallets,
    shown.map((wallet) => wallet.address),
  );
  await changesNothing(realm, async () => {
    // Linked again in another spelling, it does not change.
    await link({ address: EVM });
    await link({ address: SEGWIT.toUpperCase() });
    await link({ address: SOLANA, primary: false });
    await link({ address: SOLANA, primary: true });
  });
});

test('invalid addresses and wallets of other members are refused', async () => {
  const realm = await holders('refused');
  const send = (sent: object) => realm.send('POST', '/members/43/wallets', { body: sent });
  const wrong = [
    EVM.replace('E7', 'e7'),
    '0x0',
    EVM.slice(2),
    'rubbish',
    `${BITCOIN.slice(0, -1)}3`,
  ];
  wrong.push('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', SEGWIT.replace('q', 'Q'), '');
  await changesNothing(realm, async () => {
    for (const address of wrong) assertFaults(await send({ address }), '/address');
    assertFaults(await send({ address: EVM_2, chain: 'solana' }), '/address');
    assertFaults(await send({ address: EVM_2, chain: 'dogecoin' }), '/chain');
    assertFaults(await send({}), '/address');
    const problem = { wallet: EVM, memberId: '42' };
    assertProblem(await send({ address: EVM.toLowerCase() }), 'wallet-taken', problem);
    const enrolment = { body: { wallets: [EVM_2, EVM] } };
    assertProblem(await realm.send('POST', '/members', enrolment), 'wallet-taken', problem);
  });
  const other = await service.realm('elsewhere');
  await other.member('43', 0, { wallets: [EVM] });
});
