import { randomBytes } from 'node:crypto';
import { withInstants } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Offer, OfferTerms, OfferView, Tickets } from '../../domain/offer.ts';
import { MAX_DRAWN_CLAIMS, TicketList } from '../../domain/rules/draw.ts';
import { DEFAULT_TERMS, isOver, offerView } from '../../domain/rules/offers.ts';
import { asIs, type Call, execute, type Handler, notFound, pick, query } from '../calls.ts';
import { cursorAfter, pageRequest } from '../cursor.ts';
import { claimBody } from './claims.ts';

const offerBody = (offer: OfferView) => withInstants(offer);

/** The terms that were sent; those of a new offer have a name. */
function termsIn(sent: Call<'updateOffer'>['body']): Partial<OfferTerms> {
  const names = Object.keys(DEFAULT_TERMS) as (keyof typeof DEFAULT_TERMS)[];
  const { opensAt, closesAt, streak, requires, perMember, ...rest } = pick(sent, 'name', ...names);
  const instant = (text: string | null) => text && new Date(text).toISOString();
  return {
    ...rest,
    ...(opensAt !== undefined && { opensAt: instant(opensAt) }),
    ...(closesAt !== undefined && { closesAt: instant(closesAt) }),
    ...(perMember !== undefined && { perMember }),
    ...(requires !== undefined && { requires }),
    ...(streak !== undefined && { streak: streak && { graceDays: 0, ...streak } }),
  };
}

export const createOffer: Handler<'createOffer'> = (call) => {
  const { id: offerId, name } = call.body;
  const terms = { name, ...DEFAULT_TERMS, ...termsIn(call.body) };
  return execute(call, 'offer.create', { offerId, terms }, offerBody);
};

export const updateOffer: Handler<'updateOffer'> = (call) => {
  const changes = termsIn(call.body);
  return execute(call, 'offer.update', { offerId: call.params.offerID, changes }, offerBody);
};

export const listOffers: Handler<'listOffers'> = async (call) => {
  const request = pageRequest(call, ['status'], isParameter('offerID'));
  const { after, limit, filters } = request;
  const now = Date.now();
  const page = { after, limit, status: filters.status ?? null, now };
  const { rows, next } = await query(call, 'offers', page);
  const items = rows.map((offer) => offerBody(offerView(offer, now)));
  return { body: { items, nextCursor: next === null ? null : cursorAfter(request, next) } };
};

const offerOf = async (call: Call<'getOffer' | 'drawOffer'>): Promise<Offer> => {
  const offerId = call.params.offerID;
  return (await query(call, 'offer', { offerId })) ?? notFound('offer-not-found', { offerId });
};

export const getOffer: Handler<'getOffer'> = async (call) => {
  return { body: offerBody(offerView(await offerOf(call), Date.now())) };
};

export const claimOffer: Handler<'claimOffer'> = (call) => {
  const { memberId, quantity = 1, expectedCosts = null, reference, metadata } = call.body;
  const claim = { memberId: String(memberId), quantity, expectedCosts, reference, metadata };
  return execute(call, 'offer.claim', { offerId: call.params.offerID, ...claim }, claimBody);
};

/** Of no state of any offer: the rule refuses it in any case, and says why. */
const NEVER = -1;

/** Whether nothing of it changes meanwhile, the rule decides. */
export const drawOffer: Handler<'drawOffer'> = async (call) => {
  const { winners, seed = randomBytes(16).toString('hex') } = call.body;
  const offer = await offerOf(call);
  // One that is closed only now has tickets that were not read.
  const isDrawable = offer.drawSeq === null && isOver(offer, Date.now());
  const list = isDrawable ? await ticketsOf(call) : new TicketList();
  const asOf = isDrawable ? offer.lastSeq : NEVER;
  const draw = { offerId: offer.id, asOf, drawn: list.draw(winners, seed) };
  return execute(call, 'offer.draw', draw, asIs);
};

const TICKETS_AT_ONCE = 2_000;

/** The claims of an offer, read a little at a time. */
async function ticketsOf(call: Call<'drawOffer'>): Promise<TicketList> {
  const offerId = call.params.offerID;
  const list = new TicketList();
  for (let after = 0; ; ) {
    const page = { offerId, after, limit: TICKETS_AT_ONCE };
    const found: Tickets[] = await query(call, 'tickets', page);
    list.add(found);
    if (list.size > MAX_DRAWN_CLAIMS) {
      const of = 'claims in a draw';
      throw new ProblemError('limit-reached', { limit: MAX_DRAWN_CLAIMS, of });
    }
    const last = found.at(-1);
    if (!last || found.length < TICKETS_AT_ONCE) return list;
    after = last.id;
  }
}
