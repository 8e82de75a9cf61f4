import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/parsers.ts';
import { LruMap, Semaphore } from '../../src/web3/bounds.ts';
import { type ChainEvents, ChainWatch } from '../../src/web3/chain-watch.ts';
import { FAILURES } from '../../src/web3/rpc-client.ts';
import { balanceOf, symbolOf } from '../../src/web3/token-calls.ts';

/** The parts of chain reading on their own; test/web3 tests them together. */
const urls = (text: string) => readConfig({ RPC_URLS: text }).rpcUrls;

function faultsOf(text: string): string {
  try {
    readConfig({ RPC_URLS: text, PORT: 'x' });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return '';
}

test('RPC_URLS: chains and their URLs, which may contain commas and equals signs', () => {
  assert.deepEqual(readConfig({}).rpcUrls, {});
  for (const none of ['', ' ', ' \n\t', ',']) assert.deepEqual(urls(none), {});
  assert.deepEqual(urls('eip155:1=https://a.example/?k=1,\n'), {
    'eip155:1': 'https://a.example/?k=1',
  });
  assert.deepEqual(urls('eip155:1=https://a.example/v2/key'), {
    'eip155:1': 'https://a.example/v2/key',
  });
  assert.deepEqual(urls('eip155:1=https://a.example/?k=1,2,x=3,\n eip155:8453=http://b:8545\n'), {
    'eip155:1': 'https://a.example/?k=1,2,x=3',
    'eip155:8453': 'http://b:8545',
  });
  assert.deepEqual(urls('eip155:1=https://me:pass@a.example'), {
    'eip155:1': 'https://me:pass@a.example',
  });
});

test('RPC_URLS_FILE: the same from a file, with line breaks', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-urls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'urls');
  writeFileSync(file, 'eip155:1=https://a.example,\neip155:10=https://b.example\n');
  assert.deepEqual(readConfig({ RPC_URLS_FILE: file }).rpcUrls, {
    'eip155:1': 'https://a.example',
    'eip155:10': 'https://b.example',
  });
  const both = { RPC_URLS_FILE: file, RPC_URLS: 'eip155:1=https://a.example' };
  assert.throws(() => readConfig(both), /must not both be set/);
  assert.throws(() => readConfig({ RPC_URLS_FILE: `${file}.not` }), /cannot be read/);
});

test('RPC_URLS: all faults are reported at once, and no URL is shown', () => {
  const wrong = [
    'https://a.example/SECRET',
    'eip155:0=https://a.example/SECRET',
    'eip155:01=https://a.example/SECRET',
    'eip155:x=https://a.example/SECRET',
    'eip155:1=ftp://a.example/SECRET',
    'eip155:1=a.example/SECRET',
    'eip155:1=',
    'eip155:1=https://',
    'eip155:1=https://a.example/SECRET,https://b.example/SECRET',
    'eip155:1=https://a.example/SECRET two',
    'eip155:1=https://a.example/SECRET,,',
    'eip155:1=https://a.example/SECRET,polygon=https://b.example/SECRET',
    'eip155:1=https://a.example/SECRET,eip155:1=https://b.example',
    'eip155:1=https://a.example,solana:mainnet=https://b.example/SECRET',
    `eip155:${'9'.repeat(16)}=https://a.example/SECRET`,
  ];
  for (const text of wrong) {
    const said = faultsOf(text);
    assert.match(said, /PORT must.*; entry [12] of RPC_URLS/, text);
    assert.ok(!said.includes('SECRET'), said);
  }
  const three = faultsOf(
    'eip155:0=https://a,eip155:1=ftp://a,eip155:2=https://a,eip155:2=https://b',
  );
  for (const own of ['137=https://b/SECRET', 'https://b/SECRET', ' polygon: https://b/SECRET']) {
    const said = faultsOf(`eip155:1=https://a,${own},eip155:2=https://c`);
    assert.match(said, /entry 2 of RPC_URLS must be eip155:/);
    assert.doesNotMatch(said, /entry [13]|SECRET/);
  }
  for (const place of [1, 2, 4]) assert.match(three, new RegExp(`entry ${place} of RPC_URLS`));
});

test('the least recently used entry is removed first', () => {
  const map = new LruMap<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
  assert.equal(map.get('a'), 0);
  map.set('d', 3);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [0, undefined, 2]);
  map.set('c', 5);
  assert.deepEqual([map.size, map.get('c')], [3, 5]);
});

test('a semaphore serves waiters in order, and each permit is returned once', async () => {
  const semaphore = new Semaphore(1);
  const passed: string[] = [];
  let release = (): void => {};
  const pass = async (name: string): Promise<void> => {
    release = await semaphore.acquire();
    passed.push(name);
  };
  await pass('a');
  const waiting = [pass('b'), pass('c')];
  const releaseFirst = release;
  releaseFirst();
  await waiting[0];
  releaseFirst();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(passed, ['a', 'b']);
  release();
  await waiting[1];
  assert.deepEqual(passed, ['a', 'b', 'c']);
});

const MINUTE = 60_000;

test('a node at an earlier block counts as lagging for ten minutes', () => {
  const reported: string[] = [];
  const events: ChainEvents = {
    failing: (chain, failure) => reported.push(`${chain} ${failure}`),
    working: (chain) => reported.push(`${chain} works`),
    behind: (_, block, highest) => reported.push(`${block} < ${highest}`),
    unanswered: (_, contract) => reported.push(contract),
  };
  const watch = new ChainWatch('eip155:1', events, 5_000);
  assert.equal(watch.answered(100, 0), false);
  assert.equal(watch.answered(97, 1), false, 'a small lag is tolerated');
  assert.equal(watch.answered(96, 2), true);
  assert.equal(watch.answered(50, 9 * MINUTE), true);
  assert.deepEqual([watch.highest, reported], [100, ['96 < 100']]);
  assert.equal(watch.answered(50, 10 * MINUTE), false);
  assert.equal(watch.highest, 50);
  watch.failed('timeout', 11 * MINUTE);
  watch.failed('timeout', 11 * MINUTE + 1_000);
  assert.equal(watch.isPaused(11 * MINUTE + 5_999), true);
  assert.equal(watch.isPaused(11 * MINUTE + 6_000), false);
  watch.answered(60, 12 * MINUTE);
  assert.equal(watch.isPaused(12 * MINUTE), false);
  watch.unanswered('0x1', 12 * MINUTE);
  watch.unanswered('0x1', 22 * MINUTE);
  assert.deepEqual(reported.slice(1), ['eip155:1 timeout', 'eip155:1 works', '0x1']);
  assert.deepEqual(watch.counts(), {
    chain: 'eip155:1',
    reads: 8,
    behind: 2,
    unanswered: 2,
    failures: { ...Object.fromEntries(FAILURES.map((failure) => [failure, 0])), timeout: 2 },
    failing: false,
    highestBlock: 60,
  });
});

test('a balance is one word and a symbol is text; anything else is rejected', () => {
  assert.equal(balanceOf(`0x${'f'.repeat(64)}`), 2n ** 256n - 1n);
  for (const bytes of [0, 1, 31, 33, 64]) assert.equal(balanceOf(`0x${'01'.repeat(bytes)}`), null);
  assert.equal(balanceOf('nothing'), null);
  assert.equal(symbolOf('unknown'), null);
  const word = (text: string): `0x${string}` =>
    `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
  assert.equal(symbolOf(word('MKR')), 'MKR');
  assert.equal(symbolOf(word('')), null);
  assert.equal(symbolOf(`0x${'ff'.repeat(32)}`), null, 'not UTF-8');
  assert.equal(symbolOf(`0x${'ff'.repeat(96)}`), null, 'an offset out of bounds');
  assert.equal(symbolOf('0x'), null);
});
