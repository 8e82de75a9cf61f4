import type { Static } from 'typebox';
import { HOLD_STATUSES } from '../../domain/rules/holds.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Holds');

export const DEFAULT_HOLD_SECONDS = 3600;
const MAX_SECONDS = 31_536_000;

export const Hold = Type.Object(
  {
    holdId: Type.Integer({ examples: [1001] }),
    memberId: s.MemberId,
    realmPointId: s.RealmPointId,
    tokens: Type.Integer({ description: 'The points held at first.' }),
    captured: Type.Integer({ description: 'The points captured so far.' }),
    remaining: Type.Integer({ description: 'The points still held.' }),
    status: s.choiceOf(HOLD_STATUSES),
    description: s.nullable(Type.String()),
    createdAt: s.Instant,
    expiresAt: s.Instant,
  },
  { title: 'Hold' },
);

const example: Static<typeof Hold> = {
  holdId: 1001,
  memberId: '42',
  realmPointId: 'points',
  tokens: 200,
  captured: 0,
  remaining: 200,
  status: 'open',
  description: 'Order 7',
  createdAt: '2026-11-14T09:30:00.000Z',
  expiresAt: '2026-11-14T10:30:00.000Z',
};

export const createHold = define({
  summary: 'Hold points',
  description:
    'Sets points aside for a purchase: they stay in the balance, but nothing else can spend ' +
    'them. A hold ends when it is captured or released, or when it expires.',
  body: {
    schema: Type.Object({
      tokens: s.TokensToGive,
      ...s.optional({
        expiresInSeconds: s.integerIn(
          1,
          MAX_SECONDS,
          `How long the hold lasts. Default ${DEFAULT_HOLD_SECONDS}, at most a year.`,
        ),
        description: s.Description,
        realmPointId: s.RealmPointIdIn,
      }),
    }),
    example: { tokens: 200, description: 'Order 7' },
  },
  answer: s.created(Hold, example),
  problems: [
    'member-not-found',
    'realm-point-not-found',
    'too-many-tokens',
    'realm-point-archived',
    'member-frozen',
    'insufficient-points',
    'limit-reached',
  ],
});

export const getHold = define({
  summary: 'Get a hold',
  description: 'One hold. Its status is `expired` from the very instant `expiresAt`.',
  answer: s.ok(Hold, example),
  problems: ['hold-not-found'],
});

const filter = Type.Object({
  ...s.PageQuery,
  status: Type.Optional(
    s.choiceOf(HOLD_STATUSES, {
      description: 'Only holds with this status now: a hold past `expiresAt` is `expired`.',
    }),
  ),
});

export const memberHolds = define({
  summary: 'List a member’s holds',
  description: 'The holds on a member’s points, newest first.',
  query: filter,
  answer: s.listAnswer(Hold, example),
  problems: ['member-not-found'],
});

export const listHolds = define({
  summary: 'List the realm’s holds',
  description: 'The holds on the points of all members, newest first.',
  query: filter,
  answer: s.listAnswer(Hold, example),
});

export const captureHold = define({
  summary: 'Capture a hold',
  description:
    'Takes the held points: all that remain, or some of them, in which case the rest stays held. ' +
    'With `recipientId` they go to that member.',
  body: {
    optional: true,
    schema: Type.Object(s.optional({ tokens: s.TokensToGive, recipientId: s.MemberIdIn })),
    example: { tokens: 150, recipientId: '43' },
  },
  answer: s.ok(
    Type.Object({
      transactionId: s.TransactionId,
      tokens: Type.Integer(),
      newBalance: s.Balance,
      recipientId: Type.Optional(s.MemberId),
      recipientBalance: Type.Optional(s.Balance),
      hold: Hold,
    }),
    {
      transactionId: 1002,
      tokens: 150,
      newBalance: 1100,
      recipientId: '43',
      recipientBalance: 200,
      hold: { ...example, captured: 150, remaining: 50 },
    },
  ),
  problems: [
    'hold-not-found',
    'recipient-not-found',
    'hold-closed',
    'self-transfer',
    'transfers-disabled',
    'not-transferable',
    'realm-point-archived',
    'member-frozen',
    'hold-exceeded',
    'insufficient-points',
    'balance-limit',
  ],
});

export const releaseHold = define({
  summary: 'Release a hold',
  description: 'Makes the rest of the held points spendable again.',
  answer: s.ok(Hold, { ...example, remaining: 0, status: 'released' }),
  problems: ['hold-not-found', 'hold-closed'],
});
