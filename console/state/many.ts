import { isProblem } from '@realmkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isOutcomeUnknown, sentenceOf } from '../api/faults.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import {
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
  change: (target: T, idempotencyKey: string) => Promise<() => Promise<unknown>>,
): Sending<T> => ({
  atOnce: AT_ONCE,
  send: (part, key) =>
    Promise.all(part.map((target, index) => settled(() => change(target, `${key}-${index}`)))),
});

/** A refusal is a result; without an answer it is none, and can be sent again. */
async function settled(change: () => Promise<() => Promise<unknown>>): Promise<Result> {
  try {
    return { undo: await change() };
  } catch (error) {
    if (isOutcomeUnknown(error) || isNotNow(error)) throw error;
    return { reason: sentenceOf(error as Error) };
  }
}

/** The service is busy: the same may pass a little later. */
const isNotNow = (error: unknown): boolean => isProblem(error) && [429, 503].includes(error.status);

interface Running<T extends Target> {
  many: Many<T>;
  start: (targets: readonly T[], sending: Sending<T>) => void;
  /** After the part that is on its way. */
  stop: () => void;
  /** Sends again what had no answer: nothing is done twice. */
  resume: () => void;
  undo: () => void;
}

/** Does something to many members; nothing of it goes on once nobody looks. */
export function useMany<T extends Target>(): Running<T> {
  const [many, setMany] = useState<Many<T>>(() => untouched([]));
  const latest = useRef(many);
  const isStopped = useRef(false);
  const begun = useRef<{ key: string; sending: Sending<T> } | null>(null);
  const show = (next: Many<T>): void => {
    latest.current = next;
    setMany(next);
  };
  const stop = (): void => {
    isStopped.current = true;
  };
  useEffect(() => stop, []);
  const run = async (): Promise<void> => {
    if (!begun.current) return;
    const { key, sending } = begun.current;
    isStopped.current = false;
    show({ ...latest.current, phase: 'running', error: null });
    try {
      for (;;) {
        const { targets, answered } = latest.current;
        const part = targets.slice(answered, answered + sending.atOnce);
        if (part.length === 0 || isStopped.current) break;
        const place = Math.floor(answered / sending.atOnce);
        show(withResults(latest.current, await sending.send(part, partKey(key, place))));
      }
      const isDone = latest.current.answered >= latest.current.targets.length;
      show({ ...latest.current, phase: isDone ? 'done' : 'stopped' });
    } catch (error) {
      show({ ...latest.current, phase: 'stopped', error: error as Error });
    }
  };
  const start = (targets: readonly T[], sending: Sending<T>): void => {
    begun.current = { key: newIdempotencyKey(), sending };
    show(untouched(targets));
    void run();
  };
  return { many, start, stop, resume: () => void run(), undo: () => void takeBack(latest, show) };
}

/** What could not be undone is listed with its reason, as what could not be done is. */
async function takeBack<T extends Target>(
  latest: { current: Many<T> },
  show: (many: Many<T>) => void,
): Promise<void> {
  const targets = latest.current.done;
  let undoing: Many = { ...untouched(targets), phase: 'undoing' };
  const showPart = (): void =>
    show({ ...latest.current, ...undoing, targets: latest.current.targets });
  showPart();
  try {
    while (undoing.answered < targets.length) {
      const part = targets.slice(undoing.answered, undoing.answered + AT_ONCE);
      const results = await Promise.all(
        part.map(({ undo }) => settled(() => undo().then(() => undo))),
      );
      undoing = withResults(undoing, results);
      showPart();
    }
    show({ ...latest.current, phase: 'undone', error: null });
  } catch (error) {
    // Each undo takes effect once: those that are done stay in the list, and can be sent again.
    show({ ...latest.current, done: targets, refused: [], phase: 'done', error: error as Error });
  }
}
