import { iso } from '../../contract/instants.ts';
import { DEFAULT_HOLD_SECONDS } from '../../contract/operations/holds.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Hold } from '../../domain/model.ts';
import { holdStatus } from '../../domain/rules/holds.ts';
import type { Page } from '../../domain/rules/pages.ts';
import { type Call, execute, type Handler, kindIn, notFound, query } from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';

export const createHold: Handler<'createHold'> = (call) => {
  const { tokens, description = null, expiresInSeconds = DEFAULT_HOLD_SECONDS } = call.body;
  const { reference, metadata } = call.body;
  const memberId = call.params.memberID;
  const said = { description, reference, metadata };
  const hold = { memberId, tokens, ...said, realmPointId: kindIn(call.body), expiresInSeconds };
  return execute(call, 'hold.create', hold, holdBody);
};

export const getHold: Handler<'getHold'> = async (call) => {
  const holdId = Number(call.params.holdID);
  const hold = (await query(call, 'hold', { holdId })) ?? notFound('hold-not-found', { holdId });
  return { body: holdBody({ ...hold, status: holdStatus(hold, Date.now()) }) };
};

type ListId = 'memberHolds' | 'listHolds';

function listRequest(call: Call<ListId>) {
  const request = pageRequest(call, ['status'], isParameter('holdID'));
  const { after, limit, filters } = request;
  const page = {
    status: filters.status ?? null,
    before: after === null ? null : Number(after),
    limit,
    now: Date.now(),
  };
  return { request, page };
}

const listAnswer = (
  { request, page: { now } }: ReturnType<typeof listRequest>,
  found: Page<Hold>,
) => ({
  body: listBody(
    found,
    request,
    ({ id }) => String(id),
    (hold) => holdBody({ ...hold, status: holdStatus(hold, now) }),
  ),
});

export const memberHolds: Handler<'memberHolds'> = async (call) => {
  const memberId = call.params.memberID;
  const list = listRequest(call);
  const found =
    (await query(call, 'holdsOf', { ...list.page, memberId })) ??
    notFound('member-not-found', { memberId });
  return listAnswer(list, found);
};

export const listHolds: Handler<'listHolds'> = async (call) => {
  const list = listRequest(call);
  const found = await query(call, 'holds', list.page);
  return listAnswer(list, found);
};

export const captureHold: Handler<'captureHold'> = (call) => {
  const { tokens = null, recipientId: recipient, reference, metadata } = call.body ?? {};
  const holdId = Number(call.params.holdID);
  const recipientId = recipient === undefined ? null : String(recipient);
  const capture = { holdId, tokens, recipientId, reference, metadata };
  return execute(call, 'hold.capture', capture, (captured) => ({
    ...captured,
    hold: holdBody(captured.hold),
  }));
};

export const releaseHold: Handler<'releaseHold'> = (call) =>
  execute(call, 'hold.release', { holdId: Number(call.params.holdID) }, holdBody);

const holdBody = ({ reference, metadata, ...hold }: Hold) => ({
  ...hold,
  ...(reference !== null && { reference }),
  ...(metadata !== null && { metadata: JSON.parse(metadata) }),
  holdId: hold.id,
  remaining: hold.status === 'open' ? hold.tokens - hold.captured : 0,
  createdAt: iso(hold.createdAt),
  expiresAt: iso(hold.expiresAt),
});
