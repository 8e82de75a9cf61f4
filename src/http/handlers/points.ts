import { problemBody } from '../../contract/problems.ts';
import { memberIdText } from '../../contract/schemas.ts';
import type { BatchEntryOutcome, PointsTransferred } from '../../domain/commands.ts';
import { asIs, execute, type Handler, problemOf } from '../calls.ts';

export const changePoints: Handler<'changePoints'> = (call, services) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const memberId = call.params.memberID;
  const command = { type: 'points.change' as const, memberId, tokens, description, realmPointId };
  return execute(call, services, command, asIs);
};

export const transferPoints: Handler<'transferPoints'> = (call, services) => {
  const { tokens, description = null, realmPointId = null } = call.body;
  const command = {
    type: 'points.transfer' as const,
    memberId: call.params.memberID,
    recipientId: memberIdText(call.body.recipientId),
    tokens,
    description,
    realmPointId,
  };
  return execute(call, services, command, transferBody);
};

const transferBody = (transferred: PointsTransferred) => ({ message: 'Ok', ...transferred });

export const changeManyPoints: Handler<'changeManyPoints'> = (call, services) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map(
    ({ memberId, tokens, description = shared, realmPointId = null }) => ({
      memberId: memberIdText(memberId),
      tokens,
      description,
      realmPointId,
    }),
  );
  return execute(call, services, { type: 'points.batch', atomic, entries }, batchBody);
};

const batchBody = (outcomes: BatchEntryOutcome[]) => ({
  message: 'Ok',
  results: outcomes.map(resultOf),
});

function resultOf(outcome: BatchEntryOutcome) {
  if (!('refusal' in outcome)) return outcome;
  const { code, extra } = problemOf(outcome.refusal);
  // The answer as a whole has the request id; in an entry it would make replays differ.
  const { requestId: _, ...problem } = problemBody(code, extra, '');
  return { memberId: outcome.memberId, problem };
}
