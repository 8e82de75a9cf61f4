import type { Command } from '../domain/commands.ts';
import type { RealmFacts } from '../domain/facts.ts';
import type { Decision } from '../domain/rules/decide.ts';
import { InDoubt, Unavailable } from './errors.ts';
import { type Batch, RealmsLocked, type Writing } from './store.ts';

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

/** Writes a batch and, if any of its commands is traced, reports how long that took. */
export function timed(
  batch: Batch,
  pending: readonly { command: Command; pushedAt: number }[],
  write: (batch: Batch) => Writing,
  report: TimingListener,
): Writing {
  const traced = pending.flatMap(({ command: { trace }, pushedAt }) =>
    trace === undefined ? [] : [{ trace, pushedAt }],
  );
  if (traced.length === 0) return write(batch);
  const startedAt = monotonicMs();
  let decidedAt: number | null = null;
  const decide = (facts: RealmFacts[], now: number): Decision => {
    const decision = batch.decide(facts, now);
    decidedAt = monotonicMs();
    return decision;
  };
  const writing = write({ ...batch, decide });
  const end = (error: string | null): void =>
    report({
      size: pending.length,
      startedAt,
      decidedAt,
      endedAt: monotonicMs(),
      error,
      traced,
    });
  // Before whoever waits for the outcomes gets them.
  writing.done.then(
    () => end(null),
    (error) => {
      // Then it is written once more.
      if (!(error instanceof RealmsLocked)) end(reasonOf(error));
    },
  );
  return writing;
}

function reasonOf(error: unknown): string {
  if (error instanceof Unavailable) return error.reason;
  return error instanceof InDoubt ? 'outcome-unknown' : 'fault';
}
