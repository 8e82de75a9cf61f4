import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
  parseAbi,
  serializeErc6492Signature,
} from 'viem';
import type { Asset } from '../../src/domain/model.ts';
import { encode, type Hex, wordOf } from '../../src/web3/abi.ts';
import { signatureQuery } from '../../src/web3/evm-signature.ts';
import {
  balanceCall,
  decodeAggregate,
  encodeAggregate,
  symbolCall,
  symbolOf,
} from '../../src/web3/token-calls.ts';

/** Our encoding and decoding of calls against viem's, for anything that chains may send. */
const hex = (maxLength: number, minLength = 0): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
const address = hex(20, 20);
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
]);
const multiTokenAbi = parseAbi(['function balanceOf(address, uint256) view returns (uint256)']);
const functionName = 'balanceOf';

function assetOf(contract: Hex, tokenId: bigint | null): Asset {
  const standard = tokenId === null ? 'erc20' : 'erc1155';
  const id = tokenId === null ? null : String(tokenId);
  return { id: 'a', chain: 'eip155:1', standard, contract, tokenId: id, symbol: null };
}

test('calls are encoded as by viem', () => {
  const asked = fc.tuple(address, address, fc.option(uint256));
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 5 }), (all) => {
      const calls = all.map(([contract, owner, id]) => balanceCall(assetOf(contract, id), owner));
      for (const [index, [, owner, id]] of all.entries()) {
        const expected =
          id === null
            ? encodeFunctionData({ abi: tokenAbi, functionName, args: [owner] })
            : encodeFunctionData({ abi: multiTokenAbi, functionName, args: [owner, id] });
        assert.equal(calls[index]?.data, expected);
      }
      const symbol = symbolCall(assetOf(`0x${'1'.repeat(40)}`, null));
      assert.equal(symbol.data, encodeFunctionData({ abi: tokenAbi, functionName: 'symbol' }));
      const some = [...calls, symbol];
      const args = some.map(({ to, data }) => ({ target: to, callData: data, allowFailure: true }));
      const abi = multicall3Abi;
      const expected = encodeFunctionData({ abi, functionName: 'aggregate3', args: [args] });
      assert.equal(encodeAggregate(some), expected);
    }),
  );
});

test('the results of a multicall are decoded as by viem', () => {
  const result = fc.record(
    { success: fc.boolean(), returnData: hex(100) },
    { noNullPrototype: true },
  );
  const abi = multicall3Abi;
  fc.assert(
    fc.property(fc.array(result, { maxLength: 8 }), (results) => {
      const data = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results });
      assert.deepEqual(decodeAggregate(data, results.length), results);
      assert.throws(() => decodeAggregate(data, results.length + 1));
    }),
  );
});

/** Encoded data with a few bytes changed, or cut off. */
const damaged = (data: Hex) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(data.length), fc.constantFrom('00', '01', '20', '40', 'ff'))),
      fc.nat(data.length),
      fc.boolean(),
    )
    .map(([changes, length, isCut]): Hex => {
      const bytes = Buffer.from(data.slice(2), 'hex');
      for (const [at, byte] of changes) bytes[at % bytes.length] = Number.parseInt(byte, 16);
      const kept = isCut ? bytes.subarray(0, length % bytes.length) : bytes;
      return `0x${kept.toString('hex')}`;
    });

test('damaged results are refused, or read as by viem', () => {
  const abi = multicall3Abi;
  const results = [
    { success: true, returnData: wordHex(7) },
    { success: false, returnData: '0x' as const },
  ];
  const whole = encodeFunctionResult({ abi, functionName: 'aggregate3', result: results });
  fc.assert(
    fc.property(damaged(whole), (data) => {
      const own = attempt(() => decodeAggregate(data, 2));
      if (own === null) return;
      assert.deepEqual(own, decodeFunctionResult({ abi, functionName: 'aggregate3', data }));
    }),
    { numRuns: 1_000 },
  );
});

const wordHex = (value: number): Hex => `0x${wordOf(value)}`;

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

const STRING = [{ type: 'string' }] as const;
/** What remains of the text of a contract, here without white space. */
const shown = (text: string): string | null =>
  [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\u{FFFD}\s]/gu, '')].slice(0, 32).join('') || null;

test('a symbol is the text that viem decodes, without what is not presentable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const solid = text.replaceAll(/\s/gu, '');
      assert.equal(symbolOf(encodeAbiParameters(STRING, [solid])), shown(solid));
    }),
  );
});

test('a damaged symbol is none, or what viem decodes', () => {
  fc.assert(
    fc.property(damaged(encodeAbiParameters(STRING, ['GOLD'])), (data) => {
      const own = symbolOf(data);
      // A single word is a symbol of the oldest kind.
      if (own === null || data.length === 66) return;
      assert.equal(shown(own), shown(decodeAbiParameters(STRING, data)[0]));
    }),
    { numRuns: 1_000 },
  );
});

test('values are encoded as by viem', () => {
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'bytes' }];
  fc.assert(
    fc.property(address, hex(70), uint256, hex(70), (owner, first, value, second) => {
      const own = encode([wordOf(owner), { bytes: first }, wordOf(value), { bytes: second }]);
      const expected = encodeAbiParameters(types, [owner, first, value, second]);
      assert.equal(`0x${own}`, expected);
    }),
  );
});

test('a wrapped signature is taken apart: wallet, text, signature, factory, call', () => {
  const types = ['address', 'bytes32', 'bytes', 'address', 'bytes'].map((type) => ({ type }));
  fc.assert(
    fc.property(address, hex(32, 32), hex(80), address, hex(80), (wallet, hash, ...wrapped) => {
      const [signature, factory, data] = wrapped;
      const text = serializeErc6492Signature({ address: factory, data, signature });
      const query = signatureQuery(wallet, Buffer.from(hash.slice(2), 'hex'), text);
      const expected = encodeAbiParameters(types, [wallet, hash, signature, factory, data]);
      assert.ok(query.endsWith(expected.slice(2)));
    }),
  );
});

test('what is marked as wrapped but is not is refused', () => {
  const hash = Buffer.alloc(32);
  for (const digits of ['', '00', 'ff'.repeat(96), '00'.repeat(64)]) {
    const text: Hex = `0x${digits}${'6492'.repeat(16)}`;
    assert.throws(() => signatureQuery(`0x${'1'.repeat(40)}`, hash, text), RangeError);
  }
});
