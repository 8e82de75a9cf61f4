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

test('an invalid wallet in a query is named by its position', async () => {
  const reply = await realm.send('GET', `/members/includes?wallets=${GOOD},,x&wallets=`);
  assertFaults(reply, '/query/wallets/1', '/query/wallets/3');
});
