import type { BatchTiming } from '../engine/batch-timing.ts';
import { newSpanId, type Span } from './span.ts';
import { parseTraceparent, type SpanContext } from './traceparent.ts';

/** As many as collectors keep. The spans on the other side have all of their links. */
const MAX_LINKS = 128;

/**
 * Each traced request gets a span `batch`, from when its command was pushed to its outcome. The
 * `commit`, from the decision until it is durable, is done once for all of them: it is in the trace
 * of the first one, and linked with the batches of the others.
 */
export function batchSpans({ traced, size, ...timing }: BatchTiming): Span[] {
  const { startedAt, decidedAt, endedAt, error } = timing;
  const ended = { kind: 'internal', endedAt, isError: error !== null } as const;
  const batches = traced.flatMap(({ trace, pushedAt }): Span[] => {
    const request = parseTraceparent(trace);
    if (!request) return [];
    return [
      {
        ...ended,
        ...childOf(request),
        name: 'batch',
        startedAt: pushedAt,
        attributes: {
          'realmkeep.batch.size': size,
          'realmkeep.batch.wait_ms': startedAt - pushedAt,
          'error.type': error,
        },
        links: [],
      },
    ];
  });
  const [first, ...others] = batches;
  if (!first || decidedAt === null) return batches;
  const commit: Span = {
    ...ended,
    ...childOf(first),
    name: 'commit',
    startedAt: decidedAt,
    attributes: { 'realmkeep.batch.size': size, 'error.type': error },
    links: others.slice(0, MAX_LINKS).map(contextOf),
  };
  for (const batch of others) batch.links.push(contextOf(commit));
  return [...batches, commit];
}

const childOf = ({ traceId, spanId }: SpanContext) => ({
  traceId,
  spanId: newSpanId(),
  parentSpanId: spanId,
});

const contextOf = ({ traceId, spanId }: SpanContext): SpanContext => ({ traceId, spanId });
