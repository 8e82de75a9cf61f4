import { iso } from '../../contract/instants.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Claim } from '../../domain/offer.ts';
import type { PageUpTo } from '../../domain/rules/pages.ts';
import { type Call, execute, type Handler, notFound, query } from '../calls.ts';
import { cursorAfter, pageRequest } from '../cursor.ts';

export const claimBody = (claim: Claim) => ({ ...claim, at: iso(claim.at) });

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
