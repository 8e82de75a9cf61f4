import { HOLD_STATUSES } from '../../domain/rules/holds.ts';
import { created, defineFor, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { TRANSFER_PROBLEMS } from './points.ts';

const define = defineFor('Holds');

export const DEFAULT_HOLD_SECONDS = 3600;
const MAX_SECONDS = 31_536_000;

const Hold = named('Hold', {
  holdId: s.integer('The number of the hold.', 1001),
  memberId: s.MemberId,
  realmPointId: s.RealmPointId,
  tokens: s.integer('The points held at first.', 200),
  captured: s.integer('The points captured so far.', 0),
  remaining: s.integer('The points still held.', 200),
  status: s.choiceOf(HOLD_STATUSES),
  description: s.nullable(s.text('The reason, as it was sent.', 'Order 7')),
  ...s.details,
  createdAt: s.Instant,
  expiresAt: { ...s.Instant, examples: ['2026-11-14T10:30:00.000Z'] },
});

export const createHold = define({
  summary: 'Hold points',
  description:
    'Sets points aside for a purchase: they stay in the balance, but nothing else can spend ' +
    'them. A hold ends when it is captured or released, or when it expires.',
  body: Type.Object({
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
    ...s.details,
  }),
  example: { tokens: 200, description: 'Order 7' },
  answer: created(Hold),
  problems: [
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
  answer: ok(Hold),
});

const pages = pagesOf(Hold, {
  status: s.choiceOf(HOLD_STATUSES, {
    description: 'Only holds with this status now: a hold past `expiresAt` is `expired`.',
  }),
});

export const memberHolds = define({
  summary: 'List a member’s holds',
  description: 'The holds on a member’s points, newest first.',
  ...pages,
});

export const listHolds = define({
  summary: 'List the realm’s holds',
  description: 'The holds on the points of all members, newest first.',
  ...pages,
});

export const captureHold = define({
  summary: 'Capture a hold',
  description:
    'Takes the held points: all that remain, or some of them, in which case the rest stays held. ' +
    'With `recipientId` they go to that member. The movement has the description of the hold, ' +
    'and its reference and metadata unless the capture has its own.',
  body: Type.Object({
    ...s.optional({ tokens: s.TokensToGive, recipientId: s.MemberIdIn }),
    ...s.details,
  }),
  example: { tokens: 150, recipientId: '43' },
  bodyOptional: true,
  answer: ok(
    Type.Object({
      transactionId: s.TransactionId,
      tokens: s.Moved,
      newBalance: s.Balance,
      recipientId: Type.Optional(s.MemberId),
      recipientBalance: Type.Optional(s.Balance),
      hold: Hold,
    }),
    {
      tokens: 150,
      newBalance: 1100,
      recipientId: '43',
      recipientBalance: 200,
      hold: { captured: 150, remaining: 50 },
    },
  ),
  problems: ['hold-closed', 'hold-exceeded', ...TRANSFER_PROBLEMS],
});

export const releaseHold = define({
  summary: 'Release a hold',
  description: 'Makes the rest of the held points spendable again.',
  answer: ok(Hold, { remaining: 0, status: 'released' }),
  problems: ['hold-closed'],
});
