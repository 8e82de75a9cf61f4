import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RpcProxy } from '../chain/proxies.ts';
import type { TestRealm } from '../support/service.ts';
import {
  chainForFile,
  chainLogs,
  type HoldingBody,
  holding,
  holdings,
  nameAsset,
  walletOf,
  web3Service,
} from '../support/web3.ts';

/** Contracts that are not tokens, and chains without Multicall3. */
const chain = await chainForFile();
const bare = await chainForFile({ chainId: 2, multicall: false });
const proxy = await RpcProxy.before(bare.url);
after(() => proxy.stop());
const service = await web3Service(
  { 'eip155:1': chain.url, 'eip155:2': proxy.url },
  // Generous, because the tests are not about time.
  { deadlineMs: 100_000, timeoutMs: 50_000 },
);
const wallets = [walletOf('one'), walletOf('two')];

async function oddRealm(id: string, on: typeof chain, name: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 0, { wallets });
  const good = await on.deploy('Token20', 'GOOD');
  for (const wallet of wallets) await on.transact(good, 'mint', wallet, 4n);
  const ways = ['revert', 'burn', 'short', 'long', 'huge', 'invalid'];
  for (const [index, way] of ways.entries()) {
    await nameAsset(realm, `odd-${way}`, await on.deploy('Odd', BigInt(index)), { chain: name });
  }
  await nameAsset(realm, 'good', good, { chain: name });
  await nameAsset(realm, 'nobody', { address: walletOf('no contract') }, { chain: name });
  return realm;
}

function assertOnlyGood(held: HoldingBody[], what: string): void {
  const shown = held.map(({ assetId, balance, symbol, stale }) => [
    assetId,
    balance,
    symbol,
    stale,
  ]);
  const odd = ['burn', 'huge', 'invalid', 'long', 'revert', 'short'].map((way) => `odd-${way}`);
  assert.deepEqual(
    shown,
    [
      ['good', '8', 'GOOD', false],
      ...['nobody', ...odd].map((assetId) => [assetId, null, null, true]),
    ],
    what,
  );
}

test('a bad or missing contract does not affect others', async () => {
  const realm = await oddRealm('odd', chain, 'eip155:1');
  assertOnlyGood(await holdings(realm, '1'), 'with multicall');
  const reports = chainLogs(service).filter((line) => line.contract !== undefined);
  assert.equal(reports.length, 7, 'each is reported once');
});

test('without Multicall3 there is one batch for each contract', async () => {
  const realm = await oddRealm('bare', bare, 'eip155:2');
  assertOnlyGood(await holdings(realm, '1'), 'without multicall');
  const batches = proxy.asked.filter((one) => Array.isArray(one) && one[0].method === 'eth_call');
  assert.equal(batches.length, 8);
  for (const batch of batches) {
    assert.equal(
      new Set(batch.map((one: { params: { to: string }[] }) => one.params[0]?.to)).size,
      1,
    );
    assert.equal(batch.length, 3, 'two wallets and the symbol');
  }
});

test('a contract that never answers delays nobody, and the node is not blamed', async () => {
  const slow = await chain.deploy('Token20', 'SLOW');
  const good = await chain.deploy('Token20', 'GOOD');
  const stuck = await RpcProxy.before(chain.url);
  after(() => stuck.stop());
  const needle = slow.address.slice(2).toLowerCase();
  stuck.twist = (asked, answer) =>
    JSON.stringify(asked).toLowerCase().includes(needle)
      ? new Promise(() => {})
      : JSON.stringify(answer);
  const hurried = await web3Service(
    { 'eip155:1': stuck.url },
    { timeoutMs: 1_000, deadlineMs: 30_000 },
  );
  const realm = await hurried.realm('stuck');
  await realm.member('1', 0, { wallets });
  await nameAsset(realm, 'good', good);
  await nameAsset(realm, 'slow', slow);
  const shown = (await holdings(realm, '1')).map(({ balance, stale }) => [balance, stale]);
  assert.deepEqual(shown, [
    ['0', false],
    [null, true],
  ]);
  const alone = await hurried.realm('alone');
  await alone.member('1', 0, { wallets: [walletOf('alone')] });
  await nameAsset(alone, 'slow', slow);
  assert.equal((await holding(alone, '1')).balance, null);
  assert.ok(chainLogs(hurried).every((line) => line.failure === undefined));
});

test('a Multicall3 that disappears is no longer used', async () => {
  const restless = await web3Service(
    { 'eip155:1': chain.url },
    { freshMs: 0, oldMs: 0, deadlineMs: 20_000 },
  );
  const realm = await restless.realm('gone');
  const coin = await chain.deploy('Token20', 'COIN');
  await realm.member('1', 0, { wallets });
  await nameAsset(realm, 'coin', coin);
  assert.equal((await holding(realm, '1')).balance, '0');
  await chain.setMulticall(false);
  for (const wallet of wallets) await chain.transact(coin, 'mint', wallet, 6n);
  const after = await holding(realm, '1');
  await chain.setMulticall(true);
  assert.equal(after.balance, '12');
});

const symbols: [given: string, shown: string | null][] = [
  ['GOLD', 'GOLD'],
  ['', null],
  ['   ', null],
  ['\u202e\u0000\n\u200b', null],
  ['A\u202eB\u0007 \t C', 'AB C'],
  ['★'.repeat(40), '★'.repeat(32)],
  ['x'.repeat(2_000), null],
];

test('a symbol is truncated and shown without invisible characters', async () => {
  const realm = await service.realm('symbols');
  await realm.member('1', 0, { wallets });
  for (const [index, [given]] of symbols.entries()) {
    await nameAsset(realm, `s${index}`, await chain.deploy('Token20', given));
  }
  const held = await holdings(realm, '1');
  assert.deepEqual(
    held.map(({ symbol }) => symbol),
    symbols.map(([, shown]) => shown),
  );
  for (const one of held) assert.deepEqual([one.balance, one.stale], ['0', false]);
});
