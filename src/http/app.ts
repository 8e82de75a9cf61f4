import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invalidRequest, type ProblemCode } from '../contract/problems.ts';
import type { MetricSnapshot } from '../telemetry/otlp.ts';
import type { RequestSpan, Tracer } from '../telemetry/tracer.ts';
import { Connections, isRepeated } from './connections.ts';
import { addConsole } from './console.ts';
import { Cors } from './cors.ts';
import { addInteractions, addPictures } from './discord.ts';
import type { Principal } from './key-ring.ts';
import { MethodGuard } from './methods.ts';
import { addMetrics } from './metrics.ts';
import { addPages, leadToDocs } from './pages.ts';
import { answerBadHttp, answerError, sendProblem } from './problems.ts';
import { type OperationCounters, RequestCounters } from './request-counters.ts';
import { addOperations } from './routes.ts';
import type { Services } from './services.ts';

/** What the files of this folder add to the objects of Fastify. */
declare module 'fastify' {
  interface FastifyInstance {
    requestCounters: RequestCounters;
    /** What `GET /metrics` shows, as data. */
    readMetrics(): Promise<MetricSnapshot[]>;
  }
  interface FastifyRequest {
    startedAt: number;
    /** Null until the caller is known. */
    principal: Principal | null;
    /** Null for requests that match no operation. */
    counters: OperationCounters | null;
    /** Of the answer, if it is a problem. */
    problemCode: ProblemCode | null;
    /** Null if the request is not traced. */
    span: RequestSpan | null;
  }
}

/** As long as the request line, so that an overlong parameter is a 400 that says so, not a 404. */
const MAX_PARAM_LENGTH = 16_384;

const SERVER_OPTIONS = {
  /** A caller that stalls in the middle of a request is answered 408 and closed. */
  requestTimeout: 60_000,
  /** How late that may be. Node's own interval of 30 s makes it up to 90 s. */
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 72_000,
  /** Checked in the first hook instead: the server's own 400 has no problem body. */
  requireHostHeader: false,
  /** A request without a body has no events of one. */
  optimizeEmptyRequests: true,
};

interface HttpSettings {
  /** Of operations that have no other limit, in bytes. */
  bodyLimit: number;
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
  const connections = new Connections();
  const app = fastify({
    // Fastify's request logging costs more than the one line per request that we write ourselves.
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    // While closing, requests on open connections are still answered.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    serverFactory: (serve) => {
      const server = createServer(SERVER_OPTIONS);
      connections.follow(server, serve);
      return server;
    },
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
  });
  // Unknown expectations may be ignored; Node itself handles 100-continue.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange));
  readNoBodies(app);
  app.decorate('requestCounters', new RequestCounters());
  app.decorateRequest('startedAt', 0);
  for (const name of ['principal', 'counters', 'problemCode', 'span'] as const) {
    app.decorateRequest(name, null);
  }
  const tracer = services.telemetry?.tracer ?? null;
  addFirstHook(app, cors, tracer);
  if (isLogged || tracer) addLastHook(app, isLogged ? logger : null);
  const guard = new MethodGuard(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, logger));
  addOperations(app, guard, services, settings.bodyLimit);
  guard.closeShadowedMethods(app);
  addPages(app, services, logger);
  addInteractions(app, services);
  if (settings.console === 'off') leadToDocs(app);
  else {
    addConsole(app, guard, logger);
    addPictures(app, services);
  }
  addMetrics(app, services, connections);
  return app;
}

/** Operations read bodies themselves, once they know the caller; Node drops all others. */
function readNoBodies(app: FastifyInstance): void {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
}

/** Asked every few seconds, by programs: traces of these would only hide the others. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** Everything that every request needs first, in one hook: each further hook costs time. */
function addFirstHook(app: FastifyInstance, cors: Cors | null, tracer: Tracer | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    if (tracer !== null && !UNTRACED.has(request.routeOptions.url ?? '')) {
      request.span = tracer.begin(request.headers.traceparent);
    }
    addCommonHeaders(request, reply);
    if (cors !== null) {
      cors.addHeaders(request, reply);
      if (cors.answersPreflight(request, reply)) return;
    }
    const fault = hostFault(request.raw);
    if (fault === null) done();
    else done(invalidRequest([{ pointer: '/header/host', detail: fault }]));
  });
}

/** Node keeps only the first of several hosts, but a proxy in front may have gone by another. */
function hostFault({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): string | null {
  if (headers.host === undefined) return httpVersionMinor === 0 ? null : 'is required by HTTP/1.1';
  return isRepeated(rawHeaders, 'host') ? 'must be sent only once' : null;
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}

/** Ends the span of each answered request, and logs it, if there is a log. */
function addLastHook(app: FastifyInstance, logger: Logger | null): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    done();
  });
}

function logRequest(logger: Logger | null, request: FastifyRequest, reply: FastifyReply): void {
  const { method, span, problemCode } = request;
  const { statusCode: status } = reply;
  const route = request.counters?.route ?? request.routeOptions.url;
  const realmId = realmOf(request);
  span?.end({ method, route, status, realmId, problemCode });
  logger?.info(
    {
      requestId: request.id,
      method,
      // The route, not the path: paths and queries contain member ids and wallets.
      route: route ?? null,
      status,
      code: problemCode ?? undefined,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      realm: realmId,
      actor: request.principal?.actor,
      traceId: span?.traceId,
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
