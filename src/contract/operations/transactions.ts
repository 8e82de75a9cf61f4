import Type, { type Static } from 'typebox';
import { MOVEMENT_TYPES } from '../../domain/records.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';

const define = defineFor('Transactions');

export const Transaction = Type.Object({
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
  realmPointId: s.RealmPointId,
  actor: Type.String({ description: 'The caller: `root`, `cli` or `key:<public id>`.' }),
  reversalOf: s.nullable(s.TransactionId),
  reversedBy: s.nullable(
    Type.Integer({ description: 'Its last reversal, if it was reversed in full or in part.' }),
  ),
  reversedTokens: Type.Integer({ description: 'How much has been reversed so far.' }),
});

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

const filters = Type.Object({
  ...s.PageQuery,
  ...s.optional({
    realmPointId: s.RealmPointId,
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
  description: 'Every movement of the member’s points, newest first, with the balance after each.',
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
  description: 'The member’s balances at an instant, by default now.',
  query: Type.Object({ at: Type.Optional(s.instantIn('The instant.')) }),
  answer: s.ok(
    Type.Object({
      memberId: s.MemberId,
      at: s.Instant,
      tokenBalance: Type.Integer(),
      balances: Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
      }),
    }),
    {
      memberId: '42',
      at: '2026-11-01T00:00:00.000Z',
      tokenBalance: 900,
      balances: { points: 900 },
    },
  ),
  problems: ['member-not-found'],
});
