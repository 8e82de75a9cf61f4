import { Unavailable } from './errors.ts';

/** How long a caller waits. What is left then is done all the same. */
const MAX_WAIT_MS = 8_000;
const RETRY_MS = 100;

/** Whether the storage may be back within seconds, as after a lost connection. */
const isTransient = (error: unknown): boolean =>
  error instanceof Unavailable &&
  (error.reason === 'storage-unavailable' || error.reason === 'overloaded');

/**
 * Long work in small steps, each a transaction, with a pause as long as the step: others write in
 * between. There is one piece of work for each name, and one step at a time, whatever the number of
 * names: of 30 realms that were deleted together, the steps that met in one message to the writer
 * held up a transfer for half a second.
 */
export class PacedSteps {
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = Promise.withResolvers<void>();
  #isStopping = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Ends all work after the current step. */
  stop(): void {
    this.#isStopping = true;
    this.#stopping.resolve();
  }

  /** Starts the work of this name, unless it is running already; resolves when it is done. */
  run(name: string, work: () => Promise<void>): Promise<void> {
    return this.#running.getOrInsertComputed(name, () =>
      work().finally(() => this.#running.delete(name)),
    );
  }

  /**
   * Resolves when the work is done, or after some seconds. Never rejects: a transient failure is
   * retried, and a job does what is left.
   */
  async patiently(work: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    await Promise.race([this.#untilDone(work), promise, this.#stopping.promise]);
    clearTimeout(timer);
  }

  async #untilDone(work: () => Promise<void>): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    while (!this.#isStopping && performance.now() < end) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error)) return;
        await this.pause(RETRY_MS);
      }
    }
  }

  /** Makes steps until one finds nothing more. */
  async repeat(step: () => boolean | Promise<boolean>): Promise<void> {
    while (!this.#isStopping && (await this.#inTurn(step)));
  }

  async pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, this.#stopping.promise]);
    clearTimeout(timer);
  }

  #inTurn(step: () => boolean | Promise<boolean>): Promise<boolean> {
    const turn = this.#lastTurn.then(async () => {
      if (this.#isStopping) return false;
      const start = performance.now();
      const hasMore = await step();
      await this.pause(performance.now() - start);
      return hasMore;
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}
