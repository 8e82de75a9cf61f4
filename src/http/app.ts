import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { addBodyParser, normaliseContentType } from './body.ts';
import { MethodGuard } from './methods.ts';
import { addMetrics } from './metrics.ts';
import { addPages } from './pages.ts';
import { addErrorHandler, answerBadHttp, sendProblem } from './problems.ts';
import { addRequestCounters } from './request-counters.ts';
import { addOperations, type BodyLimits } from './routes.ts';
import type { Services } from './services.ts';

/** As long as the request line, so that an overlong parameter is a 400 that says so, not a 404. */
const MAX_PARAM_LENGTH = 16_384;
/** Closes the connection of a caller that stalls in the middle of a request. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The HTTP side of the service: everything between the socket and the ledger. */
export async function buildApp(
  services: Services,
  limits: BodyLimits,
  logger: Logger,
): Promise<FastifyInstance> {
  const app = fastify({
    // Fastify's request logging costs more than the one line per request that we write ourselves.
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    // While closing, requests on open connections are still answered.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerBadHttp,
    // No hook runs for a path that cannot be decoded, so headers and log line are added here.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      const errors = [{ pointer: '/path', detail: 'must be a valid, percent-encoded path' }];
      sendProblem(request, reply, 'invalid-request', { errors });
      logRequest(logger, request, reply);
    },
    // Checked in the first hook instead: the server's own 400 has no problem body.
    http: { requireHostHeader: false },
  });
  app.server.on('checkExpectation', ignoreExpectation(app));
  const requestCounters = addRequestCounters(app);
  const guard = new MethodGuard();
  guard.watch(app);
  addFirstHook(app, guard);
  if (logger.isLevelEnabled('info')) {
    app.addHook('onResponse', (request, reply, done) => {
      logRequest(logger, request, reply);
      done();
    });
  }
  addBodyParser(app);
  addErrorHandler(app, logger);
  addOperations(app, guard, services, limits);
  guard.closeShadowedMethods(app);
  await addPages(app, services);
  await addMetrics(app, services, requestCounters);
  return app;
}

/** Everything that every request needs first, in one hook: each further hook costs time. */
function addFirstHook(app: FastifyInstance, guard: MethodGuard): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    addCommonHeaders(request, reply);
    if (lacksHost(request.raw)) {
      const errors = [{ pointer: '/header/host', detail: 'is required by HTTP/1.1' }];
      sendProblem(request, reply, 'invalid-request', { errors });
      return;
    }
    // Before the body is read: an unknown path takes precedence over an invalid body.
    if (request.is404) {
      guard.refuse(request, reply);
      return;
    }
    normaliseContentType(request.raw);
    done();
  });
}

function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
}

function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  logger.info(
    {
      requestId: request.id,
      method: request.method,
      // The route, not the path: paths and queries contain member ids and wallets.
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      actor: request.principal?.actor,
    },
    'request',
  );
}

const lacksHost = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersionMinor !== 0;

/** Unknown expectations may be ignored; Node itself handles 100-continue. */
const ignoreExpectation =
  (app: FastifyInstance) => (request: IncomingMessage, response: ServerResponse) =>
    void app.server.emit('request', request, response);

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
