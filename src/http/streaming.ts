import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { requestCheck } from '../contract/validation.ts';
import { EventFilter } from '../events/event-filter.ts';
import { realmOf } from './calls.ts';
import type { Principal } from './key-ring.ts';
import type { Load } from './load.ts';
import { countAnswer } from './request-counters.ts';
import type { Services } from './services.ts';

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers with a stream of events if the caller accepts one, or else as given. */
export function orStream(
  operation: Operation,
  services: Services,
  load: Load,
  answer: Answer,
): Answer {
  const { stream } = operation;
  if (!stream) return answer;
  const { check } = requestCheck({ ...operation, headers: stream.headers });
  return async (request, reply) => {
    if (request.method !== 'GET' || !prefersStream(request.headers.accept)) {
      return answer(request, reply);
    }
    const principal = request.principal as Principal;
    // While it is being opened, it is a request like others; from then on it takes no work.
    const share = load.enter(principal.realmId);
    try {
      check(request);
      const { socket: caller } = request.raw;
      await realmOf({ params: request.params as { realmID: string }, caller }, services);
      await services.streams.open(asked(request, principal), reply);
      countAnswer(request, 200);
      return reply;
    } finally {
      load.leave(share);
    }
  };
}

function asked({ params, query, headers }: FastifyRequest, principal: Principal) {
  const { realmID: realmId } = params as { realmID: string };
  const { after, types } = query as { after?: string; types?: string | string[] };
  const { 'last-event-id': lastEventId } = headers;
  return {
    realmId,
    principal,
    filter: new EventFilter(types),
    // A browser that connects again repeats its URL, and says in the header how far it is.
    after: Number(lastEventId ?? after ?? 0),
    pointer: lastEventId === undefined ? '/query/after' : '/header/last-event-id',
  };
}

/** Whether a stream is named, and JSON is not named as at least as welcome. */
export function prefersStream(accept = ''): boolean {
  const stream = qualityOf(accept, 'text/event-stream');
  return stream > 0 && stream > qualityOf(accept, 'application/json');
}

/** By RFC 9110; 0 if the type is not named. */
function qualityOf(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
