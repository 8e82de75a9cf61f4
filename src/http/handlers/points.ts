import { asIs, entryResult, execute, type Handler } from '../calls.ts';

export const changePoints: Handler<'changePoints'> = (call, services) => {
  const { tokens, description = null, realmPointId = null, username } = call.body;
  const change = { memberId: call.params.memberID, tokens, description, realmPointId, username };
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
    username: call.body.recipientUsername,
  };
  return execute(call, services, 'points.transfer', transfer, (transferred) => ({
    message: 'Ok',
    ...transferred,
  }));
};

export const changeManyPoints: Handler<'changeManyPoints'> = (call, services) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map(
    ({ memberId, tokens, description = shared, realmPointId = null, username }) => ({
      memberId: String(memberId),
      tokens,
      description,
      realmPointId,
      username,
    }),
  );
  return execute(call, services, 'points.batch', { atomic, entries }, (outcomes) => ({
    message: 'Ok',
    results: outcomes.map(entryResult),
  }));
};
