import type { Details, PointsChange } from '../../domain/commands.ts';
import { asIs, execute, type Handler, kindIn, resultsOf } from '../calls.ts';

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
