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
  linkedAt: s.Instant,
});

const walletExample = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  chain: 'eip155' as const,
  primary: true,
  verified: false,
  verifiedAt: null,
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

const WalletText = Type.String({
  minLength: 1,
  maxLength: 128,
  fault: 'must be a string of 1 to 128 characters',
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
        description: 'Wallets, separated by commas or given again and again; instead of a body.',
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
        maxItems: 10_000,
        fault: 'must be a list of 1 to 10000 strings',
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
          memberId: s.nullable(s.MemberId),
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

export const linkWallet = define({
  tag: 'Wallets',
  summary: 'Link a wallet',
  description:
    'Links a wallet to a member, unverified, on the key holder’s word. The first wallet becomes ' +
    'the primary one. Linking it again changes nothing but `primary`.',
  body: {
    schema: Type.Object({
      address: Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'An EVM, Solana or Bitcoin address.',
        fault: 'must be a wallet address',
      }),
      chain: Type.Optional(
        Type.Unsafe<Chain>({
          type: 'string',
          enum: ['eip155', 'solana', 'bitcoin'],
          description: 'The kind of address; told from the address when absent.',
          fault: 'must be "eip155", "solana" or "bitcoin"',
        }),
      ),
      primary: Type.Optional(
        Type.Boolean({ description: 'Make it the primary one.', fault: 'must be true or false' }),
      ),
      signature: Type.Optional(
        Type.Unsafe<undefined>({
          not: {},
          description: 'Proof of ownership is not taken yet.',
          fault: 'is not taken yet: link the wallet without "signature", unverified',
        }),
      ),
    }),
    example: { address: '0x52908400098527886e0f7030069857d2e4169ee7' },
  },
  answer: { status: 201, schema: Wallet, example: walletExample },
  problems: ['member-not-found', 'wallet-taken', 'limit-reached'],
});
