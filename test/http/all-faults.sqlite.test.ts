import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

/** Faults that a schema finds and faults that it cannot find are in one answer. */
const service = await serviceForFile();
const realm = await service.realm('faults');
await realm.member('1');

const GOOD = '0x52908400098527886E0F7030069857D2E4169EE7';
const TYPO = '0x5290840009852788eE0F7030069857D2E4169EE7';
const CHECKSUM = /EIP-55/;

const post = (path: string, body: unknown) => realm.send('POST', path, { body });
const detailAt = (
  { json }: { json: { errors: { pointer: string; detail: string }[] } },
  at: string,
) => json.errors.find(({ pointer }) => pointer === at)?.detail ?? '';

test('all faults of linking a wallet', async () => {
  const path = '/members/1/wallets';
  const typo = await post(path, { address: TYPO, chain: 'doge', primary: 'yes' });
  assertFaults(typo, '/address', '/chain', '/primary');
  assert.match(detailAt(typo, '/address'), CHECKSUM);
  const half = await post(path, { address: GOOD, signature: 'not hex', primary: 1 });
  assertFaults(half, '/message', '/signature', '/primary');
  assertFaults(
    await post(path, { address: TYPO, message: 5 }),
    '/address',
    '/message',
    '/signature',
  );
  assertFaults(await post(path, { address: TYPO, signature: '0x' }), '/address', '/message');
  const other = await post(path, { address: GOOD, chain: 'solana', signature: 'not hex' });
  assertFaults(other, '/address', '/message', '/signature');
  for (const body of [[], 'text', 5, null, {}]) assert.equal((await post(path, body)).status, 400);
});

test('all faults of requesting a challenge', async () => {
  const path = '/members/1/wallets/challenge';
  assertFaults(await post(path, { address: TYPO, chain: 'eip155:0' }), '/address', '/chain');
  assertFaults(await post(path, { address: GOOD, chain: 'bitcoin' }), '/address');
  assertFaults(await post(path, { address: 5, chain: 'x' }), '/address', '/chain');
  const script = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';
  assertFaults(await post(path, { address: script, chain: 'x' }), '/address', '/chain');
});

test('all faults of creating an asset', async () => {
  const asset = { id: 'gold', chain: 'eip155:1', standard: 'erc1155', contract: TYPO };
  assertFaults(await post('/assets', { ...asset, id: 'Gold' }), '/id', '/contract', '/tokenId');
  assertFaults(
    await post('/assets', { ...asset, standard: 'erc20', tokenId: '1', symbol: '' }),
    '/contract',
    '/tokenId',
    '/symbol',
  );
  assertFaults(await post('/assets', { ...asset, standard: 'erc7' }), '/contract', '/standard');
  assertFaults(await post('/assets', { ...asset, tokenId: '-1' }), '/contract', '/tokenId');
});

test('all faults of enrolling a member', async () => {
  const wallets = [GOOD, TYPO, 5, 'nothing'];
  assertFaults(
    await post('/members', { id: '2', username: '', wallets }),
    '/username',
    '/wallets/1',
    '/wallets/2',
    '/wallets/3',
  );
  await realm.expect(404, 'GET', '/members/2');
});

test('all faults of putting a member', async () => {
  const put = (body: unknown) => realm.send('PUT', '/members/2', { body });
  for (const id of [3, '3', '9007199254740993', 2.5, '02', null])
    assertFaults(await put({ id }), '/id');
  const body = { id: '1', username: '', wallets: [TYPO], metadata: [] };
  assertFaults(await put(body), '/id', '/username', '/wallets/0', '/metadata');
  assertFaults(await realm.send('PUT', '/members/x', { body: {} }), '/path/memberID');
  await realm.expect(404, 'GET', '/members/2');
});

test('all faults of enrolling many members', async () => {
  const members = [
    { id: '2', wallets: [GOOD, TYPO], balances: { points: 1.5, gems: '5', gold: null } },
    5,
    { id: 'x', accounts: [{}], balances: [] },
    { balances: { 'Not a kind': 1 } },
    { balances: Object.fromEntries(Array.from({ length: 51 }, (_, kind) => [`k${kind}`, 0])) },
    { balances: { points: 2 ** 53 } },
  ];
  const wrong = [
    '/atomic',
    '/description',
    '/members/0/wallets/1',
    '/members/0/balances/points',
    '/members/0/balances/gems',
    '/members/0/balances/gold',
    '/members/1',
    '/members/2/id',
    '/members/2/accounts/0/provider',
    '/members/2/accounts/0/id',
    '/members/2/balances',
    '/members/3/balances',
    '/members/4/balances',
    '/members/5/balances/points',
  ];
  const body = { atomic: 1, description: 5, members };
  assertFaults(await post('/members/batch', body), ...wrong);
  // A large body is checked in slices, and has the same faults.
  const large = { ...body, padding: 'x'.repeat(40_000) };
  assertFaults(await post('/members/batch', large), ...wrong);
  for (const none of [undefined, [], {}, Array(10_001).fill({})]) {
    assertFaults(await post('/members/batch', { members: none }), '/members');
  }
  await realm.expect(404, 'GET', '/members/2');
});

test('an invalid wallet in a query is named by its position', async () => {
  const reply = await realm.send('GET', `/members/includes?wallets=${GOOD},,x&wallets=`);
  assertFaults(reply, '/query/wallets/1', '/query/wallets/3');
});
