import { ProblemError } from '../../contract/problems.ts';
import { memberIdText } from '../../contract/schemas.ts';
import type { Hold } from '../../domain/model.ts';
import { holdStatus } from '../../domain/rules/holds.ts';
import { carryOut, envelope, type Handler, iso, requireRealm } from '../calls.ts';

const DEFAULT_SECONDS = 3600;

export const createHold: Handler<'createHold'> = async (call, { ledger }) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'hold.create',
    memberId: call.params.memberID,
    tokens,
    description,
    realmPointId,
    expiresInSeconds: call.body.expiresInSeconds ?? DEFAULT_SECONDS,
  });
  return { body: holdBody(answer), replayed };
};

export const getHold: Handler<'getHold'> = async (call, services) => {
  const holdId = Number(call.params.holdID);
  const hold = await services.ledger.query('hold', { realmId: call.params.realmID, holdId });
  if (!hold) {
    await requireRealm(call, services);
    throw new ProblemError('hold-not-found', { holdId });
  }
  return { body: holdBody({ ...hold, status: holdStatus(hold, Date.now()) }) };
};

export const captureHold: Handler<'captureHold'> = async (call, { ledger }) => {
  const { tokens = null, recipientId } = call.body ?? {};
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'hold.capture',
    holdId: Number(call.params.holdID),
    tokens,
    recipientId: recipientId === undefined ? null : memberIdText(recipientId),
  });
  return { body: { ...answer, hold: holdBody(answer.hold) }, replayed };
};

export const releaseHold: Handler<'releaseHold'> = async (call, { ledger }) => {
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'hold.release',
    holdId: Number(call.params.holdID),
  });
  return { body: holdBody(answer), replayed };
};

function holdBody({ id, createdAt, expiresAt, ...hold }: Hold) {
  return {
    holdId: id,
    ...hold,
    remaining: hold.status === 'open' ? hold.tokens - hold.captured : 0,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
  };
}
