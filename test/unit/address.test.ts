import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import type { Chain } from '../../src/domain/model.ts';
import { parseAddress, walletKey } from '../../src/web3/address.ts';

const base58check = createBase58check((data: Uint8Array) => hash('sha256', data, 'buffer'));
const wrongEip55 = 'has a wrong EIP-55 checksum; check for a typo, or send it in lower case';

function assertParses(text: string, chain: Chain, key: string, address: string): void {
  const parsed = { chain, key, address };
  assert.deepEqual(parseAddress(text), parsed, text);
  assert.deepEqual(parseAddress(text, chain), parsed, text);
  assert.equal(walletKey(text), key, text);
}

function assertFault(text: string, fault: RegExp): void {
  const parsed = parseAddress(text);
  assert.ok('fault' in parsed, `${text} was accepted`);
  assert.match(parsed.fault, fault, text);
}

// The vectors of EIP-55: upper case, lower case, mixed; and one of digits only.
const published = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x0000000000000000000000000000000000000001',
];

test('EVM: every spelling of an address has the same key and is shown with its checksum', () => {
  for (const address of published) {
    const digits = address.slice(2);
    const key = address.toLowerCase();
    const spellings = [digits, digits.toLowerCase(), digits.toUpperCase()];
    for (const spelling of spellings.flatMap((each) => [`0x${each}`, `0X${each}`])) {
      assertParses(spelling, 'eip155', key, address);
    }
  }
});

test('EVM: an address with a wrong checksum cannot be linked, but can be looked up', () => {
  const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
  assert.deepEqual(parseAddress(wrong), { fault: wrongEip55 });
  assert.equal(walletKey(wrong), wrong.toLowerCase());
});

test('EVM: too many or too few digits, or characters that are not hex, are refused', () => {
  const rest = 'de709f2102306220921060314715629080e2fb7';
  for (const text of ['0x', '0X', `0x${rest}`, `0x${rest}77`, `0x${rest}g`, `0x${rest}7\n`]) {
    assertFault(text, /exactly 40 hex digits/);
  }
  assertFault(`${rest}7`, /lacks the prefix 0x/);
});

test('Solana and Bitcoin base58: known addresses are stored and shown unchanged', () => {
  for (const text of [
    '11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ]) {
    assertParses(text, 'solana', text, text);
  }
  for (const text of [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '1111111111111111111114oLvT2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    '3P14159f73E4gFr7JterCCQh9QjiTjiZrG',
  ]) {
    assertParses(text, 'bitcoin', text, text);
  }
});

test('Solana: 31 and 33 bytes are refused', () => {
  assertFault('1'.repeat(31), /base58 of 31 bytes/);
  assertFault('1'.repeat(33), /base58 of 33 bytes/);
  assertFault('So1111111111111111111111111111111111111111', /base58 of 31 bytes/);
});

test('Solana: an address may start like a bech32 address', () => {
  for (const start of ['bc1', 'tb1', 'bcrt1', 'Bc1', 'bC1', 'BC1']) {
    const text = `${start.padEnd(42, 'zY')}a`;
    assert.equal(base58.decode(text).length, 32);
    assertParses(text, 'solana', text, text);
  }
});

test('Solana: an address in capitals of the bech32 alphabet is parsed as Bitcoin', () => {
  for (const start of ['BC1', 'BCRT1']) {
    const text = start.padEnd(44, 'QPZRY');
    assert.equal(base58.decode(text).length, 32);
    assertFault(text, /checksum|testnet/);
    // With 43 characters it can only be Solana, and case matters.
    const shorter = text.slice(0, 43);
    for (const each of [shorter, shorter.toLowerCase()]) assertParses(each, 'solana', each, each);
  }
});

test('Bitcoin base58: typos, changed case, testnet and other chains are refused', () => {
  assertFault('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', /wrong base58 checksum/);
  assertFault('1a1zp1ep5qgefi2dmptftl5slmv7divfna', /not an EVM, Solana or Bitcoin/);
  assertFault('1A1zP1eP5QGefi2DMPTfTL5SLmv7Div', /base58 of 23 bytes/);
  assertFault('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', /only mainnet/);
  assertFault('2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', /only mainnet/);
  assertFault('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', /neither Bitcoin nor Solana/);
});

test('Bitcoin witness: the valid mainnet addresses of BIP-173 and BIP-350', () => {
  for (const text of [
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ]) {
    const lower = text.toLowerCase();
    for (const spelling of [text, lower, text.toUpperCase()]) {
      assertParses(spelling, 'bitcoin', lower, lower);
    }
  }
});

test('Bitcoin witness: valid testnet addresses are refused as such', () => {
  for (const text of [
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    bech32.encode('bcrt', [0, ...bech32.toWords(new Uint8Array(20).fill(7))]),
  ]) {
    assertFault(text, /only mainnet/);
    assertFault(text.toUpperCase(), /only mainnet/);
  }
});

test('Bitcoin witness: the invalid addresses of BIP-350', () => {
  const program = '0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v';
  assertFault(`tc1p${program}q5zuyut`, /not an EVM, Solana or Bitcoin/);
  assertFault(`bc1p${program}qh2y7hd`, /wrong kind/);
  assertFault(`tb1z${program}qglt7rf`, /testnet/);
  assertFault(`BC1S${program.toUpperCase()}Q54WELL`, /wrong kind/);
  assertFault('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', /wrong kind/);
  assertFault(`tb1q${program}q24jc47`, /testnet/);
  assertFault('bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', /checksum/);
  assertFault(`BC13${program.toUpperCase()}Q7ZWS8R`, /witness version/);
  assertFault('bc1pw5dgrnzv', /witness program/);
  assertFault(`bc1p${program}8n0nx0muaewav253zgeav`, /too long/);
  assertFault('BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', /witness program/);
  assertFault(`tb1p${program}q47Zagq`, /testnet/);
  assertFault(`bc1p${program}07qwwzcrf`, /witness program/);
  assertFault(`tb1p${program}pggkg4j`, /testnet/);
  assertFault('bc1gmk9yu', /witness version/);
});

test('Bitcoin witness: the addresses that BIP-173 calls invalid or BIP-350 made so', () => {
  const program = 'w508d6qejxtdg4y5r3zarvary0c5xw7k';
  assertFault(`tc1q${program}g3g4ty`, /not an EVM, Solana or Bitcoin/);
  assertFault(`bc1q${program}v8f3t5`, /wrong bech32 checksum/);
  assertFault(`BC13${program.toUpperCase()}N40WF2`, /witness version/);
  assertFault('bc1rw5uspcuh', /wrong kind/);
  assertFault(`bc10${program}${program}w5rljs90`, /too long/);
  assertFault('tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7', /testnet/);
  assertFault('bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du', /wrong kind/);
  assertFault('tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv', /testnet/);
  assertFault(`bc1p${program}${program}7grplx`, /wrong kind/);
  assertFault('BC1SW50QA3JX3S', /wrong kind/);
  assertFault('bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj', /wrong kind/);
});

test('Bitcoin witness: mixed case and non-zero padding are refused', () => {
  assertFault('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4', /mixes upper and lower case/);
  assertFault('Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /mixes upper and lower case/);
  const words = bech32m.toWords(new Uint8Array(32));
  words[words.length - 1] = 1;
  assertFault(bech32m.encode('bc', [1, ...words]), /witness program/);
});

test('Bitcoin witness: the Kelvin sign, whose lower case is k, is not accepted as k', () => {
  const text = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7\u212aV8F3T4';
  assertFault(text, /checksum/);
  assert.equal(walletKey(text), text);
});

test('an address of another chain than the requested one is refused', () => {
  const samples: [Chain, string, string][] = [
    ['eip155', 'an EVM address', '0xde709f2102306220921060314715629080e2fb77'],
    ['solana', 'a Solana address', 'So11111111111111111111111111111111111111112'],
    ['bitcoin', 'a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ];
  for (const [chain, name, text] of samples) {
    for (const [asked, wanted] of samples.filter(([other]) => other !== chain)) {
      assert.deepEqual(parseAddress(text, asked), { fault: `is ${name}, not ${wanted}` });
    }
  }
});

test('anything else is refused, and is its own key', () => {
  const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const rubbish = ['', ' ', '0', '1', 'bc1', 'BC1', '0xA', '🦄', '０ｘ', 'é'.repeat(44), '\0'];
  const spaced = [` ${address}`, `${address} `, `${address}\n`, `bitcoin:${address}`];
  for (const text of [...rubbish, ...spaced, '1'.repeat(1e6), `0x${'0'.repeat(1e6)}`]) {
    assertFault(text, /^(is|has|lacks) /);
    assert.equal(walletKey(text), text);
  }
});

const bytes = (least: number, most = least) => fc.uint8Array({ minLength: least, maxLength: most });
const eitherCase = (texts: fc.Arbitrary<string>) =>
  fc.oneof(
    texts.map((text) => text.toLowerCase()),
    texts.map((text) => text.toUpperCase()),
  );
const evm = bytes(20).map((each) => `0x${Buffer.from(each).toString('hex')}`);
const solana = bytes(32).map((each) => base58.encode(each));
const oldBitcoin = fc
  .tuple(fc.constantFrom(0x00, 0x05), bytes(20))
  .map(([version, hash]) => base58check.encode(Uint8Array.of(version, ...hash)));
const v0 = fc
  .oneof(bytes(20), bytes(32))
  .map((program) => bech32.encode('bc', [0, ...bech32.toWords(program)]));
const later = fc
  .tuple(fc.integer({ min: 1, max: 16 }), bytes(2, 40))
  .map(([version, program]) => bech32m.encode('bc', [version, ...bech32m.toWords(program)]));
const witness = eitherCase(fc.oneof(v0, later));
const accepted = fc.oneof(evm, solana, oldBitcoin, witness);

// Solana addresses that start like Bitcoin ones, and texts that are almost either.
const letter = fc.constantFrom(...'23456789ACDEFGHJKMNPQRSTUVWXYZ');
const border = fc
  .tuple(
    fc.constantFrom('bc1', 'BC1', 'Bc1', 'tb1', 'TB1', 'bcrt1', 'BCRT1', 'B', '1', '3'),
    fc.constantFrom(letter, eitherCase(letter)).chain((unit) => {
      return fc.string({ unit, minLength: 44, maxLength: 44 });
    }),
    fc.constantFrom(42, 43, 44),
  )
  .map(([start, rest, length]) => (start + rest).slice(0, length));

test('any: every valid address is accepted with the key that walletKey returns', () => {
  const chains: [Chain, fc.Arbitrary<string>][] = [
    ['eip155', eitherCase(evm)],
    ['solana', solana],
    ['bitcoin', oldBitcoin],
    ['bitcoin', witness],
  ];
  for (const [chain, texts] of chains) {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseAddress(text, chain);
        assert.ok('key' in parsed, text);
        assert.equal(walletKey(text), parsed.key);
        assert.deepEqual(parseAddress(parsed.key), parsed);
        assert.deepEqual(parseAddress(parsed.address), parsed);
      }),
      { numRuns: 500 },
    );
  }
});

test('any: walletKey returns the key of an accepted text, and no address for a refused one', () => {
  const anything = fc.oneof(border, fc.mixedCase(accepted), fc.string());
  let count = 0;
  fc.assert(
    fc.property(anything, (text) => {
      const key = walletKey(text);
      const parsed = parseAddress(text);
      if ('key' in parsed) {
        count++;
        assert.equal(key, parsed.key);
      } else if (parsed.fault === wrongEip55) {
        assert.equal(key, text.toLowerCase());
      } else {
        assert.ok('fault' in parseAddress(key), `${text} is found as ${key}`);
      }
    }),
    { numRuns: 5000 },
  );
  assert.ok(count > 100, `only ${count} texts were accepted`);
});

test('any: one wrong character never makes another Bitcoin address', () => {
  const bitcoin = fc.oneof(v0, later, oldBitcoin);
  fc.assert(
    fc.property(bitcoin, fc.nat(), letter, (text, at, wrong) => {
      const place = 3 + (at % (text.length - 3));
      const typo = text.slice(0, place) + wrong.toLowerCase() + text.slice(place + 1);
      const parsed = parseAddress(typo, 'bitcoin');
      assert.equal('key' in parsed, typo === text);
    }),
    { numRuns: 500 },
  );
});
