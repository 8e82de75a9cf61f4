import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { readJson } from '../contract/json.ts';
import { JsonError } from '../contract/json-scanner.ts';
import { invalidRequest, ProblemError } from '../contract/problems.ts';
import { slices } from '../engine/slices.ts';
import { Connections } from './connections.ts';
import { addConsole } from './console.ts';
import { Cors } from './cors.ts';
import { isRepeated } from './key-ring.ts';
import { Load } from './load.ts';
import { MethodGuard } from './methods.ts';
import { addMetrics } from './metrics.ts';
import { addPages, leadToDocs } from './pages.ts';
import { answerBadHttp, problemFor, sendProblem } from './problems.ts';
import { addRequestCounters } from './request-counters.ts';
import { ANONYMOUS_BODY_LIMIT, addOperations, type BodyLimits } from './routes.ts';
import type { RequestSpan, RequestTracer, Services } from './services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not traced. */
    span: RequestSpan | null;
  }
}

/** As long as the request line, so that an overlong parameter is a 400 that says so, not a 404. */
const MAX_PARAM_LENGTH = 16_384;
/** A caller that stalls in the middle of a request is answered 408 and closed. */
const REQUEST_TIMEOUT_MS = 60_000;
/** How late that may be. Node's own interval of 30 s makes it up to 90 s. */
const TIMEOUT_CHECK_MS = 1_000;

interface HttpSettings extends BodyLimits {
  /** Whether each request is logged. */
  accessLog: boolean;
  /** The origins whose pages may call the service. */
  corsOrigins: '*' | readonly string[] | null;
  console: 'on' | 'off' | 'https';
}

/** The HTTP side of the service: everything between the socket and the ledger. */
export function buildApp(
  services: Services,
  settings: HttpSettings,
  logger: Logger,
): FastifyInstance {
  const isLogged = settings.accessLog && logger.isLevelEnabled('info');
  const cors = settings.corsOrigins && new Cors(settings.corsOrigins);
  const app = fastify({
    // Fastify's request logging costs more than the one line per request that we write ourselves.
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    // While closing, requests on open connections are still answered.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Of the pages; operations have limits of their own.
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: (error, socket) =>
      connections.afterAnswers(socket, () => answerBadHttp(error, socket, cors)),
    // No hook runs for a path that cannot be decoded, so headers and log line are added here.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      cors?.addHeaders(request, reply);
      const fault = { pointer: '/path', detail: 'must be a valid, percent-encoded path' };
      sendProblem(request, reply, invalidRequest([fault]));
      if (isLogged) logRequest(logger, request, reply);
    },
    http: {
      // Checked in the first hook instead: the server's own 400 has no problem body.
      requireHostHeader: false,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
  });
  const connections = new Connections(app.server);
  app.server.on('connection', () => slices.delay.want());
  // Unknown expectations may be ignored; Node itself handles 100-continue.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  app.decorateRequest('problemCode', null);
  addRequestCounters(app);
  addTracing(app, services.telemetry?.tracer ?? null);
  const guard = new MethodGuard(app);
  addFirstHook(app, guard, cors);
  if (isLogged) addAccessLog(app, logger);
  addBodyParser(app);
  app.setErrorHandler((error, request, reply) => {
    if (isReadToEnd(request.headers)) reply.removeHeader('connection');
    return sendProblem(request, reply, problemFor(error, request, logger));
  });
  const load = new Load();
  addOperations(app, guard, services, settings, load, connections);
  guard.closeShadowedMethods(app);
  addPages(app, services, logger);
  if (settings.console === 'off') leadToDocs(app);
  else addConsole(app, guard, logger);
  addMetrics(app, services, load);
  return app;
}

/** Asked every few seconds, by programs: traces of these would only hide the others. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** Hooks cost time, so there are none unless requests are traced. */
function addTracing(app: FastifyInstance, tracer: RequestTracer | null): void {
  app.decorateRequest('span', null);
  if (tracer === null) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const isTraced = !UNTRACED.has(request.routeOptions.url ?? '');
    if (isTraced) request.span = tracer.begin(request.headers.traceparent);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.span?.end({
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      realmId: realmOf(request),
      problemCode: request.problemCode,
    });
    done();
  });
}

/** Everything that every request needs first, in one hook: each further hook costs time. */
function addFirstHook(app: FastifyInstance, guard: MethodGuard, cors: Cors | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    addCommonHeaders(request, reply);
    if (cors !== null) {
      cors.addHeaders(request, reply);
      if (cors.answersPreflight(request, reply)) return;
    }
    const fault = hostFault(request.raw);
    if (fault !== null) {
      done(invalidRequest([{ pointer: '/header/host', detail: fault }]));
      return;
    }
    // Before the body is read: an unknown path takes precedence over an invalid body.
    if (request.is404) return void guard.refuse(request, reply);
    normaliseContentType(request.raw);
    done();
  });
}

/** Node keeps only the first of several hosts, but a proxy in front may have gone by another. */
function hostFault({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): string | null {
  if (headers.host === undefined) return httpVersionMinor === 0 ? null : 'is required by HTTP/1.1';
  return isRepeated(rawHeaders, 'host') ? 'must be sent only once' : null;
}

/**
 * Ignores the content type of GET, QUERY and DELETE: many clients always send one, and `curl -d`
 * claims a form. Must run before Fastify looks at it.
 */
function normaliseContentType({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'QUERY' && method !== 'DELETE') return;
  const hasBody =
    headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // Fastify requires a content type with QUERY, even without a body.
  if (hasBody || method === 'QUERY') headers['content-type'] = 'application/json';
  else delete headers['content-type'];
}

/** `application/json` and its relatives, in UTF-8. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(; *(charset="?utf-8"? *)?)?$/i;

/** Parses bodies as exact JSON, large ones in slices. */
function addBodyParser(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // A type that is registered by name is found without being parsed.
  const types = ['application/json', '*'];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const body = parseBody(request, bytes as Buffer);
      if (!(body instanceof Promise)) done(null, body);
      else {
        body.then(
          (value) => done(null, value),
          (error) => done(problemOf(error)),
        );
      }
    } catch (error) {
      done(problemOf(error));
    }
  });
}

/** A body up to this length is read to its end even if it is refused. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Fastify closes a connection whose body it refuses. A caller that is still sending would then fail
 * without having seen its answer, so what is left of the body is read and dropped instead.
 */
const isReadToEnd = ({ 'content-length': length }: IncomingHttpHeaders): boolean =>
  length === undefined || Number(length) <= MAX_DROPPED_BYTES;

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const { bodyShape, largeBody, headers } = request;
  const isLarge = largeBody?.isLarge(bytes.length) ?? false;
  if (!isLarge) request.largeBody = null;
  if (bytes.length === 0) return undefined;
  if (bodyShape === null) return isLarge ? undefined : bytes;
  refuseEncoding('Content-Encoding', headers['content-encoding'], /^identity$/i);
  refuseEncoding('Transfer-Encoding', headers['transfer-encoding'], /^chunked$/i);
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw new ProblemError('unsupported-media-type');
  }
  if (!isLarge) return readJson(bytes);
  return largeBody?.read(bytes, bodyShape, headers['idempotency-key'] !== undefined);
}

function refuseEncoding(header: string, encoding: string | undefined, supported: RegExp): void {
  if (encoding === undefined || supported.test(encoding)) return;
  const reason = `The body has "${header}: ${encoding}", which is not supported.`;
  throw new ProblemError('unsupported-media-type', { reason });
}

function problemOf(error: unknown): Error {
  if (!(error instanceof JsonError)) return error as Error;
  const { kind, message, pointer } = error;
  return kind === 'malformed'
    ? new ProblemError('malformed-json', { reason: message })
    : invalidRequest([{ pointer, detail: message }]);
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}

function addAccessLog(app: FastifyInstance, logger: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    done();
  });
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  logger.info(
    {
      requestId: request.id,
      method: request.method,
      // The route, not the path: paths and queries contain member ids and wallets.
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      code: request.problemCode ?? undefined,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      realm: realmOf(request),
      actor: request.principal?.actor,
      traceId: request.span?.traceId,
    },
    'request',
  );
}

/** That of the key, or the one that the root key has named; a caller without a key names none. */
function realmOf({ principal, params }: FastifyRequest): string | undefined {
  return principal?.realmId ?? (principal && (params as { realmID?: string }).realmID) ?? undefined;
}

const REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** The caller's own request id if it is acceptable, or else a new one that is cheap to make. */
function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
