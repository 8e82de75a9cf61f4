import type { Call } from './protocol.ts';
import type { Thread } from './thread.ts';

/** A thread that its first call starts: many services never need it. */
export class LazyThread {
  readonly #start: () => Promise<Thread>;
  /** A start that fails is a death like any other. */
  readonly #onDeath: (error: Error) => void;
  #started: Promise<Thread> | null = null;
  #isClosed = false;

  constructor(start: () => Promise<Thread>, onDeath: (error: Error) => void) {
    this.#start = start;
    this.#onDeath = onDeath;
  }

  async call<T>(method: Call['method'], argument: unknown): Promise<T> {
    if (this.#isClosed) throw new Error('the storage is closed');
    this.#started ??= this.#startOnce();
    return (await this.#started).call(method, argument);
  }

  /** Every call made before this is answered first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#started?.catch(() => null);
    await thread?.close();
  }

  async #startOnce(): Promise<Thread> {
    try {
      return await this.#start();
    } catch (error) {
      this.#onDeath(error as Error);
      throw error;
    }
  }
}
