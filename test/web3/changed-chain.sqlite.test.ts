import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RpcProxy } from '../chain/proxies.ts';
import { eventually } from '../support/eventually.ts';
import {
  chainForFile,
  chainLogs,
  holding,
  nameAsset,
  walletOf,
  web3Service,
} from '../support/web3.ts';

const chain = await chainForFile();
const gold = await chain.deploy('Token20', 'GOLD');
const wallet = walletOf('holder');
await chain.transact(gold, 'mint', wallet, 7n);
const IMPATIENT = { deadlineMs: 30_000, timeoutMs: 30_000, freshMs: 0, retryMs: 0 };

test('a node that changes to another chain is not believed any more', async () => {
  const proxy = await RpcProxy.before(chain.url);
  after(() => proxy.stop());
  const service = await web3Service({ 'eip155:1': proxy.url }, IMPATIENT);
  const realm = await service.realm('changes');
  await realm.member('1', 0, { wallets: [wallet] });
  await nameAsset(realm, 'gold', gold);
  assert.equal((await holding(realm, '1')).balance, '7');
  const ids = new Set<unknown>();
  proxy.twist = (asked, answer) => {
    for (const one of [asked].flat()) if (one.method === 'eth_chainId') ids.add(one.id);
    const replies = [answer]
      .flat()
      .map((one) => (ids.has(one.id) ? { ...one, result: '0x99' } : one));
    return JSON.stringify(Array.isArray(answer) ? replies : replies[0]);
  };
  const stale = await eventually(
    () => holding(realm, '1'),
    (one) => one.stale,
  );
  assert.equal(stale.balance, '7');
  const failures = chainLogs(service).flatMap((line) => line.failure ?? []);
  assert.deepEqual(failures, ['wrong-chain']);
});
