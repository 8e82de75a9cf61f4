import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { Asset } from './assets.ts';

const define = defineFor('Wallets');

const Wallet = named('Wallet', {
  address: s.text('EVM addresses with their EIP-55 checksum.', s.WALLET),
  chain: s.choiceOf(['eip155', 'solana', 'bitcoin']),
  primary: s.flag('Whether it is the primary wallet.', true),
  verified: s.flag('Whether the member proved ownership.'),
  verifiedAt: s.InstantOrNull,
  verifiedOn: s.nullable(
    s.text(
      'The chain on which a contract wallet proved ownership, such as `eip155:8453`. It says ' +
        'nothing about other chains. Null if a private key signed: that holds on every chain.',
    ),
  ),
  linkedAt: s.Instant,
});

const { id: assetId, symbol: _, ...ofAsset } = Asset.properties;

const Holding = named('Holding', {
  assetId,
  ...ofAsset,
  symbol: s.nullable(s.text('As set by the realm, or else the contract’s own.', 'PASS')),
  balance: s.nullable(
    Type.String({
      pattern: '^[0-9]+$',
      description:
        'The total held by the member’s EVM wallets, in the smallest unit. Null until every ' +
        'wallet’s balance has been read.',
      examples: ['3'],
    }),
  ),
  block: s.nullable(s.integer('The block at which the balance was read.', 21_456_789)),
  asOf: s.nullable(s.Instant),
  stale: s.flag('Whether the balance could not be refreshed: it is the last known one, or null.'),
});

export const getWeb3Member = define({
  summary: 'Get a member’s web3 data',
  description:
    'The member’s wallets, the primary one first, and what the EVM wallets hold of the realm’s ' +
    'assets. A chain that fails or is not configured never fails this call.',
  answer: ok(
    named('Web3Member', {
      memberId: s.MemberId,
      realmId: s.RealmId,
      wallets: Type.Array(Wallet),
      assets: Type.Array(Holding, { description: 'Empty while the realm has no assets.' }),
    }),
  ),
});

export const MAX_CHECKED = 10_000;

const WalletText = Type.String({
  atMost: s.MAX_WALLET_TEXT,
  fault: `must be a string of 1 to ${s.MAX_WALLET_TEXT} characters`,
});

/** Shared by all forms of the check: GET with a body or a query, POST and QUERY. */
export const checkWallets = define({
  summary: 'Check whether wallets belong to members',
  description:
    'One result for each wallet, in order, including duplicates. EVM addresses are compared ' +
    'case-insensitively. A string that is not an address is simply not included. GET with this ' +
    'body, GET with `?wallets=a,b` (or the parameter repeated), POST and QUERY (RFC 10008) on ' +
    'the same path are equivalent. Browsers cannot send a body with GET: use another form there.',
  large: true,
  query: Type.Object({
    wallets: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string' },
        description:
          'Wallets, separated by commas or as a repeated parameter, instead of a body. Path, ' +
          'query and headers are limited to 16 KiB in total, about 375 EVM addresses; beyond ' +
          'that the answer is 431. POST and QUERY on the same path accept 10,000.',
        examples: [[s.WALLET, 'not-a-wallet']],
        fault: 'must be wallets separated by commas',
      }),
    ),
  }),
  body: named('WalletCheckBody', {
    wallets: Type.Array(WalletText, {
      minItems: 1,
      maxItems: MAX_CHECKED,
      fault: `must be a list of 1 to ${MAX_CHECKED} strings`,
    }),
  }),
  example: { wallets: [s.WALLET, 'not-a-wallet'] },
  bodyOptional: true,
  answer: ok(
    named('WalletCheck', {
      all: s.flag('Whether every wallet is included.'),
      any: s.flag('Whether at least one wallet is included.', true),
      results: Type.Array(
        Type.Object({
          wallet: s.text('Exactly as sent.', s.WALLET),
          included: s.flag('Whether it belongs to a member.', true),
          memberId: s.nullable(s.MemberId),
          verified: s.flag('Whether the member proved ownership.', true),
        }),
      ),
    }),
    {
      results: [
        { wallet: s.WALLET, included: true, memberId: '42', verified: true },
        { wallet: 'not-a-wallet', included: false, memberId: null, verified: false },
      ],
    },
  ),
});

const AddressIn = s.addressIn('An EVM, Solana or Bitcoin address.');

/** A kind of address, or an EVM chain by its CAIP-2 name. */
const networkIn = (description: string) =>
  Type.String({
    pattern: '^(eip155(:[1-9][0-9]{0,14})?|solana|bitcoin)$',
    description,
    examples: ['eip155:1'],
    fault: 'must be "eip155", "eip155:<chain id>", "solana" or "bitcoin"',
  });

const proof = {
  message: s.textIn(2000, 'The `message` of a challenge, unchanged.', {
    fault: 'must be the message of a challenge, at most 2000 characters',
  }),
  signature: s.textIn(
    16_384,
    'The signature of `message`. EVM: `0x` and hex digits, by an account or a contract. ' +
      'Solana: base58 or base64. Bitcoin: base64, BIP-137 or BIP-322 simple.',
    { fault: 'must be a signature of at most 16384 characters' },
  ),
};

export const linkWallet = define({
  summary: 'Link a wallet',
  description:
    'Links a wallet to a member: unverified on the caller’s word, or verified with the `message` ' +
    'of a challenge and its `signature`. The first wallet becomes the primary one. Linking a ' +
    'wallet again can only change `primary`, or verify it with a proof.',
  body: Type.Object({
    address: AddressIn,
    ...s.optional({
      chain: networkIn(
        'The kind of address, by default derived from the address; or a chain of that kind, such ' +
          'as `eip155:8453`. With a proof, a chain must be the one of the challenge.',
      ),
      primary: s.booleanIn('Make it the primary wallet.'),
      ...proof,
    }),
  }),
  example: { address: s.WALLET.toLowerCase() },
  answer: created(Wallet),
  problems: [
    'wallet-taken',
    'challenge-not-found',
    'challenge-mismatch',
    'challenge-used',
    'challenge-expired',
    'signature-invalid',
    'limit-reached',
    'chain-unavailable',
  ],
});

const MESSAGE = `acme.example wants you to sign in with your Ethereum account:
${s.WALLET}

Link this wallet to member 42 of realm acme.

URI: https://acme.example
Version: 1
Chain ID: 1
Nonce: 8d5cbd6f0a3e4d1e9b7a2f60c1d4e5f6
Issued At: 2026-11-14T09:30:00.000Z
Expiration Time: 2026-11-14T09:40:00.000Z`;

export const challengeWallet = define({
  summary: 'Request a message to sign',
  description:
    'Issues a message for the owner of a wallet to sign: ERC-4361 for EVM accounts, its Solana ' +
    'form, or the same in plain text for Bitcoin. Have the member’s wallet sign it, then link ' +
    'the wallet with message and signature. A challenge is valid once, for ten minutes, for this ' +
    'realm, member and address. Up to 5 per wallet and 50 per member are stored; another one ' +
    'replaces the oldest.',
  body: Type.Object({
    address: AddressIn,
    chain: Type.Optional(
      networkIn(
        'The kind of address, by default derived from the address; or the chain of a contract ' +
          'wallet, such as `eip155:8453`. `eip155` means `eip155:1`.',
      ),
    ),
  }),
  example: { address: s.WALLET.toLowerCase() },
  answer: created(
    Type.Object({
      message: s.text('The message to sign, unchanged.', MESSAGE),
      expiresAt: { ...s.Instant, examples: ['2026-11-14T09:40:00.000Z'] },
    }),
  ),
  problems: ['wallet-taken'],
});

const CODE = 'rk_Vb81PzQw2mk3_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa';
const WALLET_LINK = `https://points.example.com/link#${CODE}`;

export const createWalletLink = define({
  summary: 'Create a link to link a wallet',
  description:
    'A link to a page of the service where the member signs with a browser wallet, or pastes a ' +
    'signature, and so links the wallet, verified. It works once, within 15 minutes, and takes ' +
    'the place of the one before. Give it to nobody but the member.',
  answer: created(
    Type.Object({
      url: s.nullable(
        s.text('The link. Shown in this answer only; null in a replayed one.', WALLET_LINK),
      ),
      expiresAt: { ...s.Instant, examples: ['2026-11-14T09:45:00.000Z'] },
    }),
  ),
});

const Code = Type.String({
  pattern: '^[!-~]{1,256}$',
  description: 'What follows the `#` of the link.',
  examples: [CODE],
  fault: 'must be the code of a link',
});

export const openWalletLink = define({
  summary: 'Open a link to link a wallet',
  description:
    'What a link from `createWalletLink` is for and, with an address, a message to sign. It ' +
    'takes no key, and uses nothing up.',
  body: Type.Object({
    code: Code,
    address: Type.Optional(AddressIn),
    chain: challengeWallet.body.properties.chain,
  }),
  example: { code: CODE, address: s.WALLET },
  answer: ok(
    Type.Object({
      realmName: s.text('The realm.', 'Acme'),
      memberName: s.text('The member, by name or else by id.', 'Alice'),
      expiresAt: { ...s.Instant, examples: ['2026-11-14T09:45:00.000Z'] },
      message: s.nullable(s.text('The message to sign, unchanged.', MESSAGE)),
    }),
  ),
  problems: ['code-not-valid', 'wallet-taken', 'member-not-found', 'realm-archived'],
  keyOptional: true,
});

export const redeemWalletLink = define({
  summary: 'Link a wallet by a link',
  description:
    'Links the wallet that has signed the message of `openWalletLink`. The link is used up, ' +
    'unless this is refused.',
  body: Type.Object({ code: Code, address: AddressIn, ...proof }),
  example: {
    code: CODE,
    address: s.WALLET,
    message: MESSAGE,
    signature: `0x${'5e'.repeat(64)}1b`,
  },
  answer: created(Wallet),
  problems: ['code-not-valid', 'member-not-found', 'realm-archived', ...linkWallet.problems],
  keyOptional: true,
});

export const unlinkWallet = define({
  summary: 'Unlink a wallet',
  description:
    'Unlinks a wallet from a member; another member can then link it. If it was the primary ' +
    'wallet, the one that was linked first becomes primary.',
  answer: NO_CONTENT,
});
