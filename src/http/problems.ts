import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invalidRequest, ProblemError, problemBody } from '../contract/problems.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../ledger/errors.ts';
import type { Cors } from './cors.ts';
import { countAnswer } from './request-counters.ts';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
/** Refusals by a limit are sent so much later, at least. */
const DELAY_MS = 250;
const DELAYED: ReadonlySet<string> = new Set(['rate-limited', 'overloaded']);
/** How long a connection stays open after the answer to what is not HTTP. */
const LINGER_MS = 5_000;

/** With a sentence where the problem's own does not suffice. */
const unavailableProblems: Record<UnavailableReason, ProblemError> = {
  overloaded: new ProblemError('overloaded'),
  'storage-full': new ProblemError('storage-full'),
  'storage-unavailable': new ProblemError('storage-unavailable'),
  'storage-damaged': new ProblemError('storage-unavailable', {
    reason:
      'The database file of the service is damaged. It accepts no changes until it is restored.',
  }),
};

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, extra }: Pick<ProblemError, 'code' | 'extra'>,
): FastifyReply {
  const body = problemBody(code, extra, request.id);
  if (body.status === 401) reply.header('www-authenticate', 'Bearer');
  if (body.retryAfter) reply.header('retry-after', String(body.retryAfter));
  request.problemCode = code;
  request.server.requestCounters.addProblem(code);
  countAnswer(request, body.status);
  return reply.code(body.status).type(PROBLEM_TYPE).send(JSON.stringify(body));
}

/** What proxies log of a caller that has left before its answer. */
const CALLER_LEFT = 499;

/**
 * Answers an error as its problem. Nobody reads the answer to a caller that has left. Refusals by a
 * limit are late, to slow down callers that repeat themselves without a pause, and at random: many
 * that were refused together do not all come back at the same moment.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): void {
  const send = (): void => {
    // What is thrown while a body is read, or a turn is waited for, only says that it has left.
    if (request.raw.socket.destroyed && error instanceof Unavailable) {
      countAnswer(request, CALLER_LEFT);
      reply.code(CALLER_LEFT).send();
    } else sendProblem(request, reply, problem);
  };
  const problem = problemFor(error, request, logger);
  if (DELAYED.has(problem.code)) setTimeout(send, DELAY_MS * (1 + Math.random()));
  else send();
}

/** The problem that an error is answered with; logs it if the operator has to know. */
function problemFor(error: unknown, request: FastifyRequest, logger: Logger): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof Unavailable) return unavailableProblems[error.reason];
  if (error instanceof InDoubt) {
    // Expected during an outage, so without a stack.
    const line = { reason: error.message, requestId: request.id };
    logger.warn(line, 'the outcome of a write is unknown');
    return new ProblemError('outcome-unknown');
  }
  logger.error({ err: error, requestId: request.id }, 'request failed');
  return new ProblemError('internal');
}

interface BadHttp {
  code?: string;
  /** The bytes that Node's parser was given last; Fastify's types are wrong here. */
  rawPacket?: unknown;
}

const ORIGIN = /^origin:(.*)/im;

/** Answers what is not valid HTTP: there is no request object yet, only a socket. */
export function answerBadHttp(error: BadHttp, socket: Socket, cors: Cors | null): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = randomUUID();
  const { code, extra } = badHttp(error.code);
  const problem = problemBody(code, extra, requestId);
  const body = JSON.stringify(problem);
  // The origin may have come earlier: then the page learns no more than that its call failed.
  const { rawPacket } = error;
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const origin = ORIGIN.exec(packet)?.[1]?.trim();
  const permission = Object.entries(cors?.headersFor(origin) ?? {});
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `content-type: ${PROBLEM_TYPE}\r\n` +
      permission.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      `x-request-id: ${requestId}\r\ncache-control: no-store\r\n` +
      'x-content-type-options: nosniff\r\nconnection: close\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // It may read its answer before it closes its side, but not wait for ever.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function badHttp(code: string | undefined): ProblemError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ProblemError('headers-too-large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ProblemError('request-timeout');
  return invalidRequest([{ pointer: '', detail: 'must be a valid HTTP/1.1 request' }]);
}
