import Type, { type Static } from 'typebox';
import { define } from '../operation.ts';
import * as s from '../schemas.ts';

const AccountIn = Type.Object(
  {
    provider: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,31}$',
      description: 'Where the account is.',
      examples: ['discord'],
      fault: 'must be 1 to 32 lower-case letters, digits, "_" or "-"',
    }),
    id: Type.String({
      pattern: '^[\\x21-\\x7e]{1,128}$',
      description: 'The account’s id there, as text.',
      examples: ['80351110224678912'],
      fault: 'must be a string of 1 to 128 visible ASCII characters',
    }),
    username: Type.Optional(s.nullableText(128, 'The account’s name there.')),
  },
  { fault: 'must be an object with "provider" and "id"' },
);

const memberFields = {
  username: Type.Optional(s.nullableText(64, 'The member’s handle.')),
  displayName: Type.Optional(s.nullableText(128, 'The name shown to people.')),
  accounts: Type.Optional(
    Type.Array(AccountIn, {
      maxItems: 20,
      description: 'The member’s accounts elsewhere; each belongs to one member of the realm.',
      fault: 'must be a list of at most 20 accounts',
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      exact: { maxBytes: 8192 },
      description: 'Anything of yours, as a JSON object of at most 8 KiB.',
      examples: [{ tier: 'gold' }],
      fault: 'must be a JSON object of at most 8192 bytes; send integers past 2^53-1 as text',
    }),
  ),
};

export const Member = Type.Object({
  id: s.MemberId,
  realmId: s.RealmId,
  username: s.nullable(Type.String()),
  displayName: s.nullable(Type.String()),
  status: Type.Unsafe<'active' | 'frozen'>({ type: 'string', enum: ['active', 'frozen'] }),
  tokenBalance: Type.Integer({ description: 'The balance in the realm’s default points.' }),
  balances: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'The balance in every kind of points, zeros included.',
  }),
  accounts: Type.Array(
    Type.Object({
      provider: Type.String(),
      id: Type.String(),
      username: s.nullable(Type.String()),
    }),
  ),
  wallets: Type.Array(Type.String(), { description: 'Addresses, the primary one first.' }),
  metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  createdAt: s.Instant,
  updatedAt: s.Instant,
});

export type MemberBody = Static<typeof Member>;

const example: MemberBody = {
  id: '80351110224678912',
  realmId: 'acme',
  username: 'alice',
  displayName: 'Alice',
  status: 'active',
  tokenBalance: 1250,
  balances: { points: 1250 },
  accounts: [{ provider: 'discord', id: '80351110224678912', username: 'alice' }],
  wallets: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  metadata: {},
  createdAt: '2026-11-14T09:30:00.000Z',
  updatedAt: '2026-11-14T09:30:00.000Z',
};

export const getMember = define({
  tag: 'Members',
  summary: 'Get a member',
  description: 'One member with its balances, accounts and wallets. A removed member is not found.',
  answer: { status: 200, schema: Member, example },
  problems: ['member-not-found'],
});

export const createMember = define({
  tag: 'Members',
  summary: 'Enrol a member',
  description:
    'Adds a member. Without `id` the service assigns the next free one. Wallets are linked ' +
    'unverified. A member that was removed may be enrolled again under its old id.',
  body: {
    schema: Type.Object({
      id: Type.Optional(s.MemberIdIn),
      ...memberFields,
      wallets: Type.Optional(
        Type.Array(
          Type.String({ maxLength: s.MAX_WALLET_TEXT, fault: 'must be a wallet address' }),
          {
            maxItems: 50,
            description: 'Wallet addresses to link, unverified; the first becomes the primary one.',
            fault: 'must be a list of at most 50 wallet addresses',
          },
        ),
      ),
    }),
    example: {
      id: '80351110224678912',
      username: 'alice',
      displayName: 'Alice',
      accounts: [{ provider: 'discord', id: '80351110224678912', username: 'alice' }],
      wallets: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    },
  },
  answer: {
    status: 201,
    schema: Member,
    example: { ...example, tokenBalance: 0, balances: { points: 0 } },
  },
  problems: ['member-exists', 'account-taken', 'wallet-taken', 'member-ids-exhausted'],
});

export const listMembers = define({
  tag: 'Members',
  summary: 'Find members',
  description:
    'Members in the order of their ids. Filters combine. A cursor carries its filters: pass it ' +
    'alone, or with the same filters.',
  query: Type.Object({
    ...s.PageQuery,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'A part of the username or display name, in any case.',
        fault: 'must be text of 1 to 128 characters',
      }),
    ),
    wallet: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'A wallet address.',
        fault: 'must be one wallet address',
      }),
    ),
    account: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,31}:[\\x21-\\x7e]{1,128}$',
        description: 'An account, as provider and id.',
        examples: ['discord:80351110224678912'],
        fault: 'must be a provider and an id, such as "discord:80351110224678912"',
      }),
    ),
    status: Type.Optional(
      Type.Unsafe<'active' | 'frozen'>({
        type: 'string',
        enum: ['active', 'frozen'],
        description: 'Only members of this status.',
        fault: 'must be "active" or "frozen"',
      }),
    ),
  }),
  answer: {
    status: 200,
    schema: s.listOf(Member),
    example: { items: [example], nextCursor: null },
  },
  problems: [],
});

export const updateMember = define({
  tag: 'Members',
  summary: 'Change, freeze or unfreeze a member',
  description:
    'Changes the fields that are sent and no others; `accounts` and `metadata` are replaced as a ' +
    'whole, null clears a name. `status` "frozen" stops all points in and out, "active" lets ' +
    'them move again.',
  body: {
    schema: Type.Object({
      ...memberFields,
      status: Type.Optional(
        Type.Unsafe<'active' | 'frozen'>({
          type: 'string',
          enum: ['active', 'frozen'],
          description: 'Freeze or unfreeze. To remove a member, DELETE it.',
          fault: 'must be "active" or "frozen"; to remove a member, DELETE it',
        }),
      ),
    }),
    example: { displayName: 'Alice the Brave', status: 'active' },
  },
  answer: { status: 200, schema: Member, example: { ...example, displayName: 'Alice the Brave' } },
  problems: ['member-not-found', 'account-taken'],
});

export const removeMember = define({
  tag: 'Members',
  summary: 'Remove a member',
  description:
    'Takes the member out of every read and frees its accounts and wallets. Its history stays in ' +
    'the journal. The balance must be zero, or `forfeit=true` gives it up.',
  query: Type.Object({
    forfeit: Type.Optional(
      Type.Unsafe<'true' | 'false'>({
        type: 'string',
        enum: ['true', 'false'],
        default: 'false',
        description: 'Give up what is left of the balance.',
        fault: 'must be "true" or "false"',
      }),
    ),
  }),
  answer: { status: 204, schema: null, example: null },
  problems: ['member-not-found', 'balance-not-zero'],
});
