import { asIs, execute, type Handler, kindIn, resultsOf } from '../calls.ts';

export const changePoints: Handler<'changePoints'> = (call) => {
  const { tokens, description = null, username } = call.body;
  const realmPointId = kindIn(call.body);
  const change = { memberId: call.params.memberID, tokens, description, realmPointId, username };
  return execute(call, 'points.change', change, asIs);
};

export const transferPoints: Handler<'transferPoints'> = (call) => {
  const { tokens, description = null } = call.body;
  const transfer = {
    memberId: call.params.memberID,
    recipientId: String(call.body.recipientId),
    tokens,
    description,
    realmPointId: kindIn(call.body),
    username: call.body.recipientUsername,
  };
  return execute(call, 'points.transfer', transfer, (transferred) => ({
    message: 'Ok',
    ...transferred,
  }));
};

export const changeManyPoints: Handler<'changeManyPoints'> = async (call) => {
  const { atomic = true, description: shared = null } = call.body;
  const entries = call.body.entries.map((entry) => ({
    memberId: String(entry.memberId),
    tokens: entry.tokens,
    description: entry.description ?? shared,
    realmPointId: kindIn(entry),
    username: entry.username,
  }));
  const batch = { atomic, entries };
  const { body, ...answer } = await execute(call, 'points.batch', batch, asIs);
  return { ...answer, body: { message: 'Ok', results: resultsOf(body) } };
};
