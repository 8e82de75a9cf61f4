import { iso } from '../../contract/instants.ts';
import { DEFAULT_HOLD_SECONDS } from '../../contract/operations/holds.ts';
import type { Hold } from '../../domain/model.ts';
import { holdStatus } from '../../domain/rules/holds.ts';
import { execute, type Handler, notFound, query } from '../calls.ts';

export const createHold: Handler<'createHold'> = (call, services) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const { expiresInSeconds = DEFAULT_HOLD_SECONDS } = call.body;
  const memberId = call.params.memberID;
  const hold = { memberId, tokens, description, realmPointId, expiresInSeconds };
  return execute(call, services, 'hold.create', hold, holdBody);
};

export const getHold: Handler<'getHold'> = async (call, services) => {
  const holdId = Number(call.params.holdID);
  const hold =
    (await query(call, services, 'hold', { realmId: call.params.realmID, holdId })) ??
    (await notFound(call, services, 'hold-not-found', { holdId }));
  return { body: holdBody({ ...hold, status: holdStatus(hold, Date.now()) }) };
};

export const captureHold: Handler<'captureHold'> = (call, services) => {
  const { tokens = null, recipientId: recipient } = call.body ?? {};
  const holdId = Number(call.params.holdID);
  const recipientId = recipient === undefined ? null : String(recipient);
  const capture = { holdId, tokens, recipientId };
  return execute(call, services, 'hold.capture', capture, (captured) => ({
    ...captured,
    hold: holdBody(captured.hold),
  }));
};

export const releaseHold: Handler<'releaseHold'> = (call, services) =>
  execute(call, services, 'hold.release', { holdId: Number(call.params.holdID) }, holdBody);

const holdBody = (hold: Hold) => ({
  ...hold,
  holdId: hold.id,
  remaining: hold.status === 'open' ? hold.tokens - hold.captured : 0,
  createdAt: iso(hold.createdAt),
  expiresAt: iso(hold.expiresAt),
});
