import { CLAIM_STATUSES } from '../../domain/rules/offers.ts';
import { defineFor, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { MOVEMENT_PROBLEMS } from './points.ts';

const define = defineFor('Offers');

const Status = s.choiceOf(CLAIM_STATUSES, {
  description: '`pending` waits to be delivered or rejected; `done` and `rejected` are final.',
});

export const Claim = named('Claim', {
  claimId: s.ClaimId,
  offerId: s.OfferId,
  memberId: s.MemberId,
  quantity: s.integer('How many.', 1),
  status: Status,
  gave: s.byKind('What it gave, by kind of points.', { points: 15 }),
  cost: s.byKind('What it cost, by kind of points.', {}),
  balances: s.byKind('The balances that it changed, after it.', { points: 1265 }),
  period: s.nullable(
    s.text('The day, week or month that it counts for: `2026-11-18`, `2026-W47`, `2026-11`.'),
  ),
  streak: s.nullable(s.integer('Which day in a row it was, if the offer counts them.', 2)),
  at: s.Instant,
  ...s.caller,
  ...s.details,
  erased: Type.Optional(s.flag('True if what was said of it was erased with its member.')),
});

const status = { ...Status, description: 'Only claims with this status.' };
const SHORT =
  'A page with filters may have fewer than `limit`, even none: the last page has no `nextCursor`.';

export const listClaims = define({
  summary: 'List claims',
  description: `The claims of all members, newest first. ${SHORT}`,
  ...pagesOf(Claim, {
    status,
    offerId: { ...s.OfferId, description: 'Only claims of this offer.' },
    memberId: { ...s.MemberId, description: 'Only claims of this member.' },
  }),
});

export const memberClaims = define({
  summary: 'List a member’s claims',
  description: `The claims of a member, newest first. ${SHORT}`,
  ...pagesOf(Claim, {
    status,
    offerId: { ...s.OfferId, description: 'Only claims of this offer.' },
  }),
});

export const getClaim = define({
  summary: 'Get a claim',
  description: 'One claim. What its offer has become since alters nothing of it.',
  answer: ok(Claim),
});

export const deliverClaim = define({
  summary: 'Deliver a claim',
  description: 'Says that what a pending claim grants was delivered: it is done.',
  answer: ok(Claim),
  problems: ['claim-closed'],
});

export const rejectClaim = define({
  summary: 'Reject a claim',
  description:
    'Takes a pending claim back: points both ways, stock and the member’s count. Refused if the ' +
    'points that it gave are spent, and once the offer is drawn.',
  answer: ok(Claim, { status: 'rejected' }),
  problems: ['member-not-found', 'claim-closed', 'offer-drawn', ...MOVEMENT_PROBLEMS],
});
