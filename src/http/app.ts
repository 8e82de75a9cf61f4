import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { readBodies, settleContentType } from './body.ts';
import type { Services } from './calls.ts';
import { MethodGuard } from './methods.ts';
import { addMetrics } from './metrics.ts';
import { addPages } from './pages.ts';
import { answerBadHttp, answerProblems, sendProblem } from './problems.ts';
import { countAnswers } from './request-counters.ts';
import { addOperations, type BodyLimits } from './routes.ts';

/** A path parameter may be as long as the request line: it is refused with a sentence, not lost. */
const MAX_PARAM_LENGTH = 16_384;
/** A caller that stalls in the middle of its request does not keep its connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The HTTP side of the service: everything between a socket and the ledger. */
export async function buildApp(
  services: Services,
  limits: BodyLimits,
  logger: Logger,
): Promise<FastifyInstance> {
  const app = fastify({
    // We log ourselves, one line a request: the framework's own way costs more than the line.
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    // While closing, requests on open connections are still served: an accepted one is answered.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    clientErrorHandler: answerBadHttp,
    // No hook runs for a path that can't be decoded: here is all that such a request gets.
    frameworkErrors: (_error, request, reply) => {
      addCommonHeaders(request, reply);
      const errors = [{ pointer: '/path', detail: 'must be a valid, percent-encoded path' }];
      sendProblem(request, reply, 'invalid-request', { errors });
      logRequest(logger, request, reply);
    },
    // Answered by the guard below, since the server's own refusal has no problem body.
    http: { requireHostHeader: false },
  });
  app.server.on('checkExpectation', serveAnyway(app));
  const requestCounters = countAnswers(app);
  const guard = new MethodGuard();
  guard.watch(app);
  greet(app, guard);
  if (logger.isLevelEnabled('info')) {
    app.addHook('onResponse', (request, reply, done) => {
      logRequest(logger, request, reply);
      done();
    });
  }
  readBodies(app);
  answerProblems(app, logger);
  addOperations(app, guard, services, limits);
  guard.closeShadowedMethods(app);
  await addPages(app, services);
  await addMetrics(app, services, requestCounters);
  return app;
}

/** What every request meets first, in one hook: each further one costs every request. */
function greet(app: FastifyInstance, guard: MethodGuard): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now();
    addCommonHeaders(request, reply);
    if (lacksHost(request.raw)) {
      const errors = [{ pointer: '/header/host', detail: 'is required by HTTP/1.1' }];
      sendProblem(request, reply, 'invalid-request', { errors });
      return;
    }
    // Before anything is read: a wrong path comes before a wrong body.
    if (request.is404) {
      guard.refuse(request, reply);
      return;
    }
    settleContentType(request.raw);
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
      // The route, not the path: paths and queries name members and wallets.
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

/** An expectation that nobody knows may be ignored; 100-continue is met by the server itself. */
const serveAnyway =
  (app: FastifyInstance) => (request: IncomingMessage, response: ServerResponse) =>
    void app.server.emit('request', request, response);

const SANE_REQUEST_ID = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** The caller's request id if it sent a sane one; else a new one, cheap and unique. */
function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && SANE_REQUEST_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
