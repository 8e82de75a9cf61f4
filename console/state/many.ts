import { isProblem } from '@realmkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isOutcomeUnknown, sentenceOf } from '../api/faults.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import {
  answeredOf,
  type Done,
  type Many,
  partKey,
  type Result,
  type Target,
  untouched,
  withResults,
} from '../text/many.ts';

/** Changes that have no call for many are sent a few at a time: calls are limited. */
const AT_ONCE = 4;

/** Sends a part under its key, and tells what became of each. */
export interface Sending<T extends Target> {
  atOnce: number;
  send: (part: readonly T[], idempotencyKey: string) => Promise<readonly Result[]>;
}

/** Sends one member at a time, each under a key of its own. */
export const oneByOne = <T extends Target>(
  change: (target: T, idempotencyKey: string) => Promise<Done['undo']>,
): Sending<T> => ({
  atOnce: AT_ONCE,
  send: (part, key) =>
    Promise.all(part.map((target, index) => settled(change(target, `${key}-${index}`)))),
});

/** A refusal is a result; without an answer it is none, and can be sent again. */
async function settled(change: Promise<Done['undo']>): Promise<Result> {
  try {
    return { undo: await change };
  } catch (error) {
    if (mayGoOn(error)) throw error;
    return { reason: sentenceOf(error as Error) };
  }
}

/** Whether a part that failed so can be sent again, and meanwhile may have been done. */
export const mayGoOn = (error: unknown): boolean =>
  isOutcomeUnknown(error) || (isProblem(error) && [429, 503].includes(error.status));

const undoing = oneByOne<Done>(({ undo }) => undo().then(() => undo));

interface Running<T extends Target> {
  many: Many;
  start: (targets: readonly T[], sending: Sending<T>) => void;
  /** After the part that is on its way. */
  stop: () => void;
  /** Sends again what had no answer: nothing is done twice. */
  resume: () => void;
  /** To what was typed, if nothing came of it. */
  back: () => void;
  undo: () => void;
}

/** Does something to many members; nothing of it goes on once nobody looks. */
export function useMany<T extends Target>(): Running<T> {
  const [many, setMany] = useState(untouched);
  const latest = useRef(many);
  const isStopped = useRef(false);
  const resume = useRef(() => {});
  const show = (next: Many): void => {
    latest.current = next;
    setMany(next);
  };
  const stop = (): void => {
    isStopped.current = true;
  };
  useEffect(() => stop, []);
  const begin = <S extends Target>(targets: readonly S[], sending: Sending<S>, isUndo: boolean) => {
    const key = newIdempotencyKey();
    const sendNext = async (): Promise<boolean> => {
      const from = answeredOf(latest.current);
      const part = targets.slice(from, from + sending.atOnce);
      if (part.length === 0) return false;
      const results = await sending.send(part, partKey(key, Math.floor(from / sending.atOnce)));
      show(withResults(latest.current, part, results));
      return true;
    };
    const run = async (): Promise<void> => {
      isStopped.current = false;
      show({ ...latest.current, phase: 'running', error: null });
      try {
        while (!isStopped.current && (await sendNext()));
        const isDone = answeredOf(latest.current) === targets.length;
        show({ ...latest.current, phase: isDone ? 'done' : 'stopped' });
      } catch (error) {
        show({ ...latest.current, phase: 'stopped', error: error as Error });
      }
    };
    resume.current = () => void run();
    show(untouched(targets.length, isUndo));
    resume.current();
  };
  return {
    many,
    start: (targets, sending) => begin(targets, sending, false),
    stop,
    resume: () => resume.current(),
    back: () => show(untouched()),
    undo: () => begin(latest.current.done, undoing, true),
  };
}
