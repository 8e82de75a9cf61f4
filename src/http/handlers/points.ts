import { problemBody } from '../../contract/problems.ts';
import type { BatchEntryOutcome } from '../../domain/commands.ts';
import { asIs, execute, type Handler, problemOf } from '../calls.ts';

export const changePoints: Handler<'changePoints'> = (call, services) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const change = { memberId: call.params.memberID, tokens, description, realmPointId };
  return execute(call, services, 'points.change', change, asIs);
};

export const transferPoints: Handler<'transferPoints'> = (call, services) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const recipientId = String(call.body.recipientId);
  const transfer = {
    memberId: call.params.memberID,
    recipientId,
    tokens,
    description,
    realmPointId,
  };
  return execute(call, services, 'points.transfer', transfer, (transferred) => ({
    message: 'Ok',
    ...transferred,
  }));
};

export const changeManyPoints: Handler<'changeManyPoints'> = (call, services) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map(
    ({ memberId, tokens, description = shared, realmPointId = null }) => ({
      memberId: String(memberId),
      tokens,
      description,
      realmPointId,
    }),
  );
  return execute(call, services, 'points.batch', { atomic, entries }, (outcomes) => ({
    message: 'Ok',
    results: outcomes.map(resultOf),
  }));
};

function resultOf(outcome: BatchEntryOutcome) {
  if (!('refusal' in outcome)) return outcome;
  const { code, extra } = problemOf(outcome.refusal);
  // The answer as a whole has the request id; in an entry it would make replays differ.
  const { requestId: _, ...problem } = problemBody(code, extra, '');
  return { memberId: outcome.memberId, problem };
}
