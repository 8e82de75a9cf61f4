import { MOVEMENT_TYPES } from '../../domain/movements.ts';
import { created, defineFor, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import { IdempotencyKey } from '../parameters.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { MOVEMENT_PROBLEMS } from './points.ts';

const define = defineFor('Transactions');

const MovementType = s.choiceOf(MOVEMENT_TYPES, {
  examples: ['points.transferred'],
  fault: `must be one of ${MOVEMENT_TYPES.join(', ')}`,
});

/** What a movement is to one member. */
const side = {
  tokens: s.integer('The points that the member gained (positive) or lost (negative).', -50),
  balance: s.integer('The member’s balance afterwards.', 1250),
  counterpartyId: s.nullable(s.OtherMemberId),
  description: s.nullable(s.text('The reason, as it was sent.', 'Thanks!')),
  erased: Type.Optional(s.flag('True if what was said of it was erased with a member.')),
};

const Transaction = named('Transaction', {
  transactionId: s.TransactionId,
  at: s.Instant,
  type: MovementType,
  memberId: s.MemberId,
  ...side,
  ...s.details,
  realmPointId: s.RealmPointId,
  ...s.caller,
  reversalOf: s.nullable(s.integer('The transaction that it reverses, if it is a reversal.')),
  reversedBy: s.nullable(s.integer('Its last reversal, if it was reversed in full or in part.')),
  reversedTokens: s.integer('How much has been reversed so far.', 0),
  ...s.optional({
    originalTokens: s.integer('Of a reversal: the points that the original moved.'),
    originalDescription: s.text('Of a reversal: the description of the original.'),
  }),
});

const { balances, ...ofHolds } = s.currentBalances;

const Balances = named('Balances', {
  memberId: s.MemberId,
  at: s.Instant,
  tokenBalance: s.DefaultBalance,
  balances,
  ...s.optional(ofHolds),
});

/** Snake case and RFC 2822 are what the tools expect that read this export. */
const ExportedMovement = named('ExportedMovement', {
  id: s.TransactionId,
  timestamp: s.text('RFC 2822, in UTC.', 'Sat, 14 Nov 2026 09:30:00 GMT'),
  type: MovementType,
  realm_id: s.RealmId,
  guild_id: { ...s.RealmId, description: 'The same as `realm_id`.' },
  receiver: s.nullable(s.text('Who gained the points; null if nobody did.', '42')),
  sender: s.nullable(s.text('Who lost them; null if nobody did.', '43')),
  data: Type.Object({
    activity: MovementType,
    amount: s.integer('How many points.', 50),
    receiverBalance: s.nullable(s.integer('The balance of the receiver afterwards.', 1250)),
    senderBalance: s.nullable(s.integer('The balance of the sender afterwards.', 30)),
  }),
  member_id: s.MemberId,
  tokens: side.tokens,
  balance: side.balance,
  counterparty_id: side.counterpartyId,
  description: side.description,
  realm_point_id: s.RealmPointId,
  erased: side.erased,
});

const filters = {
  realmPointId: s.RealmPointIdInQuery,
  type: { ...MovementType, description: 'Only movements of this type.' },
  from: s.instantIn('Only at or after this instant.'),
  to: s.instantIn('Only before this instant.'),
  reference: {
    ...s.Reference,
    description: 'Only movements with this reference. Not together with `realmPointId` or `type`.',
  },
};

export const memberTransactions = define({
  summary: 'Get a member’s statement',
  description:
    'Every movement of the member’s points, newest first, with the balance after each. A page of ' +
    'one `type` may have fewer transactions than `limit`, even none: the last page has no ' +
    '`nextCursor`.',
  ...pagesOf(Transaction, filters),
});

export const listTransactions = define({
  summary: 'List the realm’s transactions',
  description:
    'Every movement of points in the realm, newest first; transfers as the sender sees them.',
  ...pagesOf(Transaction, {
    ...filters,
    idempotencyKey: {
      ...IdempotencyKey,
      description:
        'Only what the call with this idempotency key moved, for as long as keys are kept: none ' +
        'if it has not taken effect. Not together with other filters.',
      fault: 'must be 1 to 255 visible ASCII characters',
    },
  }),
});

export const MAX_EXPORTED = 1_000;
const MAX_USERS = 10;

/** What is unknown in it has no movements. */
const listInQuery = (most: number, description: string) =>
  Type.String({
    pattern: `^[^,]+(,[^,]+){0,${most - 1}}$`,
    description: `${description} At most ${most}.`,
    fault: `must be a list of at most ${most}, with commas between`,
  });

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
      count: s.integerInQuery(
        { minimum: 1, maximum: MAX_EXPORTED },
        'The same as `limit`, which wins.',
      ),
      days: s.integerInQuery({ minimum: 1, maximum: 36_500 }, 'Only movements of the last days.'),
      users: listInQuery(MAX_USERS, 'Only movements of these members: ids, with commas between.'),
      types: listInQuery(MOVEMENT_TYPES.length, 'Only movements of these types, with commas.'),
    }),
  ),
  answer: ok(Type.Array(ExportedMovement, { title: 'ExportedMovements' })),
});

export const getTransaction = define({
  summary: 'Get a transaction',
  description: 'One movement of points.',
  answer: ok(Transaction),
});

export const reverseTransaction = define({
  summary: 'Reverse a transaction',
  description:
    'Moves the points of a transaction back, in full or in part, and in total never more than it ' +
    'moved. Refused if they are already spent; `force` takes them anyway, down to the minimum ' +
    'balance of their kind.',
  body: Type.Object(
    s.optional({
      tokens: s.integerIn(1, s.MAX_TOKENS, 'How much to reverse; by default all that remains.'),
      description: s.Description,
      ...s.details,
      force: s.booleanIn('Reverse spent points too, down to the minimum balance. Default false.'),
    }),
  ),
  example: { tokens: 20, description: 'Refund' },
  bodyOptional: true,
  answer: created(
    Type.Object({
      transactionId: s.TransactionId,
      reversalOf: s.TransactionId,
      memberId: s.MemberId,
      tokens: s.Moved,
      realmPointId: s.RealmPointId,
      newBalance: s.Balance,
      recipientId: Type.Optional(s.MemberId),
      recipientBalance: Type.Optional(s.Balance),
    }),
    { transactionId: 990, tokens: 20, recipientId: '43', recipientBalance: 30 },
  ),
  problems: ['member-not-found', 'not-reversible', 'reversal-exceeded', ...MOVEMENT_PROBLEMS],
});

export const getBalance = define({
  summary: 'Get balances at an instant',
  description:
    'The member’s balances at an instant, by default now. `held` and `available` are known only ' +
    'now: without `at`.',
  query: Type.Object({ at: Type.Optional(s.instantIn('The instant.')) }),
  answer: ok(Balances),
});
