import { randomBytes } from 'node:crypto';

/** A span as others refer to it. */
export interface SpanContext {
  traceId: string;
  spanId: string;
}

/** A span that has ended. Its instants are those of `monotonicMs`. */
export interface Span extends SpanContext {
  parentSpanId: string | null;
  name: string;
  kind: 'server' | 'internal';
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  links: SpanContext[];
  isError: boolean;
}

/** Those that are undefined or null are left out. */
export type Attributes = Record<string, string | number | null | undefined>;

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** The span that a caller names as the parent of its request. */
export interface Parent extends SpanContext {
  isSampled: boolean;
}

/** Later versions may add fields behind these, but version 00 has none, and ff does not exist. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** By the W3C recommendation Trace Context. Null if there is no header, or not a valid one. */
export function parseTraceparent(header: string | string[] | undefined): Parent | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  const isValid = version !== undefined && (version !== '00' || more === undefined);
  if (!isValid || ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** Of a span that is sampled. */
export const traceparentOf = ({ traceId, spanId }: SpanContext): string =>
  `00-${traceId}-${spanId}-01`;
