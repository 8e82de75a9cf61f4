import type { Command } from '../domain/commands.ts';
import { InDoubt, Unavailable } from './errors.ts';

/** How long a batch with traced commands took. Its instants are those of `monotonicMs`. */
export interface BatchTiming {
  /** How many commands it had, traced or not. */
  size: number;
  startedAt: number;
  /** When it was decided, and began to be written; null if it came to no decision. */
  decidedAt: number | null;
  endedAt: number;
  /** Why it was not written; null if it was. */
  error: string | null;
  traced: TracedCommand[];
}

interface TracedCommand {
  /** As in the command. */
  trace: string;
  pushedAt: number;
}

export type TimingListener = (timing: BatchTiming) => void;

/** Milliseconds of a clock that is the same in all threads. `performance.now()` is not. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Begins to time a batch; null if none of its commands is traced. */
export function startTiming(
  pending: readonly { command: Command; pushedAt: number }[],
): BatchTiming | null {
  const traced = pending.flatMap(({ command: { trace }, pushedAt }) =>
    trace === undefined ? [] : [{ trace, pushedAt }],
  );
  if (traced.length === 0) return null;
  const startedAt = monotonicMs();
  return { size: pending.length, startedAt, decidedAt: null, endedAt: 0, error: null, traced };
}

/** The error is null if the batch was written. */
export function endTiming(timing: BatchTiming, error: unknown): BatchTiming {
  return { ...timing, endedAt: monotonicMs(), error: error === null ? null : reasonOf(error) };
}

function reasonOf(error: unknown): string {
  if (error instanceof Unavailable) return error.reason;
  return error instanceof InDoubt ? 'outcome-unknown' : 'fault';
}
