import { isProblem, type OperationId, type Operations } from '@realmkeep/client';

/** The operations within a realm: those that commands may call. */
type RealmOperation = {
  [Op in OperationId]: Operations[Op] extends { path: { realmID: string } } ? Op : never;
}[OperationId];

/** A call of the service, as data. The realm is added by who carries it out. */
export interface Call {
  operation: RealmOperation;
  path: object;
  fields: object;
}

export interface Once {
  idempotencyKey: string;
  onBehalfOf: string;
}

/** Calls towards a result, each resumed with its answer or failure: without clock or network. */
export type Steps<T> = Generator<Call, T, unknown>;

export function* ask<Op extends RealmOperation>(
  operation: Op,
  path: Omit<Operations[Op]['path'], 'realmID'>,
  fields: Operations[Op]['fields'] & Partial<Once>,
): Steps<Operations[Op]['answer']> {
  return (yield { operation, path, fields }) as Operations[Op]['answer'];
}

export async function carryOut<T>(
  steps: Steps<T>,
  send: (call: Call) => Promise<unknown>,
): Promise<T> {
  let step = steps.next();
  while (!step.done)
    step = await send(step.value).then(steps.next.bind(steps), steps.throw.bind(steps));
  return step.value;
}

/** A sentence for the caller alone: nothing was changed. */
export class Refusal extends Error {}

/** The service did not answer: whether a write took effect may be unknown. */
export const isAway = (error: unknown): boolean =>
  isProblem(error) && (error.status === 0 || [408, 429, 502, 503, 504].includes(error.status));
