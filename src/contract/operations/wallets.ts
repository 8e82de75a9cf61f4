import Type from 'typebox';
import type { Chain } from '../../domain/model.ts';
import { define } from '../operation.ts';
import * as s from '../schemas.ts';
import { ChainName, Standard } from './assets.ts';

export const Wallet = Type.Object({
  address: Type.String({ description: 'EVM addresses with their EIP-55 checksum.' }),
  chain: Type.Unsafe<Chain>({ type: 'string', enum: ['eip155', 'solana', 'bitcoin'] }),
  primary: Type.Boolean(),
  verified: Type.Boolean({ description: 'Whether the member proved to own it.' }),
  verifiedAt: s.nullable(s.Instant),
  verifiedOn: s.nullable(
    Type.String({
      description:
        'The chain on which a contract wallet proved itself: there it is the member’s, and of ' +
        'other chains nothing is known. Null where a key signed, which is the same on all chains.',
      examples: ['eip155:8453'],
    }),
  ),
  linkedAt: s.Instant,
});

const walletExample = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  chain: 'eip155' as const,
  primary: true,
  verified: false,
  verifiedAt: null,
  verifiedOn: null,
  linkedAt: '2026-11-14T09:30:00.000Z',
};

const Holding = Type.Object({
  assetId: s.AssetId,
  chain: ChainName,
  standard: Standard,
  contract: Type.String({ description: 'The contract, with its EIP-55 checksum.' }),
  tokenId: s.nullable(
    Type.String({ description: 'The token of an ERC-1155 contract, as digits.' }),
  ),
  symbol: s.nullable(
    Type.String({ description: 'As the realm gave it, or else as the contract says.' }),
  ),
  balance: s.nullable(
    Type.String({
      pattern: '^[0-9]+$',
      description:
        'What the member’s EVM wallets hold together, in the smallest unit. Null while the chain ' +
        'has not told it of every one of them.',
    }),
  ),
  block: s.nullable(Type.Integer({ description: 'The block at which it was read.' })),
  asOf: s.nullable(s.Instant),
  stale: Type.Boolean({
    description: 'Whether the chain failed to tell anew: the balance is the last known, or null.',
  }),
});

const holdingExample = {
  assetId: 'founders-pass',
  chain: 'eip155:1',
  standard: 'erc721' as const,
  contract: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  tokenId: null,
  symbol: 'PASS',
  balance: '3',
  block: 21_456_789,
  asOf: '2026-11-14T09:30:00.000Z',
  stale: false,
};

export const getWeb3Member = define({
  tag: 'Wallets',
  summary: 'Get a member’s web3 data',
  description:
    'The member’s wallets, the primary one first, and what its EVM wallets hold of the assets ' +
    'that the realm asks about. A chain that fails or is not set up never fails this call.',
  answer: {
    status: 200,
    schema: Type.Object({
      memberId: s.MemberId,
      realmId: s.RealmId,
      wallets: Type.Array(Wallet),
      assets: Type.Array(Holding, { description: 'Empty while the realm has no assets.' }),
    }),
    example: {
      memberId: '42',
      realmId: 'acme',
      wallets: [walletExample],
      assets: [holdingExample],
    },
  },
  problems: ['member-not-found'],
});

/** How many wallets one check takes. */
export const MAX_CHECKED = 10_000;

const WalletText = Type.String({
  atMost: s.MAX_WALLET_TEXT,
  fault: `must be a string of 1 to ${s.MAX_WALLET_TEXT} characters`,
});

/** Shared by the four forms of the check: GET with a body or a query, POST and QUERY. */
export const checkWallets = define({
  tag: 'Wallets',
  summary: 'Check whether wallets belong to members',
  description:
    'One result for each wallet, in order, duplicates included. EVM addresses compare without ' +
    'regard to case. A string that is no address is simply not included. The same answer comes ' +
    'from GET with this body, from GET with `?wallets=a,b` (or repeated), from POST, and from ' +
    'QUERY (RFC 10008) on the same path. A browser sends no body with GET: use another form there.',
  large: true,
  query: Type.Object({
    wallets: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string' },
        description:
          'Wallets, separated by commas or given again and again; instead of a body. Path, query ' +
          'and headers may have 16 KiB together, some 375 EVM addresses: more is 431. POST and ' +
          'QUERY on the same path take 10,000.',
        examples: [['0x52908400098527886E0F7030069857D2E4169EE7', 'not-a-wallet']],
        fault: 'must be wallets separated by commas',
      }),
    ),
  }),
  body: {
    optional: true,
    schema: Type.Object({
      wallets: Type.Array(WalletText, {
        minItems: 1,
        maxItems: MAX_CHECKED,
        fault: `must be a list of 1 to ${MAX_CHECKED} strings`,
      }),
    }),
    example: { wallets: ['0x52908400098527886E0F7030069857D2E4169EE7', 'not-a-wallet'] },
  },
  answer: {
    status: 200,
    schema: Type.Object({
      all: Type.Boolean({ description: 'Whether every wallet is included.' }),
      any: Type.Boolean({ description: 'Whether at least one is.' }),
      results: Type.Array(
        Type.Object({
          wallet: Type.String({ description: 'Exactly as sent.' }),
          included: Type.Boolean(),
          // One schema, not a choice of two: of 10,000 results a choice costs a tenth of the time.
          memberId: Type.Unsafe<string | null>({ ...s.MemberId, type: ['string', 'null'] }),
          verified: Type.Boolean(),
        }),
      ),
    }),
    example: {
      all: false,
      any: true,
      results: [
        {
          wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
          included: true,
          memberId: '42',
          verified: true,
        },
        { wallet: 'not-a-wallet', included: false, memberId: null, verified: false },
      ],
    },
  },
  problems: [],
});

const AddressIn = Type.String({
  minLength: 1,
  maxLength: s.MAX_WALLET_TEXT,
  description: 'An EVM, Solana or Bitcoin address.',
  fault: 'must be a wallet address',
});

/** A kind of address, or an EVM chain by its CAIP-2 name. */
const networkIn = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(eip155(:[1-9][0-9]{0,14})?|solana|bitcoin)$',
      description,
      examples: ['eip155:1'],
      fault: 'must be "eip155", "eip155:<chain id>", "solana" or "bitcoin"',
    }),
  );

export const linkWallet = define({
  tag: 'Wallets',
  summary: 'Link a wallet',
  description:
    'Links a wallet to a member: unverified, on the key holder’s word; or, with the `message` ' +
    'of a challenge and its `signature`, verified. The first wallet becomes the primary one. ' +
    'Linking it again changes nothing but `primary`; proving it verifies it.',
  body: {
    schema: Type.Object({
      address: AddressIn,
      chain: networkIn(
        'The kind of address, told from the address when absent; or a chain such as ' +
          '`eip155:8453`, which is of the kind `eip155`. With a proof it must be the chain of ' +
          'the challenge.',
      ),
      primary: Type.Optional(
        Type.Boolean({ description: 'Make it the primary one.', fault: 'must be true or false' }),
      ),
      message: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'The `message` of a challenge, to the letter.',
          fault: 'must be the message of a challenge: text of at most 2000 characters',
        }),
      ),
      signature: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 16_384,
          description:
            'The signature of `message`. EVM: `0x` and hex digits, of an account or a contract. ' +
            'Solana: base58 or base64. Bitcoin: base64, BIP-137 or BIP-322 simple.',
          fault: 'must be a signature: text of at most 16384 characters',
        }),
      ),
    }),
    example: { address: '0x52908400098527886e0f7030069857d2e4169ee7' },
  },
  answer: { status: 201, schema: Wallet, example: walletExample },
  problems: [
    'member-not-found',
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

export const challengeWallet = define({
  tag: 'Wallets',
  summary: 'Ask for a text to sign',
  description:
    'A text for the owner of a wallet to sign: ERC-4361 for EVM accounts, its Solana form, the ' +
    'same in words for Bitcoin. Let the member’s wallet sign it, then link it with both. It ' +
    'is good once, for ten minutes, for this realm, member and address. Up to 5 of a wallet and ' +
    '50 of a member are kept; one more takes the place of the oldest.',
  body: {
    schema: Type.Object({
      address: AddressIn,
      chain: networkIn(
        'The kind of address, told from the address when absent; or the chain on which a ' +
          'contract wallet lives, such as `eip155:8453`. `eip155` means `eip155:1`.',
      ),
    }),
    example: { address: '0x52908400098527886e0f7030069857d2e4169ee7' },
  },
  answer: {
    status: 201,
    schema: Type.Object({
      message: Type.String({ description: 'To be signed exactly as it is.' }),
      expiresAt: s.Instant,
    }),
    example: {
      message: [
        'acme.example wants you to sign in with your Ethereum account:',
        '0x52908400098527886E0F7030069857D2E4169EE7',
        '',
        'Link this wallet to member 42 of realm acme.',
        '',
        'URI: https://acme.example',
        'Version: 1',
        'Chain ID: 1',
        'Nonce: 8d5cbd6f0a3e4d1e9b7a2f60c1d4e5f6',
        'Issued At: 2026-11-14T09:30:00.000Z',
        'Expiration Time: 2026-11-14T09:40:00.000Z',
      ].join('\n'),
      expiresAt: '2026-11-14T09:40:00.000Z',
    },
  },
  problems: ['member-not-found', 'wallet-taken'],
});

export const unlinkWallet = define({
  tag: 'Wallets',
  summary: 'Unlink a wallet',
  description:
    'Takes a wallet from a member; it is free for others. If it was the primary one, the first ' +
    'linked of the rest becomes it. A wallet that the member does not have is 404.',
  answer: { status: 204, schema: null, example: null },
  problems: ['member-not-found', 'wallet-not-found'],
});
