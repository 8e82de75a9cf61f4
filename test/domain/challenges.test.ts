import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { Outcome, SignatureCheck } from '../../src/domain/commands.ts';
import { CHALLENGE_MS, challengeText, networkOf } from '../../src/domain/rules/wallets.ts';
import { newDatabase } from '../support/database.ts';
import { command } from './histories.ts';

/** The life of a challenge under a test clock, and its text compared with the standard. */
const START = Date.parse('2026-11-14T09:30:00.000Z');
let now = START;
const database = await newDatabase();
const ledger = await database.ledger(() => now);
after(async () => {
  await ledger.close();
  await database.drop();
});

const address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const wallet = { chain: 'eip155' as const, key: address.toLowerCase(), address };

function accepted<A>(outcome: Outcome<A>): A {
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  return outcome.answer;
}

const refusalOf = (outcome: Outcome) => ('refusal' in outcome ? outcome.refusal.code : outcome);

accepted(await ledger.execute(command('realm.create', { name: 'Acme', settings: {} })));
accepted(
  await ledger.execute(command('member.create', { memberId: '42', fields: {}, wallets: [] })),
);

async function issue(nonce: string, own = wallet): Promise<string> {
  const params = { memberId: '42', wallet: own, network: 'eip155', nonce };
  const serviceUrl = 'https://example.com/login';
  const request = command('wallet.challenge', { ...params, serviceUrl });
  return accepted(await ledger.execute(request)).message;
}

function use(message: string, check: SignatureCheck = 'by-key', own = wallet) {
  const proof = { message, signature: '0x00', check };
  return ledger.execute(
    command('wallet.link', { memberId: '42', wallet: own, primary: false, proof }),
  );
}

test('a challenge is valid until just before it expires', async () => {
  const [early, late] = [await issue('a'.repeat(16)), await issue('b'.repeat(16))];
  now = START + CHALLENGE_MS;
  assert.equal(refusalOf(await use(late)), 'challenge-expired');
  now = START + CHALLENGE_MS - 1;
  // The journal's time cannot go back, but the refusal left no record.
  assert.equal(accepted(await use(early)).verifiedAt, now);
});

test('the signature is checked last, and a refusal leaves the challenge usable', async () => {
  const message = await issue('c'.repeat(16));
  assert.equal(refusalOf(await use(message, 'no')), 'signature-invalid');
  const unavailable = await use(message, 'unavailable');
  assert.equal(refusalOf(unavailable), 'chain-unavailable');
  accepted(await use(message));
  for (const check of ['by-key', 'by-contract', 'no', 'unavailable'] as const) {
    assert.equal(refusalOf(await use(message, check)), 'challenge-used');
  }
});

test('of several uses in one batch, one succeeds', async () => {
  const message = await issue('d'.repeat(16));
  const outcomes = await Promise.all([use(message), use(message), use(message)]);
  assert.deepEqual(outcomes.map(refusalOf).slice(1), ['challenge-used', 'challenge-used']);
});

test('expired challenges are deleted, others stay', async () => {
  const [first, second] = ['e', 'f'].map((letter) => letter.repeat(16));
  await issue(first ?? '');
  now += CHALLENGE_MS + 1;
  const message = await issue(second ?? '');
  assert.equal(await ledger.housekeeping.expireChallenges(now), 5);
  assert.equal(await ledger.housekeeping.expireChallenges(now), 0);
  accepted(await use(message));
});

test('a member has fifty unused challenges at most, over all wallets', async () => {
  const texts: string[] = [];
  const wallets = Array.from({ length: 60 }, (_, index) => {
    const own = `0x${String(index + 1).padStart(40, '1')}`;
    return { chain: 'eip155' as const, key: own, address: own };
  });
  for (const [index, one] of wallets.entries()) {
    now += 1;
    texts.push(await issue(`manywallets${index}`, one));
  }
  const codes: unknown[] = [];
  for (const [index, text] of texts.entries()) {
    codes.push(refusalOf(await use(text, 'no', wallets[index])));
  }
  assert.deepEqual(codes.slice(0, 10), Array(10).fill('challenge-not-found'));
  assert.deepEqual(codes.slice(10), Array(50).fill('signature-invalid'));
});

test('a challenge ends with its member, even if the id is enrolled again', async () => {
  const text = await issue('outlives00');
  accepted(await ledger.execute(command('member.remove', { memberId: '42', forfeit: true })));
  accepted(
    await ledger.execute(command('member.create', { memberId: '42', fields: {}, wallets: [] })),
  );
  assert.equal(refusalOf(await use(text)), 'challenge-not-found');
});

// The example of ERC-4361, with our own statement and expiry.
const fields = {
  realmId: 'acme',
  memberId: '42',
  wallet,
  network: 'eip155:1',
  nonce: '32891756',
};
const siteUrl = 'https://example.com/login';
const issuedAt = Date.parse('2021-09-30T16:25:24Z');
const expiresAt = Date.parse('2021-09-30T16:35:24Z');

test('the text has the format of the example in ERC-4361', () => {
  assert.equal(
    challengeText(fields, siteUrl, issuedAt, expiresAt),
    `example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

Link this wallet to member 42 of realm acme.

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24.000Z
Expiration Time: 2021-09-30T16:35:24.000Z`,
  );
});

test('viem creates the same text from the same fields, and parses them back', () => {
  for (const [siteUrl, domain] of [
    ['https://example.com/login', 'example.com'],
    ['http://localhost:8080', 'localhost:8080'],
    ['https://a-b.example:8443/', 'a-b.example:8443'],
  ] as const) {
    for (const chainId of [1, 8453]) {
      const network = `eip155:${chainId}`;
      const text = challengeText({ ...fields, network }, siteUrl, issuedAt, expiresAt);
      const siwe = {
        domain,
        address: address as `0x${string}`,
        statement: 'Link this wallet to member 42 of realm acme.',
        uri: siteUrl,
        version: '1' as const,
        chainId,
        nonce: fields.nonce,
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(expiresAt),
      };
      assert.equal(text, createSiweMessage(siwe));
      assert.deepEqual(parseSiweMessage(text), siwe);
      assert.equal(networkOf(text), network);
    }
  }
});

test('the texts for Solana and Bitcoin differ only in names', () => {
  for (const [chain, name, own] of [
    ['solana', 'Solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['bitcoin', 'Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ] as const) {
    const text = challengeText(
      { ...fields, wallet: { chain, key: own, address: own } },
      siteUrl,
      issuedAt,
      expiresAt,
    );
    const [first, second, ...rest] = text.split('\n');
    assert.equal(first, `example.com wants you to sign in with your ${name} account:`);
    assert.equal(second, own);
    assert.ok(rest.includes('Chain ID: mainnet'));
    assert.equal(rest.length, 9);
  }
});
