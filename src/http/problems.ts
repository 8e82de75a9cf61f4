import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type ProblemCode, ProblemError, problemBody, problems } from '../contract/problems.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../engine/errors.ts';
import { countAnswer } from './request-counters.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const RETRY_AFTER_SECONDS = '1';
/** Problems that go away by themselves. */
const TEMPORARY: readonly ProblemCode[] = [
  'overloaded',
  'outcome-unknown',
  'not-ready',
  'chain-unavailable',
];

/** Null where the problem's own sentence suffices. */
const unavailableReasons: Record<UnavailableReason, string | null> = {
  overloaded: null,
  'storage-unavailable': 'The service cannot reach its database at the moment.',
  'projection-behind':
    'Statements and leaderboards are being rebuilt from the journal and are not ready yet.',
};

export function addErrorHandler(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const { code, extra } = problemFor(error, request, logger);
    return sendProblem(request, reply, code, extra);
  });
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ProblemCode,
  extra: Record<string, unknown> = {},
): FastifyReply {
  if (code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (TEMPORARY.includes(code)) reply.header('retry-after', RETRY_AFTER_SECONDS);
  const body = problemBody(code, extra, request.id);
  request.server.requestCounters.addProblem(code);
  countAnswer(request, body.status);
  // The route's own serialiser only knows the schema of its successful answer.
  return reply.code(body.status).type(PROBLEM_TYPE).serializer(JSON.stringify).send(body);
}

function problemFor(
  error: unknown,
  request: FastifyRequest,
  logger: Logger,
): Pick<ProblemError, 'code' | 'extra'> {
  if (error instanceof ProblemError) return error;
  if (error instanceof Unavailable) {
    const reason = unavailableReasons[error.reason];
    return new ProblemError('overloaded', reason === null ? {} : { reason });
  }
  if (error instanceof InDoubt) {
    // Expected during an outage, so without a stack.
    const line = { reason: error.message, requestId: request.id };
    logger.warn(line, 'the outcome of a write is unknown');
    return new ProblemError('outcome-unknown');
  }
  const { code } = error as { code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ProblemError('body-too-large', { limit: request.routeOptions.bodyLimit });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ProblemError('unsupported-media-type');
  if (request.raw.destroyed && !request.raw.complete) {
    // Nobody reads this answer.
    logger.info(
      { requestId: request.id },
      'the caller disconnected before its request was complete',
    );
    return new ProblemError('malformed-json');
  }
  logger.error({ err: error, requestId: request.id }, 'request failed');
  return new ProblemError('internal');
}

/** Answers what is not valid HTTP: there is no request object yet, only a socket. */
export function answerBadHttp(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const [code, extra] = badHttp(error.code);
  const body = JSON.stringify(problemBody(code, extra, requestId));
  const { status } = problems[code];
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `x-request-id: ${requestId}\r\ncache-control: no-store\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function badHttp(code: string | undefined): [ProblemCode, Record<string, unknown>] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['headers-too-large', {}];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['request-timeout', {}];
  return [
    'invalid-request',
    { errors: [{ pointer: '', detail: 'must be a valid HTTP/1.1 request' }] },
  ];
}
