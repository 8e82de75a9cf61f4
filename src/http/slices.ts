import { Unavailable } from '../engine/errors.ts';

/** What other requests wait at most for long work, in every turn of the event loop. */
const SLICE_MS = 3;

/** Whoever waits for the work; nobody does once the connection is closed. */
interface Caller {
  readonly destroyed: boolean;
}

interface Task {
  /** Each step takes well below a millisecond. */
  work: Generator<unknown, unknown>;
  caller: Caller;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Long work on the thread that serves HTTP: one slice of it per turn of the event loop, to which
 * realms take turns. Within a realm one piece of work follows another, so that few large bodies
 * are half read at any time.
 */
export class Slices {
  /** The realm whose turn is next comes first. */
  readonly #queues = new Map<string, Task[]>();

  run<T>(realm: string, caller: Caller, work: Generator<unknown, T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const task = { work, caller, resolve, reject };
      const queue = this.#queues.get(realm);
      if (queue) queue.push(task);
      else this.#queues.set(realm, [task]);
      if (this.#queues.size === 1 && !queue) setImmediate(this.#runSlice);
    });
  }

  readonly #runSlice = (): void => {
    const [realm, queue] = this.#queues.entries().next().value as [string, Task[]];
    const [task] = queue;
    if (task && isFinished(task)) queue.shift();
    this.#queues.delete(realm);
    if (queue.length > 0) this.#queues.set(realm, queue);
    if (this.#queues.size > 0) setImmediate(this.#runSlice);
  };
}

/** Works for the length of a slice. */
function isFinished({ work, caller, resolve, reject }: Task): boolean {
  const end = performance.now() + SLICE_MS;
  try {
    if (caller.destroyed) throw new Unavailable('overloaded', 'the caller disconnected');
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
