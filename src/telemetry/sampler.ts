import type { TelemetrySettings } from '../config/telemetry-settings.ts';
import type { Parent } from './traceparent.ts';

/** Decides whether a request is traced. */
export type Sampler = (traceId: string, parent: Parent | null) => boolean;

/** Of the 56 random bits at the end of a trace id, as many as a number holds exactly. */
const RANDOM_DIGITS = 13;
const RANDOM_END = -1;

export function samplerOf({
  sampler,
  ratio,
}: Pick<TelemetrySettings, 'sampler' | 'ratio'>): Sampler {
  const [, isParentBased, kind] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root = kind === 'traceidratio' ? byTraceId(ratio) : () => kind === 'always_on';
  if (!isParentBased) return root;
  return (traceId, parent) => parent?.isSampled ?? root(traceId, parent);
}

/** All programs that go by the same share take the same traces. */
function byTraceId(ratio: number): Sampler {
  const threshold = (1 - ratio) * 16 ** RANDOM_DIGITS;
  return (traceId) =>
    Number.parseInt(traceId.slice(RANDOM_END - RANDOM_DIGITS, RANDOM_END), 16) >= threshold;
}
