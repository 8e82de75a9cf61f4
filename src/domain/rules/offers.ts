import type { CommandOf } from '../commands.ts';
import type {
  ClaimStatus,
  Drawn,
  Offer,
  OfferStatus,
  OfferTerms,
  OfferView,
  Period,
} from '../offer.ts';
import { present, Refused } from '../refusal.ts';
import { type Books, changedFields } from './books.ts';

export const PERIODS: readonly Period[] = ['ever', 'day', 'week', 'month'];
export const CLAIM_STATUSES: readonly ClaimStatus[] = ['pending', 'done', 'rejected'];
/** What an offer is at an instant: the first of these that fits. */
export const OFFER_STATUSES: readonly OfferStatus[] = [
  'archived',
  'upcoming',
  'closed',
  'soldOut',
  'open',
];

export const DEFAULT_TERMS: Omit<OfferTerms, 'name'> = {
  description: null,
  emoji: null,
  gives: {},
  costs: {},
  perMember: null,
  stock: null,
  opensAt: null,
  closesAt: null,
  requires: null,
  delivery: 'none',
  streak: null,
  isListed: true,
  metadata: {},
  archived: false,
};

export function createOffer(books: Books, command: CommandOf<'offer.create'>): OfferView {
  const { offerId, terms } = command;
  const { now } = books;
  if (books.offers.get(offerId)) throw new Refused('offer-exists', { offerId });
  const created = { id: offerId, terms, claimed: 0, lastSeq: 0, drawSeq: null };
  const offer: Offer = { ...created, createdAt: now, updatedAt: now };
  checkTerms(books, offer, terms);
  books.offers.set(offerId, offer);
  books.record('offer.created', { id: offerId, ...terms });
  return offerView(offer, now);
}

export function updateOffer(books: Books, command: CommandOf<'offer.update'>): OfferView {
  const { offerId, changes } = command;
  const before = presentOffer(books, offerId);
  const terms = { ...before.terms, ...changes };
  const changed = changedFields(before.terms, terms);
  if (Object.keys(changed).length === 0) return offerView(before, books.now);
  const offer = { ...before, terms, updatedAt: books.now };
  checkTerms(books, offer, changed);
  books.offers.set(offerId, offer);
  books.record('offer.updated', { id: offerId, ...changed });
  return offerView(offer, books.now);
}

/** Records a draw, if the claims are still those that it was made of. */
export function drawOffer(books: Books, command: CommandOf<'offer.draw'>): Drawn {
  const { offerId, asOf, drawn } = command;
  const offer = presentOffer(books, offerId);
  if (offer.drawSeq !== null) throw new Refused('offer-drawn', aboutOffer(offer));
  if (!isOver(offer, books.now)) {
    const state = { opensAt: offer.terms.opensAt, offerStatus: offerStatus(offer, books.now) };
    throw new Refused('offer-open', { ...aboutOffer(offer), ...state });
  }
  if (asOf !== offer.lastSeq) throw new Refused('draw-outdated', aboutOffer(offer));
  const drawSeq = books.record('offer.drawn', { offerId, ...drawn });
  books.offers.set(offerId, { ...offer, drawSeq });
  return drawn;
}

export const presentOffer = (books: Books, offerId: string): Offer =>
  present(books.offers.get(offerId), 'offer-not-found', { offerId });

/** Which offer a refusal is about; the name only for its message to people. */
export const aboutOffer = ({ id, terms }: Offer) => ({ offerId: id, offer: terms.name });

export function offerStatus({ terms, claimed, drawSeq }: Offer, now: number): OfferStatus {
  const { archived, opensAt, closesAt, stock } = terms;
  if (archived) return 'archived';
  // For good, whatever its terms become.
  if (drawSeq !== null) return 'closed';
  if (opensAt !== null && now < Date.parse(opensAt)) return 'upcoming';
  if (closesAt !== null && now >= Date.parse(closesAt)) return 'closed';
  return stock !== null && claimed >= stock ? 'soldOut' : 'open';
}

/** Whether it is closed for good, unless its terms change. */
export const isOver = (offer: Offer, now: number): boolean =>
  ['closed', 'archived'].includes(offerStatus(offer, now));

/** None are left as well if the stock was lowered below what had been claimed. */
export const stockLeft = ({ terms: { stock }, claimed }: Offer): number | null =>
  stock === null ? null : Math.max(0, stock - claimed);

export function offerView(offer: Offer, now: number): OfferView {
  const { id, terms, claimed, drawSeq, createdAt, updatedAt } = offer;
  const counts = { claimed, stockLeft: stockLeft(offer), drawSeq };
  return { id, ...terms, status: offerStatus(offer, now), ...counts, createdAt, updatedAt };
}

const hasAny = (amounts: unknown): boolean =>
  amounts instanceof Object && Object.keys(amounts).length > 0;

/** What is wrong with terms as a whole. Each by itself may still be of any type here. */
export function termsFaults(terms: { [Name in keyof OfferTerms]?: unknown }) {
  const { gives, costs, delivery, perMember, streak, opensAt, closesAt } = terms;
  const faults: { field: keyof OfferTerms; fault: string }[] = [];
  if (!hasAny(gives) && !hasAny(costs) && delivery !== 'manual') {
    const fault = 'must be there, unless there is "costs" or "delivery": "manual"';
    faults.push({ field: 'gives', fault });
  }
  if (hasAny(streak)) {
    const isDaily = (perMember as OfferTerms['perMember'] | undefined)?.period === 'day';
    const fault = 'must be absent unless "perMember" has the period "day" and "gives" has points';
    if (!isDaily || !hasAny(gives)) faults.push({ field: 'streak', fault });
  }
  if (Date.parse(String(closesAt)) <= Date.parse(String(opensAt))) {
    faults.push({ field: 'closesAt', fault: 'must be after "opensAt"' });
  }
  return faults;
}

/** What an offer refers to stays, so only that of the changed terms is looked up. */
function checkTerms(books: Books, { id: offerId, terms }: Offer, changed: Partial<OfferTerms>) {
  const [first] = termsFaults(terms);
  if (first) {
    const reason = `"${first.field}" ${first.fault}`;
    throw new Refused('offer-incomplete', { offerId, reason }, `/${first.field}`);
  }
  const { gives = {}, costs = {}, requires } = changed;
  for (const amounts of [gives, costs, requires?.minimumBalance ?? {}]) {
    for (const realmPointId of Object.keys(amounts)) books.kind(realmPointId);
  }
  if (requires?.claimed !== undefined) presentOffer(books, requires.claimed);
}
