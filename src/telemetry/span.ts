import { randomBytes } from 'node:crypto';
import type { SpanContext } from './traceparent.ts';

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
