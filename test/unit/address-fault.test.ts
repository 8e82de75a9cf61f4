import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Chain } from '../../src/domain/model.ts';
import { addressFault, parseAddress } from '../../src/web3/address.ts';

const ADDRESSES = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  `0x${'0'.repeat(40)}`,
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
];

test('the check of an address finds the fault that its parser finds', () => {
  const unit = fc.constantFrom(...'019afAFgx');
  const almostEvm = fc
    .string({ unit, minLength: 39, maxLength: 74 })
    .chain((digits) => fc.constantFrom(`0x${digits}`, `0X${digits}`));
  const digits = fc.string({ unit: fc.constantFrom(...'09afAF'), minLength: 40, maxLength: 40 });
  const evm = digits.map((each) => `0x${each}`);
  const address = fc.constantFrom(...ADDRESSES);
  const anything = fc.oneof(address, fc.mixedCase(address), evm, almostEvm, fc.string());
  const chains = fc.constantFrom<Chain | undefined>('eip155', 'solana', 'bitcoin', undefined);
  const found = new Set<string | null>();
  fc.assert(
    fc.property(anything, chains, (text, chain) => {
      const parsed = parseAddress(text, chain);
      const fault = addressFault(text, chain);
      assert.equal(fault, 'fault' in parsed ? parsed.fault : null);
      found.add(fault);
    }),
    { numRuns: 2_000 },
  );
  for (const part of ['40 hex digits', 'zero address', 'EIP-55', 'not an EVM', 'too long']) {
    assert.ok(
      [...found].some((fault) => fault?.includes(part)),
      `${part} was not tried`,
    );
  }
  assert.ok(found.has(null));
});
