import { DRAW_METHOD, MAX_WINNERS } from '../../domain/rules/draw.ts';
import { OFFER_STATUSES, PERIODS } from '../../domain/rules/offers.ts';
import { MAX_KINDS } from '../../domain/rules/realms.ts';
import { created, defineFor, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import { Metadata } from '../remarks.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { Claim } from './claims.ts';
import { MOVEMENT_PROBLEMS } from './points.ts';

const define = defineFor('Offers');

const MAX_TIMES = 1_000_000;
const MAX_STOCK = 1_000_000_000;
const MAX_QUANTITY = 1_000_000;
const MAX_GRACE_DAYS = 365;
const MAX_STREAK = 366;

const amounts = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    propertyNames: { ...s.RealmPointId, fault: 'must have ids of kinds of points as its keys' },
    additionalProperties: s.integerIn(1, s.MAX_TOKENS, 'Points, at least 1.'),
    maxProperties: MAX_KINDS,
    description,
    examples: [example],
    fault: `must be an object of at most ${MAX_KINDS} kinds of points with their numbers`,
  });

const Costs = amounts('What one costs, by kind of points. Paid at the claim.', { points: 500 });

const PerMember = Type.Object(
  {
    times: s.integerIn(1, MAX_TIMES, 'How often in a period; a claim of several counts for each.'),
    period: s.choiceOf(PERIODS, {
      description:
        'A calendar day, a week from Monday or a month in the realm’s `timeZone`; `ever` for good.',
    }),
  },
  {
    description: 'How often each member may claim it; null for no limit.',
    examples: [{ times: 1, period: 'day' }],
    fault: 'must be an object with "times" and "period"',
  },
);

const Requires = Type.Object(
  s.optional({
    minimumBalance: amounts('The balances that a member must have, by kind of points.', {
      points: 100,
    }),
    claimed: { ...s.OfferId, description: 'An offer that the member must have claimed before.' },
  }),
  {
    description: 'What a member must have to claim it; null for nothing.',
    examples: [{ minimumBalance: { points: 100 } }],
    fault: 'must be an object with "minimumBalance" or "claimed"',
  },
);

const Bonus = Type.Array(s.integerIn(0, s.MAX_TOKENS, 'Points.'), {
  minItems: 1,
  maxItems: MAX_STREAK,
  description:
    'What the n-th day in a row adds, once a day, to the first kind of `gives`; the last stays.',
  examples: [[0, 5, 10]],
  fault: `must be a list of 1 to ${MAX_STREAK} numbers of points`,
});

const GraceDays = s.integerIn(0, MAX_GRACE_DAYS, 'How many days may be missed. Default 0.');

const aboutStreak = {
  description: 'Rewards days in a row; with `perMember` of period `day` only. Null for none.',
  examples: [{ bonus: [0, 5, 10], graceDays: 1 }],
  fault: 'must be an object with "bonus"',
};

const Name = s.visibleIn(100, 'The display name, which statements show.', 'Daily reward');

const fields = {
  description: s.nullable(s.textIn(1_000, 'What members read about it.')),
  emoji: s.nullable(s.visibleIn(64, 'An emoji, or the name of one.', '🎁')),
  gives: amounts('What one gives, by kind of points.', { points: 10 }),
  costs: Costs,
  perMember: s.nullable(PerMember),
  stock: s.nullable(s.integerIn(0, MAX_STOCK, 'How many there are; null for no limit.')),
  opensAt: s.nullable(s.instantIn('When it opens; null for at once.')),
  closesAt: s.nullable(s.instantIn('When it closes; null for never.')),
  requires: s.nullable(Requires),
  delivery: s.choiceOf(['none', 'manual'], {
    default: 'none',
    description:
      '`none`: a claim is done at once. `manual`: it is pending until a program or a person ' +
      'delivers or rejects it.',
  }),
  isListed: s.booleanIn('Whether programs show it to members. Default true.'),
  metadata: Metadata,
};

const StreakIn = Type.Object({ bonus: Bonus, graceDays: Type.Optional(GraceDays) }, aboutStreak);

const NewOffer = {
  name: Name,
  ...s.optional({ ...fields, streak: s.nullable(StreakIn) }),
};

const Offer = named('Offer', {
  id: s.OfferId,
  name: Name,
  ...fields,
  opensAt: s.InstantOrNull,
  closesAt: s.InstantOrNull,
  streak: s.nullable(Type.Object({ bonus: Bonus, graceDays: GraceDays }, aboutStreak)),
  isListed: s.flag('Whether programs show it to members.', true),
  archived: s.flag('Whether it was ended for good.', false),
  status: s.choiceOf(OFFER_STATUSES, {
    description: 'What it is now: archived, upcoming, closed, sold out, or else open.',
  }),
  claimed: s.integer('How many were claimed, without those that were rejected.', 12),
  stockLeft: s.nullable(s.integer('How many are left; null without `stock`.', 88)),
  drawSeq: s.nullable(s.integer('The event of its draw, with the winners; null before.')),
  createdAt: s.Instant,
  updatedAt: s.Instant,
});

/** What a new offer, or one as it would become, can be refused with. */
const OFFER_PROBLEMS = ['offer-not-found', 'realm-point-not-found', 'offer-incomplete'] as const;

export const createOffer = define({
  isStrict: true,
  summary: 'Create an offer',
  description:
    'An offer is something members may claim: it gives points, costs points, or both, and may ' +
    'grant what a program or a person delivers. `gives`, `costs` or `"delivery": "manual"` must ' +
    'be there.',
  body: Type.Object({ id: s.NewOfferId, ...NewOffer }),
  example: {
    id: 'daily',
    name: 'Daily reward',
    gives: { points: 10 },
    perMember: { times: 1, period: 'day' },
    streak: { bonus: [0, 5, 10] },
  },
  answer: created(Offer, { id: 'daily', claimed: 0, costs: {}, stock: null, stockLeft: null }),
  problems: ['offer-exists', ...OFFER_PROBLEMS],
});

export const listOffers = define({
  summary: 'List offers',
  description:
    'The offers of the realm, ordered by id. A page of one `status` may have fewer than `limit`, ' +
    'even none: the last page has no `nextCursor`.',
  ...pagesOf(Offer, {
    status: s.choiceOf(OFFER_STATUSES, { description: 'Only offers with this status now.' }),
  }),
});

export const getOffer = define({
  summary: 'Get an offer',
  description: 'One offer, with its status, how many were claimed and how many are left.',
  answer: ok(Offer),
});

export const updateOffer = define({
  isStrict: true,
  summary: 'Change an offer',
  description:
    'Changes only the fields that are present, from the next claim on; past claims keep what ' +
    'they were. `"archived": true` ends it.',
  body: Type.Object({
    ...NewOffer,
    name: Type.Optional(Name),
    archived: Type.Optional(s.booleanIn('Whether it is ended.')),
  }),
  example: { costs: { points: 400 } },
  answer: ok(Offer, { costs: { points: 400 } }),
  problems: OFFER_PROBLEMS,
});

export const claimOffer = define({
  summary: 'Claim an offer',
  description:
    'A member takes it: points, stock and the member’s count change together or not at all. With ' +
    'manual delivery the claim is `pending` until it is delivered or rejected. If the realm’s ' +
    '`autoEnroll` is on, an unknown member is enrolled.',
  body: Type.Object({
    memberId: s.MemberIdIn,
    quantity: Type.Optional(
      s.integerIn(
        1,
        MAX_QUANTITY,
        'How many: multiplies what it gives and costs, and counts for as many. Default 1.',
      ),
    ),
    expectedCosts: Type.Optional({
      ...Costs,
      description: 'What one costs, as the member saw it: refused if it costs something else now.',
    }),
    ...s.details,
  }),
  example: { memberId: '42' },
  // A price guard that is misspelt would guard nothing.
  isStrict: true,
  answer: created(Claim),
  problems: [
    'member-not-found',
    'offer-closed',
    'offer-drawn',
    'offer-sold-out',
    'offer-limit-reached',
    'offer-requirement',
    'price-changed',
    'too-many-tokens',
    ...MOVEMENT_PROBLEMS,
  ],
});

export const drawOffer = define({
  summary: 'Draw winners',
  description:
    'Draws winners among those who claimed an offer that is closed or archived, once. Each unit ' +
    'of `quantity` is a ticket, and a member wins once. Anybody can repeat it, by the method ' +
    `\`${DRAW_METHOD}\`. The list has a line \`<claimId> <memberId> <quantity>\` for each claim ` +
    'that was not rejected, by claimId, each ending with a line feed; `listHash` is its SHA-256 ' +
    'in hexadecimal. For the counters 0, 1, 2, …: x is the first 8 bytes, as a big-endian ' +
    'integer, of the SHA-256 of `<listHash> <seed> <counter>`. With t tickets left in the list, ' +
    'a counter whose x is at least 2^64 - 2^64 mod t is passed over; otherwise ticket x mod t ' +
    'wins, counted from 0 through the list, and all claims of its member leave the list. It ends ' +
    'when all winners are drawn or no ticket is left.',
  body: Type.Object({
    winners: s.integerIn(1, MAX_WINNERS, 'How many members win, if there are as many.'),
    seed: Type.Optional(
      s.visibleIn(
        128,
        'A public value that nobody could choose, such as the hash of a block that was announced ' +
          'before it existed. Without it, the service makes one.',
        '0000000000000000000a1b2c',
      ),
    ),
  }),
  example: { winners: 1, seed: '0000000000000000000a1b2c' },
  answer: created(
    Type.Object({
      winners: Type.Array(Type.Object({ memberId: s.MemberId, claimId: s.ClaimId }), {
        description: 'In the order in which they were drawn.',
      }),
      seed: s.text('The seed.', '0000000000000000000a1b2c'),
      tickets: s.integer('How many tickets there were.', 120),
      listHash: s.text('The SHA-256 of the list of claims.', `${'9f3c'.repeat(16)}`),
      method: s.text('The name of the procedure.', DRAW_METHOD),
    }),
  ),
  problems: ['offer-drawn', 'offer-open', 'draw-outdated', 'limit-reached'],
});
