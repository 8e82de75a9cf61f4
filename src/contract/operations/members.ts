import type { Static } from 'typebox';
import { BLANK_PROFILE, type Member as MemberModel, type Profile } from '../../domain/model.ts';
import { iso } from '../instants.ts';
import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { shownSums } from '../sums.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Members');

const account = {
  provider: s.slugIn(32, 'The provider of the account.', 'discord'),
  id: Type.String({
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description: 'The account’s id at the provider, as a string.',
    examples: ['80351110224678912'],
    fault: 'must be a string of 1 to 128 visible ASCII characters',
  }),
  username: s.nullableText(128, 'The account’s name at the provider.', 'alice'),
};

const AccountIn = Type.Object(
  { ...account, username: Type.Optional(account.username) },
  { fault: 'must be an object with "provider" and "id"' },
);

const TAG = '[^\\s,;|](?:[^,;|]{0,30}[^\\s,;|])?';

const Tag = Type.String({
  pattern: `^${TAG}$`,
  visible: true,
  fault: 'must be a tag: 1 to 32 visible characters, without commas, semicolons and bars',
});

/** The compiler asks for a field of the profile that a request or an answer lacks. */
type ForProfile = Record<keyof Profile, unknown> & Record<string, unknown>;

const memberFields = {
  username: s.nullableText(s.MAX_USERNAME, 'The member’s handle.', 'alice'),
  displayName: s.nullableText(128, 'The display name.', 'Alice'),
  accounts: Type.Array(AccountIn, {
    maxItems: 20,
    description: 'The member’s external accounts; each belongs to one member of the realm.',
    fault: 'must be a list of at most 20 accounts',
  }),
  tags: Type.Array(Tag, {
    maxItems: 20,
    description: 'What you call the members that belong together; `tags` of a list finds them.',
    examples: [['vip', 'helper']],
    fault: 'must be a list of at most 20 tags',
  }),
  note: s.nullableText(1_000, 'What you want to remember about the member.', 'Met at the fair.'),
  metadata: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    exact: { maxBytes: 8192 },
    description: 'Your own data: a JSON object of at most 8 KiB.',
    examples: [{ tier: 'gold' }],
    fault: 'must be a JSON object of at most 8192 bytes; send integers above 2^53-1 as strings',
  }),
} satisfies ForProfile;

export const Status = s.choiceOf(['active', 'frozen']);

/** An account or a wallet, as older programs read it. */
const Credential = Type.Object({
  format: s.choiceOf(['oauth', 'blockchain'], { description: 'An account, or a wallet.' }),
  publicIdentifier: s.text('The id of the account, or the address.', '80351110224678912'),
  oauthProvider: s.nullable(s.text('The provider of the account.', 'discord')),
  oauthAccountId: s.nullable(s.text('The account’s id.', '80351110224678912')),
  oauthUsername: s.nullable(s.text('The account’s name.', 'alice')),
  chain: s.nullable(s.text('The chain of the wallet.')),
});

export const Member = named('Member', {
  id: s.MemberId,
  memberId: { ...s.MemberId, description: 'The same as `id`.' },
  dripId: s.text('The `id` in 24 digits, for older programs.', '000000000000000000000042'),
  realmId: s.RealmId,
  username: memberFields.username,
  displayName: memberFields.displayName,
  status: s.choiceOf(['active', 'frozen', 'unknown'], {
    description: '`unknown` if there is no such member and the realm’s `unknownMembers` is `zero`.',
    examples: ['active'],
  }),
  tokenBalance: s.DefaultBalance,
  tokens: { ...s.DefaultBalance, description: 'The same as `tokenBalance`.' },
  ...s.currentBalances,
  accounts: Type.Array(Type.Object(account)),
  wallets: Type.Array(s.text('An address.', s.WALLET), {
    description: 'Addresses, the primary one first.',
  }),
  credentials: Type.Array(Credential, {
    description: 'Accounts and wallets, for older programs.',
  }),
  tags: memberFields.tags,
  note: memberFields.note,
  metadata: memberFields.metadata,
  createdAt: s.Instant,
  updatedAt: s.Instant,
  lastActiveAt: {
    ...s.Instant,
    description: 'When its points last moved, or else when it was enrolled.',
  },
} satisfies ForProfile);

type MemberBody = Static<typeof Member>;

const DRIP_ID_LENGTH = 24;

/** No query returns a removed member. */
export type ShownMember = Omit<MemberModel, 'status'> & {
  status: MemberModel['status'] | 'unknown';
};

export function memberBody(shown: ShownMember): MemberBody {
  // The stored answer of an earlier release lacks later fields.
  const member = { ...BLANK_PROFILE, ...shown };
  const tokens = member.balances[member.defaultRealmPointId] ?? 0;
  return {
    id: member.id,
    memberId: member.id,
    dripId: member.id.padStart(DRIP_ID_LENGTH, '0'),
    realmId: member.realmId,
    username: member.username,
    displayName: member.displayName,
    status: member.status as MemberBody['status'],
    tokenBalance: tokens,
    tokens,
    balances: member.balances,
    held: shownSums(member.held),
    available: shownSums(member.available),
    accounts: member.accounts,
    wallets: member.wallets.map((wallet) => wallet.address),
    credentials: [
      ...member.accounts.map((account) => ({
        format: 'oauth' as const,
        publicIdentifier: account.id,
        oauthProvider: account.provider,
        oauthAccountId: account.id,
        oauthUsername: account.username,
        chain: null,
      })),
      ...member.wallets.map((wallet) => ({
        format: 'blockchain' as const,
        publicIdentifier: wallet.address,
        oauthProvider: null,
        oauthAccountId: null,
        oauthUsername: null,
        chain: wallet.chain,
      })),
    ],
    tags: JSON.parse(member.tags),
    note: member.note,
    metadata: JSON.parse(member.metadata),
    createdAt: iso(member.createdAt),
    updatedAt: iso(member.updatedAt),
    lastActiveAt: iso(member.lastActiveAt),
  };
}

export const getMember = define({
  summary: 'Get a member',
  description:
    'One member with its balances, accounts and wallets. A removed member is not found, unless ' +
    'the realm’s `unknownMembers` says otherwise.',
  answer: ok(Member),
});

/** The most wallets that a new member brings along. */
export const MAX_WALLETS = 50;

export const NewMember = Type.Object(
  s.optional({
    id: s.MemberIdIn,
    ...memberFields,
    wallets: Type.Array(
      Type.String({ maxLength: s.MAX_WALLET_TEXT, fault: 'must be a wallet address' }),
      {
        maxItems: MAX_WALLETS,
        description: 'Wallet addresses to link, unverified; the first becomes the primary one.',
        fault: `must be a list of at most ${MAX_WALLETS} wallet addresses`,
      },
    ),
  }),
);

const newMember = {
  username: 'alice',
  displayName: 'Alice',
  accounts: [{ provider: 'discord', id: '80351110224678912', username: 'alice' }],
  wallets: [s.WALLET],
};
const none = { points: 0, gems: 0 };

export const createMember = define({
  summary: 'Enrol a member',
  description:
    'Adds a member. Without `id`, the service assigns the next free one. Wallets are linked ' +
    'unverified. A removed member can be enrolled again under the same id.',
  body: NewMember,
  example: { id: '80351110224678912', ...newMember },
  answer: created(Member, { tokenBalance: 0, balances: none, held: none, available: none }),
  problems: ['member-exists', 'account-taken', 'wallet-taken', 'member-ids-exhausted'],
});

export const putMember = define({
  summary: 'Enrol or change a member',
  description:
    'Enrols the member (201, with `Location`) or, if it is one already, changes it (200), in one ' +
    'call. Of a present member only the fields that are sent change; `accounts`, `tags` and ' +
    '`metadata` are replaced as a whole, and null clears a name. `wallets` that it does not have ' +
    'yet are linked, unverified; none is unlinked. `id` may be left out.',
  body: NewMember,
  example: newMember,
  answer: ok(Member),
  mayCreate: true,
  problems: ['account-taken', 'wallet-taken', 'limit-reached'],
});

export const updateMember = define({
  summary: 'Change, freeze or unfreeze a member',
  description:
    'Changes only the fields that are present; `accounts`, `tags` and `metadata` are replaced ' +
    'as a whole, and null clears a name or the note. No points move to or from a member whose ' +
    '`status` is "frozen"; "active" unfreezes it.',
  body: Type.Object(
    s.optional({
      ...memberFields,
      status: {
        ...Status,
        description: 'Freeze or unfreeze. To remove a member, DELETE it.',
        fault: 'must be "active" or "frozen"; to remove a member, DELETE it',
      },
    }),
  ),
  example: { displayName: 'Alice the Brave', status: 'active' },
  answer: ok(Member, { displayName: 'Alice the Brave' }),
  problems: ['account-taken'],
});

const flagInQuery = (description: string) =>
  s.choiceOf(['true', 'false'], { default: 'false', description });

export const removeMember = define({
  summary: 'Remove a member',
  description:
    'Removes the member from all reads and releases its accounts and wallets. Its history stays ' +
    'in the journal. The balances must be zero, unless `forfeit=true` gives them up. ' +
    '`erase=true` also erases what the journal and stored answers say of the member: names, ' +
    'accounts, wallets, metadata and descriptions, also those of transfers with others. Their ' +
    'salted hashes stay, so the journal still proves itself. A member that was removed before ' +
    'can be erased, too, and to erase it twice does no harm.',
  query: Type.Object(
    s.optional({
      forfeit: flagInQuery('Give up the remaining balances.'),
      erase: flagInQuery('Erase the personal parts of its records.'),
    }),
  ),
  answer: NO_CONTENT,
  problems: ['balance-not-zero'],
});
