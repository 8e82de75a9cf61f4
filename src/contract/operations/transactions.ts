import type { Static } from 'typebox';
import { MOVEMENT_TYPES } from '../../domain/records.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Transactions');

export const Transaction = Type.Object(
  {
    transactionId: s.TransactionId,
    at: s.Instant,
    type: s.choiceOf(MOVEMENT_TYPES),
    memberId: s.MemberId,
    tokens: Type.Integer({
      description: 'The points that the member gained (positive) or lost (negative).',
    }),
    balance: Type.Integer({ description: 'The member’s balance afterwards.' }),
    counterpartyId: s.nullable(s.MemberId),
    description: s.nullable(Type.String()),
    erased: Type.Optional(
      Type.Boolean({
        description: 'True if it had a description, which was erased with a member.',
      }),
    ),
    realmPointId: s.RealmPointId,
    actor: Type.String({
      description: 'The caller: `root`, `cli` or `key:<public id>`, and its session if any.',
    }),
    reversalOf: s.nullable(s.TransactionId),
    reversedBy: s.nullable(
      Type.Integer({ description: 'Its last reversal, if it was reversed in full or in part.' }),
    ),
    reversedTokens: Type.Integer({ description: 'How much has been reversed so far.' }),
  },
  { title: 'Transaction' },
);

const example: Static<typeof Transaction> = {
  transactionId: 982,
  at: '2026-11-14T09:30:00.000Z',
  type: 'points.transferred',
  memberId: '42',
  tokens: -50,
  balance: 1250,
  counterpartyId: '43',
  description: 'Thanks!',
  realmPointId: 'points',
  actor: 'key:k3Jx81PzQw2m',
  reversalOf: null,
  reversedBy: null,
  reversedTokens: 0,
};

const { balances, ...ofHolds } = s.currentBalances;

export const Balances = Type.Object(
  {
    memberId: s.MemberId,
    at: s.Instant,
    tokenBalance: Type.Integer({ description: 'The balance in the realm’s default points.' }),
    balances,
    ...s.optional(ofHolds),
  },
  { title: 'Balances' },
);

/** Snake case and RFC 2822 are what the tools expect that read this export. */
const ExportedMovement = Type.Object(
  {
    id: s.TransactionId,
    timestamp: Type.String({
      description: 'RFC 2822, in UTC.',
      examples: ['Sat, 14 Nov 2026 09:30:00 +0000'],
    }),
    type: s.choiceOf(MOVEMENT_TYPES),
    realm_id: s.RealmId,
    member_id: s.MemberId,
    tokens: Transaction.properties.tokens,
    balance: Transaction.properties.balance,
    counterparty_id: Transaction.properties.counterpartyId,
    description: s.nullable(Type.String()),
    realm_point_id: s.RealmPointId,
    erased: Transaction.properties.erased,
  },
  { title: 'ExportedMovement' },
);

const filters = Type.Object({
  ...s.PageQuery,
  ...s.optional({
    realmPointId: s.RealmPointIdInQuery,
    type: s.choiceOf(MOVEMENT_TYPES, {
      description: 'Only movements of this type.',
      fault: `must be one of ${MOVEMENT_TYPES.join(', ')}`,
    }),
    from: s.instantIn('Only at or after this instant.'),
    to: s.instantIn('Only before this instant.'),
  }),
});

export const memberTransactions = define({
  summary: 'Get a member’s statement',
  description:
    'Every movement of the member’s points, newest first, with the balance after each. A page of ' +
    'one `type` may have fewer transactions than `limit`, even none: the last page has no ' +
    '`nextCursor`.',
  query: filters,
  answer: s.listAnswer(Transaction, example),
  problems: ['member-not-found', 'realm-point-not-found'],
});

export const listTransactions = define({
  summary: 'List the realm’s transactions',
  description:
    'Every movement of points in the realm, newest first; transfers as the sender sees them.',
  query: filters,
  answer: s.listAnswer(Transaction, example),
  problems: ['realm-point-not-found'],
});

export const MAX_EXPORTED = 1_000;

export const exportLogs = define({
  summary: 'Export the realm’s movements',
  description:
    'Movements of points as older tools read them: a bare list, newest first, each movement ' +
    'once, from the side of `member_id`. In a transfer, `counterparty_id` gained what ' +
    '`member_id` lost. To go on, pass the last `id` as `before`, until the list is empty: a list ' +
    'also ends at about 1 MiB.',
  query: Type.Object(
    s.optional({
      limit: s.integerInQuery(
        { minimum: 1, maximum: MAX_EXPORTED, default: MAX_EXPORTED },
        `The most movements, 1 to ${MAX_EXPORTED}.`,
      ),
      before: s.integerInQuery({ minimum: 1 }, 'Only movements before this transaction.'),
    }),
  ),
  answer: s.ok(Type.Array(ExportedMovement, { title: 'ExportedMovements' }), [
    {
      id: 982,
      timestamp: 'Sat, 14 Nov 2026 09:30:00 +0000',
      type: 'points.transferred',
      realm_id: 'acme',
      member_id: '42',
      tokens: -50,
      balance: 1250,
      counterparty_id: '43',
      description: 'Thanks!',
      realm_point_id: 'points',
    },
  ]),
});

export const getTransaction = define({
  summary: 'Get a transaction',
  description: 'One movement of points.',
  answer: s.ok(Transaction, example),
  problems: ['transaction-not-found'],
});

export const reverseTransaction = define({
  summary: 'Reverse a transaction',
  description:
    'Moves the points of a transaction back, in full or in part, and in total never more than it ' +
    'moved. Refused if they are already spent; `force` takes them anyway, down to the minimum ' +
    'balance of their kind.',
  body: {
    optional: true,
    schema: Type.Object(
      s.optional({
        tokens: s.integerIn(1, s.MAX_TOKENS, 'How much to reverse; by default all that remains.'),
        description: s.Description,
        force: s.booleanIn('Reverse spent points too, down to the minimum balance. Default false.'),
      }),
    ),
    example: { tokens: 20, description: 'Refund' },
  },
  answer: s.created(
    Type.Object({
      transactionId: s.TransactionId,
      reversalOf: s.TransactionId,
      memberId: s.MemberId,
      tokens: Type.Integer(),
      realmPointId: s.RealmPointId,
      newBalance: s.Balance,
      recipientId: Type.Optional(s.MemberId),
      recipientBalance: Type.Optional(s.Balance),
    }),
    {
      transactionId: 990,
      reversalOf: 982,
      memberId: '42',
      tokens: 20,
      realmPointId: 'points',
      newBalance: 1270,
      recipientId: '43',
      recipientBalance: 30,
    },
  ),
  problems: [
    'transaction-not-found',
    'member-not-found',
    'not-reversible',
    'reversal-exceeded',
    'realm-point-archived',
    'member-frozen',
    'insufficient-points',
    'balance-limit',
  ],
});

export const getBalance = define({
  summary: 'Get balances at an instant',
  description:
    'The member’s balances at an instant, by default now. `held` and `available` are known only ' +
    'now: without `at`.',
  query: Type.Object({ at: Type.Optional(s.instantIn('The instant.')) }),
  answer: s.ok(Balances, {
    memberId: '42',
    at: '2026-11-01T00:00:00.000Z',
    tokenBalance: 900,
    balances: { points: 900 },
  }),
  problems: ['member-not-found'],
});
