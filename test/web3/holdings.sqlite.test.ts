import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RpcProxy } from '../chain/proxies.ts';
import { eventually } from '../support/eventually.ts';
import {
  chainForFile,
  holding,
  holdings,
  nameAsset,
  walletOf,
  web3Service,
} from '../support/web3.ts';

/** Balances of members, read from a real chain. */
const chain = await chainForFile();
const proxy = await RpcProxy.before(chain.url);
after(() => proxy.stop());
const gold = await chain.deploy('Token20', 'GOLD');
const pass = await chain.deploy('Token721');
const badges = await chain.deploy('Token1155');
const most = 2n ** 256n - 1n;

/** The default, which caches balances for a minute, and one that reads at every call. */
const lenient = { deadlineMs: 30_000, timeoutMs: 30_000 };
const patient = await web3Service({ 'eip155:1': proxy.url }, lenient);
const restless = await web3Service(
  { 'eip155:1': chain.url },
  { ...lenient, freshMs: 0, retryMs: 0 },
);

test('three standards, summed over the EVM wallets, with block, time and symbol', async () => {
  const realm = await patient.realm('standards');
  const [one, two] = [walletOf('one'), walletOf('two')];
  await realm.member('1', 0, { wallets: [one, two, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'] });
  await realm.member('2', 0, { wallets: [walletOf('poor')] });
  await chain.transact(gold, 'mint', one, most);
  await chain.transact(gold, 'mint', two, 2n);
  for (const id of [1n, 2n]) await chain.transact(pass, 'mint', one, id);
  await chain.transact(pass, 'mint', two, 3n);
  await chain.transact(badges, 'mint', two, most, 5n);
  await chain.transact(badges, 'mint', two, 0n, 7n);
  await nameAsset(realm, 'gold', gold);
  await nameAsset(realm, 'pass', pass);
  await nameAsset(realm, 'badge', badges, { tokenId: String(most) });
  await nameAsset(realm, 'first-badge', badges, { tokenId: '0', symbol: 'FIRST' });
  const before = Date.now();
  const held = await holdings(realm, '1');
  const block = await chain.block();
  assert.deepEqual(
    held.map(({ assetId, symbol, balance }) => [assetId, symbol, balance]),
    [
      ['badge', null, '5'],
      ['first-badge', 'FIRST', '7'],
      ['gold', 'GOLD', String(most + 2n)],
      ['pass', 'PASS', '3'],
    ],
  );
  for (const one of held) {
    assert.deepEqual([one.block, one.stale], [block, false]);
    assert.ok(Date.parse(one.asOf ?? '') >= before, one.asOf ?? '');
  }
  const poor = await holdings(realm, '2');
  assert.deepEqual(
    poor.map(({ balance, stale }) => [balance, stale]),
    Array(4).fill(['0', false]),
  );
});

test('a balance is cached for a minute', async () => {
  const realm = await patient.realm('kept');
  const wallet = walletOf('kept');
  await realm.member('1', 0, { wallets: [wallet] });
  await nameAsset(realm, 'gold', gold);
  const first = await holding(realm, '1');
  await chain.transact(gold, 'mint', wallet, 5n);
  const asked = proxy.asked.length;
  for (let index = 0; index < 20; index++) assert.deepEqual(await holding(realm, '1'), first);
  assert.equal(proxy.asked.length, asked);
  // Another realm with the same contract shares the cache.
  const other = await patient.realm('kept-too');
  await other.member('9', 0, { wallets: [wallet] });
  await nameAsset(other, 'another-name', gold);
  assert.deepEqual(await holding(other, '9'), { ...first, assetId: 'another-name' });
  assert.equal(proxy.asked.length, asked);
});

test('a newly linked wallet counts at once, and all are read at one block', async () => {
  const realm = await patient.realm('later');
  const [one, two] = [walletOf('later 1'), walletOf('later 2')];
  await chain.transact(gold, 'mint', one, 10n);
  await realm.member('1', 0, { wallets: [one] });
  await nameAsset(realm, 'gold', gold);
  assert.equal((await holding(realm, '1')).balance, '10');
  // If each wallet were read at its own block, these four would count twice.
  await chain.transact(gold, 'move', one, two, 4n);
  await realm.expect(201, 'POST', '/members/1/wallets', { body: { address: two } });
  const both = await holding(realm, '1');
  assert.deepEqual([both.balance, both.block], ['10', await chain.block()]);
});

test('the balance follows transfers', async () => {
  const realm = await restless.realm('moves');
  const wallet = walletOf('moves');
  await realm.member('1', 0, { wallets: [wallet] });
  await nameAsset(realm, 'gold', gold);
  assert.equal((await holding(realm, '1')).balance, '0');
  for (const balance of ['3', '6', '9']) {
    await chain.transact(gold, 'mint', wallet, 3n);
    const block = await chain.block();
    const held = await eventually(
      () => holding(realm, '1'),
      (one) => one.balance === balance,
    );
    assert.deepEqual([held.block, held.stale], [block, false]);
  }
});

test('concurrent calls share one read; a hundred wallets are one multicall', async () => {
  const realm = await patient.realm('at-once');
  const wallets = Array.from({ length: 100 }, (_, index) => walletOf(`at once ${index}`));
  for (const wallet of wallets.slice(0, 5)) await chain.transact(gold, 'mint', wallet, 2n);
  await realm.member('1', 0, { wallets: wallets.slice(0, 50) });
  for (const address of wallets.slice(50)) {
    await realm.expect(201, 'POST', '/members/1/wallets', { body: { address } });
  }
  await nameAsset(realm, 'gold', gold, { symbol: 'G' });
  const before = proxy.count('eth_call');
  const all = await Promise.all(Array.from({ length: 50 }, () => holding(realm, '1')));
  assert.deepEqual(new Set(all.map(({ balance }) => balance)), new Set(['10']));
  assert.equal(proxy.count('eth_call') - before, 1);
});

test('many members at once cause few requests, and few at a time', async () => {
  const realm = await patient.realm('crowd');
  await nameAsset(realm, 'gold', gold, { symbol: 'G' });
  const ids = Array.from({ length: 300 }, (_, index) => String(index + 1));
  await Promise.all(ids.map((id) => realm.member(id, 0, { wallets: [walletOf(`crowd ${id}`)] })));
  const before = proxy.asked.length;
  proxy.mostAtOnce = 0;
  const all = await Promise.all(ids.map((id) => holding(realm, id)));
  assert.ok(all.every(({ balance, stale }) => balance === '0' && !stale));
  assert.ok(proxy.asked.length - before <= 100, String(proxy.asked.length - before));
  assert.ok(proxy.mostAtOnce <= 8, String(proxy.mostAtOnce));
});

test('balances are right even if the cache is too small', async () => {
  const service = await web3Service({ 'eip155:1': chain.url }, { ...lenient, entries: 3 });
  const realm = await service.realm('small');
  await nameAsset(realm, 'gold', gold);
  for (const id of ['1', '2', '3', '4', '5']) {
    await realm.member(id, 0, { wallets: [walletOf(`small ${id}`)] });
    await chain.transact(gold, 'mint', walletOf(`small ${id}`), BigInt(id));
  }
  for (const id of ['1', '2', '3', '4', '5', '1']) {
    assert.equal((await holding(realm, id)).balance, id);
  }
});
