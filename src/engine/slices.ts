import { Delay } from './delay.ts';
import { Unavailable } from './errors.ts';
import type { Caller } from './ledger.ts';
import { TurnTime } from './turn-time.ts';

/** How long the work of one instance takes in a turn of the event loop. */
const SLICE_MS = 3;
/** Work that takes no longer is done at once, unless a slice of such work has been done. */
const SHORT_MS = 1;

/** Steps take well below a millisecond; but 5 ms to check a signature, or to compile a schema. */
type Work<T> = Pick<Generator<unknown, T>, 'next'>;

interface Task {
  work: Work<unknown>;
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
  readonly #timeAtOnce = new TurnTime(SLICE_MS);
  readonly delay = new Delay();

  /** Does the work; it is dropped as soon as its caller, if it has one, has disconnected. */
  run<T>(realm: string, caller: Caller | null, work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const task = { work, caller, resolve, reject };
      const queue = this.#queues.get(realm);
      if (queue) queue.push(task);
      else if (!this.#timeAtOnce.isLeft || !isFinished(task, performance.now() + SHORT_MS)) {
        this.#queues.set(realm, [task]);
        if (this.#queues.size === 1) setImmediate(this.#runSlice);
      }
    });
  }

  /** Does work of one step. */
  runStep<T>(realm: string, caller: Caller | null, step: () => T): Promise<T> {
    return this.run(realm, caller, { next: () => ({ done: true, value: step() }) });
  }

  readonly #runSlice = (): void => {
    this.delay.unlessDelayed(this.#takeTurn);
    if (this.#queues.size > 0) setImmediate(this.#runSlice);
  };

  readonly #takeTurn = (): void => {
    const [realm, queue] = this.#queues.entries().next().value as [string, Task[]];
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end && queue[0] && isFinished(queue[0], end)) queue.shift();
    this.#queues.delete(realm);
    if (queue.length > 0) this.#queues.set(realm, queue);
  };
}

/** Those of this thread, which has one event loop; commits on PostgreSQL have their own. */
export const slices = new Slices();

/** Works until then at most, but takes one step in any case. */
function isFinished({ work, caller, resolve, reject }: Task, end: number): boolean {
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
