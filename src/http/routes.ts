import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_FIELDS, type Shape, shapeOf } from '../contract/body-shape.ts';
import { IGNORED_HEADER, IgnoredFields } from '../contract/ignored-fields.ts';
import { readJson } from '../contract/json.ts';
import { isWrite, type Operation, takesIdempotencyKey } from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import {
  type BodyFaults,
  type EntryFaults,
  pathParameterNames,
  requestCheck,
} from '../contract/validation.ts';
import { bodyFaultsOf, entryFaultsOf } from './body-faults.ts';
import type { Call, Handler } from './calls.ts';
import type { Connections } from './connections.ts';
import { handlers } from './handlers/index.ts';
import { ANONYMOUS, type Principal, presentedKey } from './key-ring.ts';
import { LARGE_BODY, LargeBodies, type LargeBody } from './large-bodies.ts';
import { fingerprintInSlices } from './large-fingerprint.ts';
import type { Load } from './load.ts';
import { JSON_TYPE, longListOf, sendList } from './long-answers.ts';
import type { MethodGuard } from './methods.ts';
import { RateLimited } from './rate-limits.ts';
import { countAnswer, type OperationCounters } from './request-counters.ts';
import { serialiser } from './serialisers.ts';
import type { Services } from './services.ts';
import { orStream } from './streaming.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** What the route reads of a body; null if it takes none, and leaves its bytes as they are. */
    bodyShape: Shape | null;
    /** Null for nearly all requests. */
    largeBody: LargeBody | null;
  }
}

export interface BodyLimits {
  bodyLimit: number;
  largeBodyLimit: number;
}

/** Of a caller that has no key, no more is read. */
export const ANONYMOUS_BODY_LIMIT = 1_024;

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
  load: Load,
  connections: Connections,
): void {
  app.decorateRequest('principal', null);
  app.decorateRequest('bodyShape', null);
  app.decorateRequest('largeBody', null);
  const bodyFaults = bodyFaultsOf(services);
  const entryFaults = entryFaultsOf(services);
  const largeBodies = new LargeBodies(Math.max(limits.bodyLimit, limits.largeBodyLimit));
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const bodyLimit = bodyLimitOf(operation, limits);
    const counters = app.requestCounters.of(id);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // A GET that reads a body has no HEAD counterpart.
      exposeHeadRoute: operation.method === 'GET' && operation.body === undefined,
      bodyLimit,
      onRequest: admission(
        operation,
        bodyLimit,
        guard,
        counters,
        largeBodies,
        connections,
        services,
      ),
      handler: orStream(
        operation,
        services,
        load,
        answerWith(id, operation, services, load, bodyFaults[id], entryFaults[id]),
      ),
    });
  }
}

function bodyLimitOf({ large, keyOptional }: Operation, limits: BodyLimits): number {
  if (keyOptional) return ANONYMOUS_BODY_LIMIT;
  return large ? limits.largeBodyLimit : limits.bodyLimit;
}

/** Everything that precedes the body, in one hook: each further hook costs time. */
function admission(
  operation: Operation,
  bodyLimit: number,
  guard: MethodGuard,
  counters: OperationCounters,
  largeBodies: LargeBodies,
  connections: Connections,
  { keyRing, sessions }: Services,
) {
  // The header counts, whatever cookie comes with it.
  const identify = (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request;
    if (raw.headers.authorization !== undefined) return keyRing.identify(presentedKey(raw), raw);
    if (!operation.keyOptional) return sessions.identify(raw, reply);
    sessions.checkCodes(raw);
    return ANONYMOUS;
  };
  // One answer identifies all who wait with the same key: they do not go on all at once.
  const inTurn = async (identity: Promise<Principal>, { headers }: IncomingMessage) => {
    const principal = await identity;
    await connections.turn(headers.authorization ?? '');
    return principal;
  };
  const names = pathParameterNames(operation.path);
  const bodyShape = operation.body ? shapeOf(operation.body.schema) : null;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const params = request.params as Record<string, string>;
    for (const name of names) {
      // The router matches empty parameters, but no path of ours has an empty segment.
      if (params[name] === '') return void guard.refuse(request, reply);
    }
    request.bodyShape = bodyShape;
    request.counters = counters;
    const admit = (principal: Principal): Promise<void> | null => {
      // First, so that the log says who was refused.
      request.principal = principal;
      principal.limit?.count(request.startedAt, reply);
      authorise(operation, principal, params.realmID);
      const bytes = largeBytes(request.raw.headers, bodyLimit);
      return bytes === 0 ? null : largeBodies.admit(params.realmID ?? '', bytes, request, reply);
    };
    try {
      const principal = identify(request, reply);
      const admitted =
        principal instanceof Promise
          ? inTurn(principal, request.raw).then(admit)
          : admit(principal);
      if (!admitted) done();
      else {
        admitted.then(
          () => done(),
          (error) => refuse(error, done),
        );
      }
    } catch (error) {
      refuse(error as Error, done);
    }
  };
}

const refuse = (error: Error, done: (error: Error) => void): void =>
  error instanceof RateLimited ? error.send(done) : done(error);

/** The bytes that a large body has, by its length or at most; 0 if it is not large. */
function largeBytes(headers: IncomingHttpHeaders, limit: number): number {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 0 : limit;
  const bytes = Number(length);
  // A body beyond the limit is refused without being read.
  return bytes >= LARGE_BODY && bytes <= limit ? bytes : 0;
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
  load: Load,
  bodyFaults?: BodyFaults,
  entryFaults?: EntryFaults,
) {
  const { check, checkInSlices } = requestCheck(operation, bodyFaults, entryFaults);
  const handle = handlers[id] as Handler<OperationId>;
  const { status: usual, schema } = operation.answer;
  const list = longListOf(schema);
  let serialise: ((body: object) => string) | undefined;
  const isRetryable = takesIdempotencyKey(operation);
  const isRead = operation.scope === 'read';
  const takesBody = operation.body !== undefined;
  const reportsIgnored = isWrite(operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = request.principal as Principal;
    const share = load.enter(principal.realmId);
    try {
      const { largeBody } = request;
      if (reportsIgnored) addIgnored(request, reply);
      if (largeBody === null) check(request);
      else await largeBody.run(checkInSlices(request));
      const call = {
        operationId: id,
        params: request.params,
        query: request.query,
        body: takesBody ? request.body : undefined,
        principal,
        raw: request.raw,
        caller: request.raw.socket,
        idempotencyKey: isRetryable ? request.headers['idempotency-key'] : undefined,
        trace: request.span?.traceparent,
        fingerprint: undefined,
        largeBody,
      } as Call<OperationId>;
      if (isRetryable && largeBody?.source) {
        call.fingerprint = await largeBody.run(fingerprintInSlices(call, largeBody.source));
        largeBody.source = null;
      }
      const { body, replayed, location, isNew, cookie } = await handle(call, services);
      const status = isNew ? 201 : usual;
      // Unread answers may have piled up meanwhile. The answer to a write is sent regardless.
      if (isRead) load.checkUnsent(share);
      if (replayed) reply.header('idempotent-replayed', 'true');
      if (location) reply.header('location', location);
      if (cookie) reply.header('set-cookie', cookie);
      if (services.status.isStopping) reply.header('connection', 'close');
      reply.code(status);
      countAnswer(request, status);
      if (body === null || schema === null) reply.send();
      else if (list !== null) {
        await sendList(reply, list, body, principal.realmId ?? '', call.caller);
      } else {
        serialise ??= serialiser(reply, schema);
        reply.type(JSON_TYPE).send(serialise(body));
      }
      load.countUnsent(share, reply.raw);
      return reply;
    } finally {
      load.leave(share);
    }
  };
}

/** Names unknown fields, so that a mistyped one is noticed. */
function addIgnored({ body, bodyShape, largeBody }: FastifyRequest, reply: FastifyReply): void {
  if (body === undefined) return;
  const ignored = largeBody ? largeBody.ignored : new IgnoredFields();
  if (!largeBody) ignored?.addFrom(bodyShape ? body : jsonIn(body), bodyShape ?? NO_FIELDS);
  const names = ignored?.header;
  if (names) reply.header(IGNORED_HEADER, names);
}

/** What an operation without a body was sent all the same; it need not be JSON. */
function jsonIn(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? readJson(body) : null;
  } catch {
    return null;
  }
}
