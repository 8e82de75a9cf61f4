import { iso } from '../../contract/instants.ts';
import { DEFAULT_HOLD_SECONDS } from '../../contract/operations/holds.ts';
import { kindFields, newKindOf } from '../../contract/operations/kinds.ts';
import { isParameter } from '../../contract/validation.ts';
import type { Details, PointsChange } from '../../domain/commands.ts';
import type { Hold } from '../../domain/model.ts';
import { holdStatus } from '../../domain/rules/holds.ts';
import type { Page } from '../../domain/rules/pages.ts';
import {
  asIs,
  type Call,
  execute,
  type Handler,
  kindIn,
  notFound,
  pick,
  query,
  resultsOf,
} from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';

export const changePoints: Handler<'changePoints'> = (call) => {
  const change = { memberId: call.params.memberID, ...changeIn(call.body) };
  return execute(call, 'points.change', change, asIs);
};

interface ChangeIn extends Pick<PointsChange, 'tokens' | 'username' | 'upTo' | keyof Details> {
  description?: string;
  realmPointId?: string | null;
}

function changeIn(sent: ChangeIn, shared: string | null = null) {
  const { tokens, description = shared, reference, metadata, upTo, username } = sent;
  return { tokens, description, realmPointId: kindIn(sent), reference, metadata, upTo, username };
}

export const transferPoints: Handler<'transferPoints'> = (call) => {
  const transfer = {
    memberId: call.params.memberID,
    recipientId: String(call.body.recipientId),
    ...changeIn(call.body),
    username: call.body.recipientUsername,
  };
  return execute(call, 'points.transfer', transfer, (transferred) => ({
    message: 'Ok',
    ...transferred,
  }));
};

export const changeManyPoints: Handler<'changeManyPoints'> = async (call) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map(({ memberId, recipientId, ...entry }) => ({
    memberId: String(memberId),
    ...(recipientId !== undefined && { recipientId: String(recipientId) }),
    ...changeIn(entry, shared),
  }));
  const batch = { atomic, entries };
  const { body, ...answer } = await execute(call, 'points.batch', batch, asIs);
  return { ...answer, body: { message: 'Ok', results: resultsOf(body) } };
};

export const listKinds: Handler<'listKinds'> = async (call) => {
  const kinds = await query(call, 'kinds', {});
  return { body: { items: kinds, nextCursor: null } };
};

export const createKind: Handler<'createKind'> = async (call) => {
  const kind = newKindOf(call.body);
  const answer = await execute(call, 'kind.create', { kind }, asIs);
  await call.services.enrolments.finished(call.params.realmID);
  return answer;
};

export const updateKind: Handler<'updateKind'> = (call) => {
  const changes = pick(call.body, ...kindFields, 'archived');
  const { realmPointId } = call.params;
  return execute(call, 'kind.update', { realmPointId, changes }, asIs);
};

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
