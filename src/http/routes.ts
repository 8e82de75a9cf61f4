import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  addUnknown,
  faultsOf,
  IGNORED_HEADER,
  type Json,
  pathsOf,
  prefersStrict,
  readJson,
  unknownFields,
} from '../contract/bodies.ts';
import {
  bodyLimitOf,
  isWrite,
  type Operation,
  takesIdempotencyKey,
} from '../contract/operation.ts';
import { type OperationId, operations } from '../contract/operations.ts';
import { ProblemError, type RequestFault } from '../contract/problems.ts';
import { type BodyFaults, requestCheck } from '../contract/validation.ts';
import { Unavailable } from '../ledger/errors.ts';
import { bodyFaultsOf } from './body-faults.ts';
import type { Answer, Call, Handler } from './calls.ts';
import { receive, turns } from './connections.ts';
import { handlers } from './handlers/index.ts';
import { ANONYMOUS, type Principal, presentedKey } from './key-ring.ts';
import type { MethodGuard } from './methods.ts';
import { countAnswer } from './request-counters.ts';
import type { Services } from './services.ts';
import { streamOf } from './streaming.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Adds a route for every operation of the table. */
export function addOperations(
  app: FastifyInstance,
  guard: MethodGuard,
  services: Services,
  bodyLimit: number,
): void {
  const bodyFaults = bodyFaultsOf(services);
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const counters = app.requestCounters.of(id, url);
    const serve = server(id, operation, services, bodyLimit, bodyFaults[id]);
    app.route({
      method: operation.method,
      url,
      // A GET that reads a body has no HEAD counterpart.
      exposeHeadRoute: operation.method === 'GET' && operation.body === undefined,
      handler: (request, reply) => {
        if (hasEmpty(request.params as Params)) return guard.refuse(request, reply);
        request.counters = counters;
        app.requestCounters.inProgress += 1;
        return serve(request, reply);
      },
    });
  }
}

type Params = Record<string, string>;

/** The router matches empty parameters, but no path of ours has an empty segment. */
function hasEmpty(params: Params): boolean {
  for (const name in params) if (params[name] === '') return true;
  return false;
}

/**
 * Serves the requests of one operation. Checks run in the order that the contract promises: after
 * path and method (the router) come 401 and 403, then 400, and last the refusals of the domain.
 */
function server(
  id: OperationId,
  operation: Operation,
  services: Services,
  bodyLimit: number,
  bodyFaults?: BodyFaults,
) {
  const identify = identification(operation, services);
  const check = requestCheck(operation, bodyFaults);
  const handle = handlers[id] as Handler<OperationId>;
  const send = sender(operation, services);
  const stream = streamOf(operation, services);
  const limit = bodyLimitOf(operation, bodyLimit);
  const takesBody = operation.body !== undefined;
  const namesIgnored = isWrite(operation);
  const isRetryable = takesIdempotencyKey(operation);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { raw } = request;
    const identity = identify(request, reply);
    const principal = identity instanceof Promise ? await identity : identity;
    // First, so that the log says who was refused.
    request.principal = principal;
    principal.limit?.count(request.startedAt, reply);
    authorise(operation, principal, request.params as Params);
    let body: unknown;
    let sent: unknown;
    if ((takesBody || namesIgnored) && hasBody(raw)) {
      const bytes = await receive(raw, limit);
      const turn = turns.next((request.params as Params).realmID ?? '', bytes.length);
      if (turn) await turn;
      if (turn && raw.socket.destroyed) throw new Unavailable('overloaded', 'the caller has left');
      sent = takesBody ? bodyOf(raw, bytes) : unexpectedBodyOf(bytes);
      if (takesBody) body = sent;
    }
    const refused = namesIgnored ? refusedOf(operation, sent, request, reply) : [];
    if (stream?.isWanted(request)) return stream.open(request, reply);
    const call = {
      operationId: id,
      params: request.params,
      query: request.query,
      headers: raw.headers,
      body,
      principal,
      raw,
      caller: raw.socket,
      services,
      idempotencyKey: isRetryable ? raw.headers['idempotency-key'] : undefined,
      trace: request.span?.traceparent,
    } as Call<OperationId>;
    check(call, refused);
    send(request, reply, await handle(call));
  };
}

const NO_FIELDS = { properties: {} };

/**
 * What is unknown in a body, or beside the parameters of an operation that has some, if that is
 * refused; otherwise a header of the answer names it.
 */
function refusedOf(
  { body, query, isStrict }: Operation,
  sent: unknown,
  { headers, query: parameters }: FastifyRequest,
  reply: FastifyReply,
): RequestFault[] {
  const unknown = unknownFields(sent, body ?? NO_FIELDS);
  if (query) addUnknown(unknown, parameters, query, '', '/query');
  if (unknown.size === 0) return [];
  if (isStrict || prefersStrict(headers.prefer)) return faultsOf(unknown);
  reply.header(IGNORED_HEADER, pathsOf(unknown));
  return [];
}

/** Who calls. A key in the header counts, whatever cookie comes with it. */
function identification({ keyOptional }: Operation, { keyRing, sessions }: Services) {
  return ({ raw }: FastifyRequest, reply: FastifyReply): Principal | Promise<Principal> => {
    if (raw.headers.authorization !== undefined) return keyRing.identify(presentedKey(raw), raw);
    if (!keyOptional) return sessions.identify(raw, reply);
    sessions.checkCodes(raw);
    return ANONYMOUS;
  };
}

/** A key of another realm is rejected before its scopes are looked at. */
function authorise(operation: Operation, principal: Principal, { realmID }: Params): void {
  const { scope, ofPeople } = operation;
  if (principal.realmId !== null && realmID !== undefined && realmID !== principal.realmId) {
    throw new ProblemError('forbidden');
  }
  if (!principal.scopes.has(scope)) {
    throw new ProblemError('insufficient-scope', { required: scope });
  }
  if (ofPeople && !principal.person) throw new ProblemError('person-required');
}

type Serialise = (body: object) => string;

function sender({ answer: { status: usual, schema } }: Operation, { status }: Services) {
  let serialise: Serialise | undefined;
  return (request: FastifyRequest, reply: FastifyReply, answer: Answer<object | null>): void => {
    const { body, replayed, location, isNew, cookie } = answer;
    if (replayed) reply.header('idempotent-replayed', 'true');
    if (location) reply.header('location', location);
    if (cookie) reply.header('set-cookie', cookie);
    if (status.isStopping) reply.header('connection', 'close');
    reply.code(isNew ? 201 : usual);
    if (body === null || schema === null) reply.send();
    else {
      // Compiled when it is first used: those of all answers took a tenth of a second of a start.
      serialise ??= reply.compileSerializationSchema({ ...schema }) as Serialise;
      reply.type(JSON_TYPE).send(serialise(body));
    }
    // Last, since what fails before is counted as the problem that it is answered with.
    countAnswer(request, reply.statusCode);
  };
}

/** `application/json` and its relatives, in UTF-8. */
const ANY_JSON = /^application\/([\w.-]+\+)?json *(; *(charset="?utf-8"? *)?)?$/i;
/** Many clients always name a content type, and `curl -d` claims a form. */
const ANY_TYPE = new Set(['GET', 'QUERY', 'DELETE']);

/** The body of a request as JSON; undefined if it has none. */
function bodyOf(request: IncomingMessage, bytes: Buffer): Json | undefined {
  if (bytes.length === 0) return undefined;
  const { method = '', headers } = request;
  refuseEncoding('Content-Encoding', headers['content-encoding'], /^identity$/i);
  refuseEncoding('Transfer-Encoding', headers['transfer-encoding'], /^chunked$/i);
  const type = headers['content-type'] ?? 'application/json';
  if (type !== 'application/json' && !ANY_JSON.test(type) && !ANY_TYPE.has(method)) {
    throw new ProblemError('unsupported-media-type');
  }
  return readJson(bytes);
}

/** What was sent where no body is expected; it need not be JSON. */
function unexpectedBodyOf(bytes: Buffer): Json {
  try {
    return readJson(bytes);
  } catch {
    return null;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

function refuseEncoding(header: string, encoding: string | undefined, supported: RegExp): void {
  if (encoding === undefined || supported.test(encoding)) return;
  const reason = `The body has "${header}: ${encoding}", which is not supported.`;
  throw new ProblemError('unsupported-media-type', { reason });
}
