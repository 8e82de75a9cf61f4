import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RpcProxy } from '../chain/proxies.ts';
import { eventually } from '../support/eventually.ts';
import {
  chainForFile,
  chainLogs,
  holding,
  holdings,
  nameAsset,
  walletOf,
  web3Service,
} from '../support/web3.ts';

/** Reading in batches: who waits for whom, and who is to blame for a failure. */
const chain = await chainForFile();
const bare = await chainForFile({ multicall: false });
const wallets = Array.from({ length: 20 }, (_, index) => walletOf(`holder ${index}`));
const LENIENT = { deadlineMs: 60_000, timeoutMs: 30_000 };

async function proxyBefore(url: string): Promise<RpcProxy> {
  const proxy = await RpcProxy.before(url);
  after(() => proxy.stop());
  return proxy;
}

/** Whether a request contains this contract: in a call, a batch or a multicall. */
const mentions = (asked: unknown, { address }: { address: string }): boolean =>
  JSON.stringify(asked).toLowerCase().includes(address.slice(2).toLowerCase());

const isCall = (asked: { method?: string }): boolean => asked.method === 'eth_call';
/** The block number and the chain id also come in a batch. */
const isBatchOfCalls = (asked: unknown): boolean => Array.isArray(asked) && asked.every(isCall);

test('a node that limits the rate is not asked for each contract separately', async () => {
  const proxy = await proxyBefore(chain.url);
  proxy.twist = (asked, answer) => {
    proxy.status = isCall(asked) || isBatchOfCalls(asked) ? 429 : 200;
    return JSON.stringify(answer);
  };
  const service = await web3Service({ 'eip155:1': proxy.url }, LENIENT);
  const realm = await service.realm('limited');
  await realm.member('1', 0, { wallets });
  for (let index = 0; index < 50; index++) {
    await nameAsset(realm, `a${index}`, { address: walletOf(`contract ${index}`) });
  }
  for (const one of await holdings(realm, '1')) assert.equal(one.balance, null);
  const calls = proxy.asked.filter((one) => isBatchOfCalls(one) || isCall(one));
  assert.ok(calls.length <= 11, `${calls.length} requests for 1,050 calls`);
  assert.ok(calls.every((one) => !Array.isArray(one)));
  const failures = chainLogs(service).flatMap((line) => line.failure ?? []);
  assert.deepEqual(failures, ['rate-limited']);
  assert.ok(chainLogs(service).every((line) => line.contract === undefined));
});

test('without Multicall3 a rate limit stops the remaining batches', async () => {
  const proxy = await proxyBefore(bare.url);
  proxy.twist = (asked, answer) => {
    proxy.status = isBatchOfCalls(asked) ? 429 : 200;
    return JSON.stringify(answer);
  };
  const service = await web3Service({ 'eip155:1': proxy.url }, LENIENT);
  const realm = await service.realm('limited');
  await realm.member('1', 0, { wallets });
  for (let index = 0; index < 50; index++) {
    await nameAsset(realm, `a${index}`, { address: walletOf(`contract ${index}`) });
  }
  for (const one of await holdings(realm, '1')) assert.equal(one.balance, null);
  const batches = proxy.asked.filter((one) => Array.isArray(one));
  assert.ok(batches.length <= 16, `${batches.length} batches`);
});

test('the timeout excludes the wait for the semaphore: many slow answers all count', async () => {
  const proxy = await proxyBefore(bare.url);
  proxy.twist = async (asked, answer) => {
    if (Array.isArray(asked)) await new Promise((resolve) => setTimeout(resolve, 700));
    return JSON.stringify(answer);
  };
  const options = { deadlineMs: 60_000, timeoutMs: 2_000 };
  const service = await web3Service({ 'eip155:1': proxy.url }, options);
  const realm = await service.realm('semaphore');
  await realm.member('1', 0, { wallets: wallets.slice(0, 1) });
  const coin = await bare.deploy('Token20', 'COIN');
  const code = await bare.rpc('eth_getCode', coin.address, 'latest');
  // Five times eight: the last ones wait for more than two seconds.
  for (let index = 0; index < 40; index++) {
    const address = walletOf(`coin ${index}`);
    await bare.rpc('hardhat_setCode', address, code);
    await nameAsset(realm, `a${index}`, { address }, { symbol: 'C' });
  }
  const shown = await holdings(realm, '1');
  assert.deepEqual([...new Set(shown.map(({ balance }) => balance))], ['0']);
});

test('what a node did not answer is read again soon, and no contract is blamed', async () => {
  const proxy = await proxyBefore(bare.url);
  const [good, late, cut] = [
    await bare.deploy('Token20', 'GOOD'),
    await bare.deploy('Token20', 'LATE'),
    await bare.deploy('Token20', 'CUT'),
  ];
  let isBad = true;
  proxy.twist = (asked, answer) => {
    if (isBad && mentions(asked, late)) return new Promise(() => {});
    if (isBad && mentions(asked, cut)) throw new Error('cut off');
    return JSON.stringify(answer);
  };
  const options = { deadlineMs: 60_000, timeoutMs: 1_500, retryMs: 200 };
  const service = await web3Service({ 'eip155:1': proxy.url }, options);
  const realm = await service.realm('unknown');
  await realm.member('1', 0, { wallets: wallets.slice(0, 2) });
  await nameAsset(realm, 'a-good', good);
  await nameAsset(realm, 'b-late', late);
  await nameAsset(realm, 'c-cut', cut);
  const first = (await holdings(realm, '1')).map(({ balance, stale }) => [balance, stale]);
  assert.deepEqual(first, [
    ['0', false],
    [null, true],
    [null, true],
  ]);
  isBad = false;
  const began = Date.now();
  const healed = await eventually(
    () => holdings(realm, '1'),
    (all) => all.every((one) => one.balance === '0' && !one.stale && one.symbol !== null),
  );
  assert.ok(Date.now() - began < 20_000, 'sooner than the minute for which a balance is fresh');
  assert.deepEqual(
    healed.map(({ symbol }) => symbol),
    ['GOOD', 'LATE', 'CUT'],
  );
  assert.deepEqual(
    chainLogs(service).filter((line) => line.contract !== undefined),
    [],
  );
});

test('a contract that never answers delays others once, and then nobody', async () => {
  const proxy = await proxyBefore(chain.url);
  const [slow, good] = [
    await chain.deploy('Token20', 'SLOW'),
    await chain.deploy('Token20', 'GOOD'),
  ];
  proxy.twist = (asked, answer) =>
    mentions(asked, slow) ? new Promise(() => {}) : JSON.stringify(answer);
  const timeoutMs = 3_000;
  // Every call reads again.
  const options = { freshMs: 0, oldMs: 0, retryMs: 0, deadlineMs: 60_000, timeoutMs };
  const service = await web3Service({ 'eip155:1': proxy.url }, options);
  const [bad, fine] = [await service.realm('slow'), await service.realm('fine')];
  for (const realm of [bad, fine]) await realm.member('1', 0, { wallets: wallets.slice(0, 2) });
  await nameAsset(bad, 'slow', slow, { symbol: 'S' });
  await nameAsset(fine, 'good', good, { symbol: 'G' });
  const order: string[] = [];
  const ask = async (realm: typeof bad, name: string) => {
    const { balance } = await holding(realm, '1');
    order.push(name);
    return balance;
  };
  const first = await Promise.all([ask(bad, 'slow'), ask(fine, 'good')]);
  assert.deepEqual(
    [first, order],
    [
      [null, '0'],
      ['good', 'slow'],
    ],
  );
  const together = () =>
    proxy.asked.filter((one) => !Array.isArray(one) && mentions(one, slow)).length;
  const before = together();
  const again = ask(bad, 'slow');
  // Others are read meanwhile; the slow contract only delays the quarantine queue.
  const began = Date.now();
  for (let index = 0; index < 5; index++) assert.equal(await ask(fine, 'good'), '0');
  assert.ok(Date.now() - began < timeoutMs, `${Date.now() - began} ms`);
  assert.equal(order.at(-1), 'good', 'the slow one is not complete');
  assert.equal(await again, null);
  assert.equal(together(), before, 'it is in no further multicall');
  assert.ok(chainLogs(service).every((line) => line.failure === undefined));
});

test('a contract that returns too much is not a failure of the node', async () => {
  const service = await web3Service({ 'eip155:1': chain.url }, LENIENT);
  const huge = await chain.deploy('Odd', 4n);
  const realm = await service.realm('huge');
  await realm.member('1', 0, { wallets });
  await nameAsset(realm, 'huge', huge);
  assert.equal((await holding(realm, '1')).balance, null);
  const logs = chainLogs(service);
  assert.ok(logs.every((line) => line.failure === undefined));
  assert.deepEqual(
    logs.map((line) => line.contract),
    [huge.address],
  );
});
