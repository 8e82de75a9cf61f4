import { randomBytes } from 'node:crypto';
import { iso, withInstants } from '../../contract/instants.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Claim, Offer, OfferTerms, OfferView, Tickets } from '../../domain/offer.ts';
import { MAX_DRAWN_CLAIMS, TicketList } from '../../domain/rules/draw.ts';
import { DEFAULT_TERMS, isOver, offerView } from '../../domain/rules/offers.ts';
import type { PageUpTo } from '../../domain/rules/pages.ts';
import { asIs, type Call, execute, type Handler, notFound, pick, query } from '../calls.ts';
import { cursorAfter, pageRequest } from '../cursor.ts';

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

const claimBody = (claim: Claim) => ({ ...claim, at: iso(claim.at) });

type ListId = 'listClaims' | 'memberClaims';

function listRequest(call: Call<ListId>) {
  const sent: Call<'listClaims'>['query'] = call.query;
  const ofRealm = call.operationId === 'listClaims' ? (['memberId'] as const) : [];
  const isKey = isParameter('claimID');
  const request = pageRequest({ ...call, query: sent }, ['status', 'offerId', ...ofRealm], isKey);
  const { status = null, offerId = null, memberId = null } = request.filters;
  const before = request.after === null ? null : Number(request.after);
  return { request, page: { status, offerId, memberId, before, limit: request.limit } };
}

function listAnswer(
  { request }: ReturnType<typeof listRequest>,
  { rows, next }: PageUpTo<Claim, number>,
) {
  const nextCursor = next === null ? null : cursorAfter(request, String(next));
  return { body: { items: rows.map(claimBody), nextCursor } };
}

export const listClaims: Handler<'listClaims'> = async (call) => {
  const list = listRequest(call);
  return listAnswer(list, await query(call, 'claims', list.page));
};

export const memberClaims: Handler<'memberClaims'> = async (call) => {
  const memberId = call.params.memberID;
  const list = listRequest(call);
  const found =
    (await query(call, 'claimsOf', { ...list.page, memberId })) ??
    notFound('member-not-found', { memberId });
  return listAnswer(list, found);
};

export const getClaim: Handler<'getClaim'> = async (call) => {
  const claimId = Number(call.params.claimID);
  const found = await query(call, 'claim', { claimId });
  return { body: claimBody(found ?? notFound('claim-not-found', { claimId })) };
};

export const deliverClaim: Handler<'deliverClaim'> = (call) =>
  execute(call, 'claim.deliver', { claimId: Number(call.params.claimID) }, claimBody);

export const rejectClaim: Handler<'rejectClaim'> = (call) =>
  execute(call, 'claim.reject', { claimId: Number(call.params.claimID) }, claimBody);
