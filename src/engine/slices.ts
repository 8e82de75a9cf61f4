import { Delay } from './delay.ts';
import { Unavailable } from './errors.ts';
import type { Caller } from './ledger.ts';

/** What other work waits at most for long work, in every turn of the event loop. */
const SLICE_MS = 3;
/** Work that takes no longer is done at once. */
const SHORT_MS = 1;

interface Task {
  /** Each step takes well below a millisecond. */
  work: Generator<unknown, unknown>;
  caller: Caller | null;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Long work on a thread that serves others meanwhile: one slice of it per turn of the event loop,
 * to which realms take turns. Within a realm one piece of work follows another, so that few large
 * bodies are half read at any time.
 */
export class Slices {
  /** The realm whose turn is next comes first. */
  readonly #queues = new Map<string, Task[]>();
  readonly delay = new Delay();

  /** Does the work; it is dropped as soon as its caller, if it has one, has disconnected. */
  run<T>(realm: string, caller: Caller | null, work: Generator<unknown, T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const task = { work, caller, resolve, reject };
      const queue = this.#queues.get(realm);
      if (queue) queue.push(task);
      else if (!isFinished(task, SHORT_MS)) {
        this.#queues.set(realm, [task]);
        if (this.#queues.size === 1) setImmediate(this.#runSlice);
      }
    });
  }

  readonly #runSlice = (): void => {
    this.delay.unlessDelayed(this.#takeTurn);
    if (this.#queues.size > 0) setImmediate(this.#runSlice);
  };

  readonly #takeTurn = (): void => {
    const [realm, queue] = this.#queues.entries().next().value as [string, Task[]];
    const [task] = queue;
    if (task && isFinished(task, SLICE_MS)) queue.shift();
    this.#queues.delete(realm);
    if (queue.length > 0) this.#queues.set(realm, queue);
  };
}

/** Those of this thread, which has one event loop. */
export const slices = new Slices();

/** Works for so long. */
function isFinished({ work, caller, resolve, reject }: Task, ms: number): boolean {
  const end = performance.now() + ms;
  try {
    if (caller?.destroyed) throw new Unavailable('overloaded', 'the caller disconnected');
    do {
      const { done, value } = work.next();
      if (!done) continue;
      resolve(value as never);
      return true;
    } while (performance.now() < end);
    return false;
  } catch (error) {
    reject(error);
    return true;
  }
}
