import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { requestCheck } from '../contract/validation.ts';
import { EventFilter } from '../ledger/feeds/event-page.ts';
import { realmOf } from './calls.ts';
import type { Principal } from './key-ring.ts';
import { countAnswer } from './request-counters.ts';
import type { Services } from './services.ts';

/** How an operation is answered with a stream of events; null if it never is. */
export function streamOf(operation: Operation, services: Services) {
  const { stream } = operation;
  if (!stream) return null;
  const check = requestCheck({ ...operation, headers: stream.headers });
  return {
    isWanted: ({ method, headers }: FastifyRequest): boolean =>
      method === 'GET' && prefersStream(headers.accept),
    async open(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      check(request);
      const { socket: caller } = request.raw;
      await realmOf({ params: request.params as { realmID: string }, caller, services });
      await services.streams.open(asked(request), reply);
      countAnswer(request, 200);
    },
  };
}

function asked({ params, query, headers, principal }: FastifyRequest) {
  const { realmID: realmId } = params as { realmID: string };
  const { after, types } = query as { after?: string; types?: string | string[] };
  const { 'last-event-id': lastEventId } = headers;
  return {
    realmId,
    principal: principal as Principal,
    filter: new EventFilter(types),
    // A browser that connects again repeats its URL, and says in the header how far it is.
    after: Number(lastEventId ?? after ?? 0),
    pointer: lastEventId === undefined ? '/query/after' : '/header/last-event-id',
  };
}

/** Whether a stream is named, and JSON is not. */
export const prefersStream = (accept = ''): boolean =>
  /\btext\/event-stream\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
