import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Points');

const optional = {
  ...s.optional({ description: s.Description, realmPointId: s.RealmPointIdIn }),
  ...s.details,
};

const UpTo = s.booleanIn(
  'Whether to take as many points as can be spent, at most `tokens` and at least 1, instead of ' +
    'refusing. Not to add points. Default false.',
);

const NameIfNew = Type.Optional(
  s.nullableText(
    s.MAX_USERNAME,
    'The handle of the member, if the realm’s `autoEnroll` enrols it. It renames no member.',
  ),
);

const Taken = s.integer('Of a transfer, or with `upTo`: the points that were moved.');

/** What a movement of points can be refused with. */
export const MOVEMENT_PROBLEMS = [
  'realm-point-archived',
  'member-frozen',
  'insufficient-points',
  'balance-limit',
] as const;

/** The same for one that goes to another member. */
export const TRANSFER_PROBLEMS = [
  'recipient-not-found',
  'self-transfer',
  'transfers-disabled',
  'not-transferable',
  ...MOVEMENT_PROBLEMS,
] as const;

export const changePoints = define({
  summary: 'Add or subtract points',
  description:
    'Changes a member’s balance by `tokens`: positive adds, negative subtracts. A balance stays ' +
    'within the bounds of its kind of points, by default 0 and 2^53-1.',
  body: Type.Object({
    tokens: s.Tokens,
    ...optional,
    upTo: Type.Optional(UpTo),
    username: NameIfNew,
  }),
  example: { tokens: 50, description: 'Quest reward' },
  answer: ok(
    Type.Object({
      newBalance: s.Balance,
      transactionId: s.TransactionId,
      memberId: s.MemberId,
      realmPointId: s.RealmPointId,
      tokens: Type.Optional(Taken),
    }),
  ),
  problems: ['too-many-tokens', ...MOVEMENT_PROBLEMS],
});

export const transferPoints = define({
  summary: 'Transfer points',
  description:
    'Moves points from the member in the path to `recipientId`, atomically. `recipientId` is ' +
    'read without loss of precision up to 2^63-1.',
  body: Type.Object({
    recipientId: s.MemberIdIn,
    tokens: s.TokensToGive,
    ...optional,
    upTo: Type.Optional(UpTo),
    recipientUsername: NameIfNew,
  }),
  example: { recipientId: '43', tokens: 50, description: 'Thanks!' },
  answer: ok(
    Type.Object({
      message: s.Ok,
      transactionId: s.TransactionId,
      memberId: s.MemberId,
      recipientId: s.OtherMemberId,
      tokens: s.Moved,
      senderBalance: s.Balance,
      recipientBalance: s.Balance,
      realmPointId: s.RealmPointId,
    }),
    { recipientBalance: 50 },
  ),
  problems: ['too-many-tokens', ...TRANSFER_PROBLEMS],
});

const Entry = Type.Object(
  {
    memberId: s.MemberIdIn,
    recipientId: Type.Optional({
      ...s.MemberIdIn,
      description: 'Makes the entry a transfer from `memberId`; `tokens` is then at least 1.',
    }),
    tokens: s.TokensOrZero,
    ...optional,
    upTo: Type.Optional(UpTo),
    username: NameIfNew,
  },
  { fault: 'must be an object with "memberId" and "tokens"' },
);

const EntryResult = named('EntryResult', {
  memberId: s.MemberId,
  newBalance: Type.Optional(s.Balance),
  transactionId: Type.Optional(s.nullable(s.TransactionId)),
  tokens: Type.Optional(Taken),
  recipientId: Type.Optional(s.OtherMemberId),
  senderBalance: Type.Optional(s.Balance),
  recipientBalance: Type.Optional(s.Balance),
  problem: s.EntryProblem,
});

export const changeManyPoints = define({
  summary: 'Add, subtract or transfer points of many members',
  description:
    'Up to 1,000 changes in one call; an entry with `recipientId` is a transfer. By default the ' +
    'call is atomic: if one entry is refused, ' +
    'nothing changes, and `errors[].pointer` names that entry. With `"atomic": false` entries ' +
    'are independent, and each has its own result, in order. With `"skipZero": true` entries of ' +
    '0 are accepted as nothing to do: their `transactionId` is null.',
  body: Type.Object({
    ...s.optional({
      description: s.Description,
      atomic: s.booleanIn('Whether all entries succeed or none. Default true.'),
      skipZero: s.booleanIn('Whether entries of 0 are skipped instead of refused. Default false.'),
    }),
    entries: s.batchOf(Entry, 'entries'),
  }),
  example: {
    description: 'Weekly rewards',
    entries: [
      { memberId: '42', tokens: 50 },
      { memberId: '42', recipientId: '43', tokens: 20, reference: 'duel-3' },
    ],
  },
  answer: ok(Type.Object({ message: s.Ok, results: Type.Array(EntryResult) }), {
    results: [
      { memberId: '42', newBalance: 1300, transactionId: 983 },
      {
        memberId: '42',
        recipientId: '43',
        transactionId: 984,
        tokens: 20,
        senderBalance: 1280,
        recipientBalance: 70,
      },
    ],
  }),
  problems: ['member-not-found', 'realm-point-not-found', 'too-many-tokens', ...TRANSFER_PROBLEMS],
});
