import { type Extra, type Sentence, who } from './messages.ts';

/** Why an offer cannot be claimed. */
function notOpen({ opensAt, closesAt, offerStatus }: Extra): string {
  if (offerStatus === 'upcoming') return `opens at ${opensAt}`;
  return offerStatus === 'archived' ? 'has ended' : `closed at ${closesAt}`;
}

const times = (count: unknown): string => (count === 1 ? 'once' : `${count} times`);

/** Instants as people read them. */
const readable = (text: string): string =>
  text.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z/g, '$1 $2 UTC');

const amounts = (costs: unknown): string =>
  Object.entries((costs ?? {}) as Record<string, number>)
    .map(([kind, tokens]) => `${tokens} ${kind}`)
    .join(' and ') || 'nothing';

function lacking({ requirement, offer }: Extra): string {
  const { minimumBalance, claimed } = requirement as Record<string, object | undefined>;
  return claimed
    ? `${offer} is for members who have claimed "${claimed}".`
    : `${offer} is for members who have at least ${amounts(minimumBalance)}.`;
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
  'offer-closed': (x) => `Offer "${x.offerId}" ${notOpen(x)}.`,
  'offer-sold-out': 'Offer "{offerId}" has {stockLeft} left: fewer than were asked for.',
  'offer-limit-reached': ({ offerId, memberId, limit, nextAt }) =>
    `Member ${memberId} may claim offer "${offerId}" at most ${times(limit)} in its period. ` +
    (nextAt === null ? 'It cannot again.' : `It can again at ${nextAt}.`),
  'offer-requirement': ({ offerId, memberId, requirement }) =>
    `Member ${memberId} lacks what offer "${offerId}" requires: ${JSON.stringify(requirement)}.`,
  'price-changed': ({ offerId, costs }) =>
    `Offer "${offerId}" costs ${JSON.stringify(costs)} now. Ask the member again.`,
  'claim-closed': 'Claim {claimId} is {claimStatus}: only a pending one can change.',
  'offer-drawn': 'Offer "{offerId}" has been drawn: its claims are final.',
  'offer-open':
    'Offer "{offerId}" can still be claimed. Close it before the draw, with PATCH and ' +
    '"closesAt" or "archived".',
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
  'offer-closed': (x) => readable(`${x.offer} ${notOpen(x)}.`),
  'offer-sold-out': ({ offer, stockLeft }) =>
    stockLeft ? `Only ${stockLeft} of ${offer} are left.` : `${offer} is sold out.`,
  'offer-limit-reached': (x) =>
    x.nextAt === null
      ? `${who(x)} can claim ${x.offer} only ${times(x.limit)}.`
      : readable(`${who(x)} can claim ${x.offer} again at ${x.nextAt}.`),
  'offer-requirement': lacking,
  'price-changed': ({ offer, costs }) => `${offer} costs ${amounts(costs)} now.`,
  'claim-closed': 'This claim is {claimStatus} already.',
  'offer-drawn': 'The winners of {offer} have been drawn.',
} satisfies Record<string, Sentence>;
