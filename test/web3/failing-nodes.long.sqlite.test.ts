import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TestChain } from '../chain/chain.ts';
import { RpcProxy, TcpProxy } from '../chain/proxies.ts';
import { eventually } from '../support/eventually.ts';
import type { TestRealm, TestService } from '../support/service.ts';
import {
  chainForFile,
  chainLogs,
  holding,
  nameAsset,
  walletOf,
  web3Service,
} from '../support/web3.ts';

/** Nodes that are down, slow, lagging, wrong or of another chain: no call fails or hangs. */
const chain = await chainForFile();
const gold = await chain.deploy('Token20', 'GOLD');
const wallet = walletOf('holder');
await chain.transact(gold, 'mint', wallet, 7n);

/** A healthy node may be slow on a busy machine; only one test is about the deadline. */
const LENIENT = { deadlineMs: 30_000, timeoutMs: 30_000 };
const IMPATIENT = { ...LENIENT, freshMs: 0, retryMs: 0 };
const UNKNOWN = { balance: null, block: null, asOf: null, stale: true };

async function holderRealm(service: TestService, id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 0, { wallets: [wallet] });
  await realm.member('2', 0, { wallets: [walletOf('somebody else')] });
  await nameAsset(realm, 'gold', gold);
  return realm;
}

const failuresOf = (service: TestService): string[] =>
  chainLogs(service).flatMap((line) => line.failure ?? []);

test('a node stops and comes back: meanwhile the last balance is stale, or unknown', async () => {
  const own = await TestChain.start();
  const coin = await own.deploy('Token20', 'COIN');
  await own.transact(coin, 'mint', wallet, 5n);
  const proxy = await TcpProxy.before(own.url);
  after(() => proxy.stop());
  const url = `${proxy.url}/v2/secret-api-key`;
  const service = await web3Service({ 'eip155:1': url }, IMPATIENT);
  const realm = await service.realm('stops');
  await realm.member('1', 0, { wallets: [wallet] });
  await realm.member('2', 0, { wallets: [walletOf('later')] });
  await nameAsset(realm, 'coin', coin);
  const first = await holding(realm, '1');
  assert.deepEqual([first.balance, first.symbol, first.stale], ['5', 'COIN', false]);

  proxy.cut(true);
  const stale = await eventually(
    () => holding(realm, '1'),
    (one) => one.stale,
  );
  const { stale: _, asOf, ...same } = first;
  assert.deepEqual({ ...stale, ...same }, stale, 'only the mark differs');
  assert.ok(stale.asOf && asOf && stale.asOf >= asOf);
  const never = await holding(realm, '2');
  assert.deepEqual({ ...never, ...UNKNOWN }, never);
  assert.equal(never.symbol, 'COIN');

  await own.transact(coin, 'mint', wallet, 1n);
  proxy.cut(false);
  await eventually(
    () => holding(realm, '1'),
    (one) => one.balance === '6' && !one.stale,
  );
  await own.stop();
  await eventually(
    () => holding(realm, '1'),
    (one) => one.balance === '6' && one.stale,
  );
  assert.deepEqual(failuresOf(service), ['unreachable', 'unreachable']);
  const logs = service.logs.join('');
  assert.match(logs, /chain can be read again/);
  assert.ok(!logs.includes('secret-api-key') && !logs.includes(new URL(url).port), logs);
});

test('a slow node: the call ends at the deadline, the balance appears later', async () => {
  const proxy = await TcpProxy.before(chain.url);
  after(() => proxy.stop());
  proxy.delayMs = 1_500;
  const service = await web3Service({ 'eip155:1': proxy.url });
  const realm = await holderRealm(service, 'slow');
  const began = Date.now();
  const replies = await Promise.all(['1', '1', '2'].map((id) => holding(realm, id)));
  const took = Date.now() - began;
  assert.ok(took >= 1_900 && took < 4_000, `${took} ms`);
  for (const one of replies) assert.deepEqual({ ...one, ...UNKNOWN }, one);
  proxy.delayMs = 0;
  // The read goes on although nobody waits for it.
  const late = await eventually(
    () => holding(realm, '1'),
    (one) => one.balance !== null,
  );
  assert.deepEqual([late.balance, late.stale], ['7', false]);
});

test('a node that never answers times out and is not asked again for a while', async () => {
  const proxy = await TcpProxy.before(chain.url);
  after(() => proxy.stop());
  proxy.delayMs = 1_000_000;
  const options = { timeoutMs: 100, deadlineMs: 10_000, retryMs: 1_000_000 };
  const service = await web3Service({ 'eip155:1': proxy.url }, options);
  const realm = await holderRealm(service, 'silent');
  assert.equal((await holding(realm, '1')).stale, true);
  assert.deepEqual(failuresOf(service), ['timeout']);
  // The chain is paused now: no call waits for it.
  proxy.delayMs = 0;
  for (const id of ['1', '2']) assert.equal((await holding(realm, id)).balance, null);
});

test('a stop does not wait for a node', async () => {
  const proxy = await TcpProxy.before(chain.url);
  after(() => proxy.stop());
  proxy.delayMs = 1_000_000;
  const options = { timeoutMs: 60_000, deadlineMs: 60_000 };
  const service = await web3Service({ 'eip155:1': proxy.url }, options);
  const realm = await holderRealm(service, 'stop');
  const waiting = holding(realm, '1');
  await proxy.asked();
  const began = Date.now();
  await service.down();
  assert.ok(Date.now() - began < 8_000);
  const shown = await waiting;
  assert.deepEqual({ ...shown, ...UNKNOWN }, shown, 'the waiting caller gets an answer');
  assert.deepEqual(failuresOf(service), [], 'a stop is not a failure of the node');
});

test('a reorganised chain: balances are stale until it is past its highest block', async () => {
  const own = await TestChain.start();
  after(() => own.stop());
  const coin = await own.deploy('Token20', 'COIN');
  const service = await web3Service({ 'eip155:1': own.url }, IMPATIENT);
  const realm = await service.realm('reorganised');
  await realm.member('1', 0, { wallets: [wallet] });
  await realm.member('2', 0, { wallets: [walletOf('another')] });
  await nameAsset(realm, 'coin', coin);
  const snapshot = await own.rpc('evm_snapshot');
  await own.mine(10);
  await own.transact(coin, 'mint', wallet, 5n);
  const high = await own.block();
  await eventually(
    () => holding(realm, '1'),
    (one) => one.block === high,
  );
  await own.rpc('evm_revert', snapshot);
  const back = await eventually(
    () => holding(realm, '1'),
    (one) => one.stale,
  );
  assert.deepEqual([back.balance, back.block], ['5', high], 'the last known balance');
  const low = await own.block();
  const other = await holding(realm, '2');
  assert.deepEqual([other.balance, other.block, other.stale], ['0', low, true]);
  await own.mine(20);
  const now = await eventually(
    () => holding(realm, '1'),
    (one) => !one.stale,
  );
  assert.deepEqual([now.balance, now.block], ['0', low + 20]);
  const [behind] = chainLogs(service).filter((line) => line.highest !== undefined);
  assert.deepEqual([behind.block, behind.highest], [low, high]);
});

test('a node of another chain is not read, nor is a chain that is not configured', async () => {
  const proxy = await RpcProxy.before(chain.url);
  after(() => proxy.stop());
  const service = await web3Service({ 'eip155:10': proxy.url }, LENIENT);
  const realm = await service.realm('mismatch');
  await realm.member('1', 0, { wallets: [wallet] });
  await nameAsset(realm, 'gold', gold, { chain: 'eip155:10', symbol: 'G' });
  await nameAsset(realm, 'unset', gold, { chain: 'eip155:11' });
  const { json } = await realm.expect(200, 'GET', '/web3/members/1');
  for (const one of json.assets) assert.deepEqual({ ...one, ...UNKNOWN }, one);
  assert.deepEqual(
    json.assets.map(({ symbol }: { symbol: string }) => symbol),
    ['G', null],
  );
  assert.deepEqual(failuresOf(service), ['wrong-chain']);
  assert.equal(proxy.count('eth_call'), 0);
});

interface Rpc {
  method: string;
  result?: unknown;
}

/** Replaces the result of a method, in a single call or in a batch. */
const instead = (method: string, result: unknown) => (asked: Rpc | Rpc[], answer: Rpc | Rpc[]) => {
  const one = (call: Rpc, reply: Rpc): Rpc =>
    call.method === method ? { ...reply, result } : reply;
  if (!Array.isArray(asked)) return JSON.stringify(one(asked, answer as Rpc));
  return JSON.stringify(asked.map((each, index) => one(each, (answer as Rpc[])[index] as Rpc)));
};

/** Wrong answers of a node. */
const wrongAnswers: Record<string, RpcProxy['twist']> = {
  'not JSON': () => '<html>',
  'no answer': () => '{}',
  'nothing at all': () => 'null',
  'a list around the answer': (_, answer) => JSON.stringify([answer]),
  'too large': () => ' '.repeat(5 * 1024 * 1024),
  'an absurd block': instead('eth_blockNumber', `0x${'f'.repeat(64)}`),
  'no block': instead('eth_blockNumber', null),
  'a number instead of bytes': instead('eth_call', 5),
  'half a byte': instead('eth_call', '0x123'),
  'not hex': instead('eth_call', `0x${'zz'.repeat(32)}`),
  'less than a word': instead('eth_call', `0x${'ff'.repeat(31)}`),
  'more than a word': instead('eth_call', `0x${'20'.padStart(64, '0').repeat(2)}`),
};

test('a wrong answer is never shown and never fails the call', async () => {
  const proxy = await RpcProxy.before(chain.url);
  after(() => proxy.stop());
  const service = await web3Service({ 'eip155:1': proxy.url }, IMPATIENT);
  const realm = await holderRealm(service, 'wrong');
  for (const [what, wrong] of Object.entries(wrongAnswers)) {
    proxy.twist = wrong;
    const shown = await holding(realm, '1');
    assert.deepEqual({ ...shown, ...UNKNOWN }, shown, what);
  }
  proxy.twist = (_, answer) => JSON.stringify(answer);
  for (const status of [429, 500, 401, 302]) {
    proxy.status = status;
    assert.equal((await holding(realm, '1')).balance, null, String(status));
  }
  proxy.status = 200;
  assert.equal((await holding(realm, '1')).balance, '7');
});

test('a block that another node has not seen yet is replaced by an earlier one', async () => {
  const proxy = await RpcProxy.before(chain.url);
  after(() => proxy.stop());
  const service = await web3Service({ 'eip155:1': proxy.url }, LENIENT);
  const realm = await holderRealm(service, 'uneven');
  for (let index = 0; index < 5; index++) await chain.transact(gold, 'mint', walletOf('x'), 1n);
  const block = await chain.block();
  const answerOf = (asked: { method: string; params: string[] }, answer: object) => {
    const isTooNew = asked.method === 'eth_call' && Number(asked.params[1]) > block - 2;
    const error = { code: -32000, message: 'header not found' };
    return isTooNew ? { ...answer, result: undefined, error } : answer;
  };
  proxy.twist = (asked, answer) =>
    JSON.stringify(
      Array.isArray(asked)
        ? asked.map((one, index) => answerOf(one, answer[index]))
        : answerOf(asked, answer),
    );
  const shown = await holding(realm, '1');
  assert.deepEqual([shown.balance, shown.block, shown.stale], ['7', block - 3, false]);
});

test('missing or swapped answers never yield the balance of another wallet', async () => {
  const bare = await chainForFile({ multicall: false });
  const proxy = await RpcProxy.before(bare.url);
  after(() => proxy.stop());
  const coin = await bare.deploy('Token20', 'COIN');
  const service = await web3Service({ 'eip155:1': proxy.url }, IMPATIENT);
  const realm = await service.realm('batches');
  const wallets = [walletOf('a'), walletOf('b'), walletOf('c')];
  await realm.member('1', 0, { wallets });
  for (const [index, one] of wallets.entries()) {
    await bare.transact(coin, 'mint', one, BigInt(10 ** index));
  }
  await nameAsset(realm, 'coin', coin, { symbol: 'C' });
  const twists: ((answers: { id: number }[]) => unknown)[] = [
    (answers) => answers.slice(1),
    (answers) => [answers[0], answers[0], answers[1]],
    (answers) => answers.map((one) => ({ ...one, id: one.id + 1 })),
    () => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches here' } }),
  ];
  for (const twist of twists) {
    proxy.twist = (_, answer) => JSON.stringify(Array.isArray(answer) ? twist(answer) : answer);
    assert.equal((await holding(realm, '1')).balance, null);
  }
  proxy.twist = (_, answer) => JSON.stringify(Array.isArray(answer) ? answer.toReversed() : answer);
  assert.equal((await holding(realm, '1')).balance, '111');
});
