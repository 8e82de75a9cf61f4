import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { text as allOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { assertFaults } from '../support/checks.ts';
import { type Reply, serviceForFile } from '../support/service.ts';

/** Checks of the most wallets allowed: every form gives the same answer. */
const service = await serviceForFile();
const includes = '/members/includes';
const MEMBERS = 40;
/** A query must fit into the request line. */
const FEW = 200;

const realm = await service.realm('checks');
const linked = Array.from({ length: MEMBERS }, (_, index) => walletAt(index));
for (const [index, wallet] of linked.entries()) {
  await realm.member(String(index + 1), 0, { wallets: [wallet] });
}

function walletAt(index: number): string {
  return `0xabcdef${index.toString(16).padStart(34, '0')}`;
}

const rubbish = [
  'not-a-wallet',
  ' ',
  '"',
  '\\',
  "'; DROP TABLE wallets; --",
  '[]',
  '{"a":1}',
  '\n\t',
  '🐸'.repeat(128),
  'x'.repeat(128),
  '%00',
  'null',
];

/** Linked wallets in many spellings, unknown ones, invalid text, and all of it again. */
const asked = Array.from({ length: 10_000 }, (_, index) => {
  if (index % 4 === 0) return spelled(index, linked[(index / 4) % MEMBERS] ?? '');
  if (index % 4 === 1) return rubbish[index % rubbish.length] ?? '';
  return walletAt(MEMBERS + (index % 1_000));
});

function spelled(index: number, wallet: string): string {
  if (index % 3 === 0) return wallet;
  return index % 3 === 1 ? `0X${wallet.slice(2).toUpperCase()}` : wallet.replace('abc', 'aBC');
}

/** The expected answer, computed without the service. */
function expectedOf(wallets: string[]) {
  const results = wallets.map((wallet) => {
    const index = linked.indexOf(wallet.toLowerCase());
    const included = index >= 0;
    return { wallet, included, memberId: included ? String(index + 1) : null, verified: false };
  });
  return { all: false, any: true, results };
}

const jsonOf = async (reply: Promise<Reply>) => (await reply).json;
const headers = { authorization: `Bearer ${realm.key}`, 'content-type': 'application/json' };
const url = service.url + realm.path(includes);

async function fetched(method: string, body: string): Promise<unknown> {
  return (await fetch(url, { method, headers, body })).json();
}

async function curled(method: string, body: string): Promise<unknown> {
  const type = method === 'POST' ? ['-H', 'content-type: application/json'] : [];
  const key = `authorization: ${headers.authorization}`;
  const asking = ['-sS', '-X', method, '-H', key, ...type, '--data-binary', '@-', url];
  const curl = spawn('curl', asking, { stdio: ['pipe', 'pipe', 'inherit'] });
  curl.stdin.end(body);
  return JSON.parse(await allOf(curl.stdout));
}

test('node:http and fetch: 10,000 at once through GET, POST and QUERY', async () => {
  const body = { wallets: asked };
  const expected = expectedOf(asked);
  for (const method of ['GET', 'POST', 'QUERY']) {
    assert.deepEqual(await jsonOf(realm.send(method, includes, { body })), expected, method);
  }
  for (const method of ['POST', 'QUERY']) {
    assert.deepEqual(await fetched(method, JSON.stringify(body)), expected, method);
  }
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test('curl: 10,000 at once', { skip: !hasCurl && 'no curl here' }, async () => {
  for (const method of ['GET', 'POST', 'QUERY']) {
    const reply = await curled(method, JSON.stringify({ wallets: asked }));
    assert.deepEqual(reply, expectedOf(asked), method);
  }
});

test('a query gives the same answer for as many as fit into it', async () => {
  // A comma would split a wallet, and the longest ones would fill the line.
  const few = asked.filter((one) => !one.includes(',') && one.length < 100).slice(0, FEW);
  const query = few.map(encodeURIComponent).join(',');
  const expected = expectedOf(few);
  assert.deepEqual(await jsonOf(realm.send('GET', `${includes}?wallets=${query}`)), expected);
  const repeated = few.map((one) => `wallets=${encodeURIComponent(one)}`).join('&');
  assert.deepEqual(await jsonOf(realm.send('GET', `${includes}?${repeated}`)), expected);
  assert.deepEqual(
    await jsonOf(realm.send('POST', includes, { body: { wallets: few } })),
    expected,
  );
});

test('a wallet followed by a terminator is not that wallet', async () => {
  const [wallet = ''] = linked;
  for (const end of ['%00', '%00x', '%0A', '%20', '%EF%BF%BD', '%FF']) {
    const { json } = await realm.expect(200, 'GET', `${includes}?wallets=${wallet}${end}`);
    assert.equal(json.any, false, end);
  }
});

test('characters are counted, not UTF-16 units', async () => {
  const frogs = '🐸'.repeat(128);
  const send = (wallet: string) => realm.send('POST', includes, { body: { wallets: [wallet] } });
  assert.equal((await send(frogs)).status, 200);
  assertFaults(await send(`${frogs}x`), '/wallets/0');
  const inQuery = (wallet: string) =>
    realm.send('GET', `${includes}?wallets=${encodeURIComponent(wallet)}`);
  assert.equal((await inQuery(frogs)).status, 200);
  assertFaults(await inQuery(`${frogs}x`), '/query/wallets/0');
});
