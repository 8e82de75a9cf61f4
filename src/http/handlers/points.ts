import { problemBody } from '../../contract/problems.ts';
import { memberIdText } from '../../contract/schemas.ts';
import type { BatchEntryOutcome } from '../../domain/commands.ts';
import { carryOut, envelope, type Handler, problemOf } from '../calls.ts';

export const changePoints: Handler<'changePoints'> = async (call, { ledger }) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'points.change',
    memberId: call.params.memberID,
    tokens,
    description,
    realmPointId,
  });
  return { body: answer, replayed };
};

export const transferPoints: Handler<'transferPoints'> = async (call, { ledger }) => {
  const { recipientId, tokens, description = null, realmPointId = null } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'points.transfer',
    memberId: call.params.memberID,
    recipientId: memberIdText(recipientId),
    tokens,
    description,
    realmPointId,
  });
  return { body: { message: 'Ok', ...answer }, replayed };
};

export const changeManyPoints: Handler<'changeManyPoints'> = async (call, { ledger }) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map(
    ({ memberId, tokens, description = shared, realmPointId = null }) => ({
      memberId: memberIdText(memberId),
      tokens,
      description,
      realmPointId,
    }),
  );
  const command = { ...envelope(call), type: 'points.batch' as const, atomic, entries };
  const { answer, replayed } = await carryOut(ledger, command);
  return { body: { message: 'Ok', results: answer.map(resultOf) }, replayed };
};

function resultOf(outcome: BatchEntryOutcome) {
  if (!('refusal' in outcome)) return outcome;
  const { code, extra } = problemOf(outcome.refusal);
  // The request's id is on the answer as a whole; here it would only make replays differ.
  const { requestId: _, ...problem } = problemBody(code, extra, '');
  return { memberId: outcome.memberId, problem };
}
