import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, takesIdempotencyKey } from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import { type BodyFaults, pathParameterNames, requestCheck } from '../contract/validation.ts';
import { bodyFaultsOf } from './body-faults.ts';
import type { Call, Handler } from './calls.ts';
import { handlers } from './handlers/index.ts';
import { type Principal, presentedKey } from './key-ring.ts';
import type { MethodGuard } from './methods.ts';
import { countAnswer, type OperationCounters } from './request-counters.ts';
import type { Services } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** A route without a body ignores whatever is sent. */
    takesBody: boolean;
  }
}

export interface BodyLimits {
  bodyLimit: number;
  largeBodyLimit: number;
}

/**
 * Adds a route for every operation of the table. Checks run in the order that the contract
 * promises: path and method (the router), 401 and 403 (onRequest), 400 (the parser, then the
 * request check), and last the refusals of the domain.
 */
export function addOperations(
  app: FastifyInstance,
  guard: MethodGuard,
  services: Services,
  limits: BodyLimits,
): void {
  app.decorateRequest('principal', null);
  app.decorateRequest('takesBody', false);
  const bodyFaults = bodyFaultsOf(services);
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const { answer } = operation;
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // A GET that reads a body has no HEAD counterpart.
      exposeHeadRoute: operation.method === 'GET' && operation.body === undefined,
      bodyLimit: operation.large ? limits.largeBodyLimit : limits.bodyLimit,
      schema: answer.schema ? { response: { [answer.status]: answer.schema } } : {},
      onRequest: admission(operation, guard, app.requestCounters.of(id), services),
      handler: answerWith(id, operation, services, bodyFaults[id]),
    });
  }
}

/** Everything that precedes the body, in one hook: each further hook costs time. */
function admission(
  operation: Operation,
  guard: MethodGuard,
  counters: OperationCounters,
  { keyRing }: Services,
) {
  const names = pathParameterNames(operation.path);
  const takesBody = operation.body !== undefined;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const params = request.params as Record<string, string>;
    for (const name of names) {
      // The router matches empty parameters, but no path of ours has an empty segment.
      if (params[name] === '') return void guard.refuse(request, reply);
    }
    request.takesBody = takesBody;
    request.counters = counters;
    const admit = (principal: Principal): void => {
      authorise(operation, principal, params.realmID);
      request.principal = principal;
    };
    try {
      const principal = keyRing.identify(presentedKey(request.raw));
      if (principal instanceof Promise) {
        principal.then(admit).then(() => done(), done);
        return;
      }
      admit(principal);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** A key of another realm is rejected before its scopes are looked at. */
function authorise({ scope }: Operation, principal: Principal, realmId: string | undefined): void {
  if (principal.realmId !== null && realmId !== undefined && realmId !== principal.realmId) {
    throw new ProblemError('forbidden');
  }
  if (!principal.scopes.has(scope)) {
    throw new ProblemError('insufficient-scope', { required: scope });
  }
}

function answerWith(
  id: OperationId,
  operation: Operation,
  services: Services,
  bodyFaults?: BodyFaults,
) {
  const check = requestCheck(operation, bodyFaults);
  const handle = handlers[id] as Handler<OperationId>;
  const { status } = operation.answer;
  const isRetryable = takesIdempotencyKey(operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    check(request);
    const call = {
      operationId: id,
      params: request.params,
      query: request.query,
      body: request.body,
      principal: request.principal,
      caller: request.raw.socket,
      idempotencyKey: isRetryable ? request.headers['idempotency-key'] : undefined,
    } as Call<OperationId>;
    const { body, replayed } = await handle(call, services);
    if (replayed) reply.header('idempotent-replayed', 'true');
    if (services.status.isStopping) reply.header('connection', 'close');
    reply.code(status);
    countAnswer(request, status);
    return body === null ? reply.send() : reply.send(body);
  };
}
