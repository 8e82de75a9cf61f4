import type { Period } from '../domain/offer.ts';
import { momentIn } from '../domain/rules/calendar.ts';
import { type Extra, points, type Sentence, unitOf, who } from './messages.ts';

/** When it can be claimed, in the time zone of the realm where people read it. */
function notOpen(extra: Extra, saying: (at: unknown) => string): string {
  const { opensAt, closesAt, offerStatus } = extra;
  if (offerStatus === 'upcoming') return `opens ${saying(opensAt)}`;
  return offerStatus === 'archived' ? 'has ended' : `closed ${saying(closesAt)}`;
}

const inZone =
  ({ timeZone }: Extra) =>
  (at: unknown): string =>
    `on ${momentIn(`${timeZone}`, Date.parse(`${at}`))}`;

const OF_PERIOD: Record<Period, string> = {
  ever: '',
  day: ' a day',
  week: ' a week',
  month: ' a month',
};

const times = ({ limit, period }: Extra): string =>
  `${limit === 1 ? 'once' : `${limit} times`}${OF_PERIOD[period as Period]}`;

const amounts = (by: unknown, kinds: unknown): string =>
  Object.entries(by as Record<string, number>)
    .map(([id, tokens]) => points(tokens, unitOf({ kind: (kinds as Extra)[id] })))
    .join(' and ');

function lacking({ requirement, offer, kinds, requires }: Extra): string {
  const { minimumBalance } = requirement as Record<string, object | undefined>;
  const what = minimumBalance
    ? `at least ${amounts(minimumBalance, kinds)}`
    : `claimed ${requires}`;
  return `${offer} is for members who have ${what}.`;
}

function priceNow({ offer, costs, kinds }: Extra): string {
  const price = amounts(costs, kinds);
  return price === '' ? `${offer} is free now.` : `${offer} costs ${price} now.`;
}

function beyondLimit(extra: Extra): string {
  const { offer, left, nextAt } = extra;
  if (left) return `${who(extra)} can claim only ${left} more of ${offer}.`;
  return nextAt === null
    ? `${who(extra)} can claim ${offer} only ${times(extra)}.`
    : `${who(extra)} can claim ${offer} again ${inZone(extra)(nextAt)}.`;
}

/** What is refused of offers and claims, for who writes the program. */
export const offerSentences = {
  'not-reversible': ({ transactionId, claimStatus }) => {
    if (claimStatus === undefined) {
      return 'A reversal cannot be reversed. Move the points again instead.';
    }
    const isPending = claimStatus === 'pending';
    const instead = isPending
      ? `Reject it with POST …/claims/${transactionId}/reject`
      : 'It is final: move its points with PATCH …/tokenBalance';
    return `Transaction ${transactionId} is a claim. ${instead}.`;
  },
  'offer-incomplete': 'Offer "{offerId}" would not be complete: {reason}.',
  'offer-closed': (x) => `Offer "${x.offerId}" ${notOpen(x, (at) => `at ${at}`)}.`,
  'offer-sold-out': 'Offer "{offerId}" has {stockLeft} left: fewer than were asked for.',
  'offer-limit-reached': (x) =>
    `Member ${x.memberId} may claim offer "${x.offerId}" at most ${times(x)}. ` +
    (x.left ? `It can claim ${x.left} more now` : 'It cannot again') +
    (x.nextAt === null ? '.' : `${x.left ? ', and again' : ' before'} ${x.nextAt}.`),
  'offer-requirement': ({ offerId, memberId, requirement }) =>
    `Member ${memberId} lacks what offer "${offerId}" requires: ${JSON.stringify(requirement)}.`,
  'price-changed': ({ offerId, costs }) =>
    `Offer "${offerId}" costs ${JSON.stringify(costs)} now. Ask the member again.`,
  'claim-closed': 'Claim {claimId} is {claimStatus}: only a pending one can change.',
  'offer-drawn': 'Offer "{offerId}" has been drawn: its claims are final.',
  'offer-open': ({ offerId, opensAt, offerStatus }) => {
    if (offerStatus === 'upcoming') {
      return `Offer "${offerId}" only opens at ${opensAt}. Draw it when it has closed.`;
    }
    const state =
      offerStatus === 'soldOut' ? 'is sold out, but not closed' : 'can still be claimed';
    const close = 'Close it before the draw, with PATCH and "closesAt" or "archived".';
    return `Offer "${offerId}" ${state}. ${close}`;
  },
  'draw-outdated':
    'Claims of offer "{offerId}" changed during the draw, so nothing was drawn. Draw again.',
} satisfies Record<string, Sentence>;

/** The same for members. */
export const offerMessages = {
  'not-reversible': ({ claimStatus }) => {
    if (claimStatus === undefined) return 'A reversal is final. Move the points again instead.';
    return claimStatus === 'pending'
      ? 'This is a claim that is pending. Reject it instead.'
      : 'This is a claim, which is final. Move the points back instead.';
  },
  'offer-not-found': 'There is no offer called "{offerId}".',
  'offer-closed': (x) => `${x.offer} ${notOpen(x, inZone(x))}.`,
  'offer-sold-out': ({ offer, stockLeft }) =>
    stockLeft
      ? `Only ${stockLeft} of ${offer} ${stockLeft === 1 ? 'is' : 'are'} left.`
      : `${offer} is sold out.`,
  'offer-limit-reached': beyondLimit,
  'offer-requirement': lacking,
  'price-changed': priceNow,
  'claim-closed': ({ claimStatus }) =>
    claimStatus === 'done' ? 'This claim is done already.' : 'This claim was rejected already.',
  'offer-drawn': 'The winners of {offer} have been drawn.',
} satisfies Record<string, Sentence>;
