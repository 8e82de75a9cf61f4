import { Worker } from 'node:worker_threads';
import { Interrupted, type Outcome, type Post } from './client.ts';

/** TypeScript in a clone, JavaScript in the package. */
const HOST = import.meta.filename.endsWith('.ts') ? './client-host.ts' : './client-host.js';

/** Collected early, garbage stays small. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

export interface HostData {
  allowPrivate: boolean;
  deadlineMs: number | undefined;
}

export type ToClient = { id: number; message: Post } | { interrupted: number };

export interface FromClient {
  id: number;
  outcome: Outcome;
}

type Attempt = Pick<PromiseWithResolvers<Outcome>, 'resolve' | 'reject'>;

/**
 * A `WebhookClient` in a thread of its own, so that no receiver, whatever it answers, occupies the
 * thread that serves HTTP. The first message starts it, also again after it has died.
 */
export class ClientThread {
  readonly #data: HostData;
  readonly #attempts = new Map<number, Attempt>();
  #worker: Worker | null = null;
  #nextId = 1;

  constructor(data: HostData) {
    this.#data = data;
  }

  /** Rejects with `Interrupted` if the signal ends the attempt, or with why the thread died. */
  async post(message: Post, signal: AbortSignal): Promise<Outcome> {
    if (signal.aborted) throw new Interrupted('the attempt was interrupted');
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const interrupt = (): void => {
      worker.postMessage({ interrupted: id } satisfies ToClient);
      reject(new Interrupted('the attempt was interrupted'));
    };
    this.#attempts.set(id, { resolve, reject });
    signal.addEventListener('abort', interrupt);
    try {
      worker.postMessage({ id, message } satisfies ToClient);
      return await promise;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#attempts.delete(id);
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL(HOST, import.meta.url), {
      workerData: this.#data,
      resourceLimits: RESOURCE_LIMITS,
    });
    let cause: unknown;
    worker.on('message', ({ id, outcome }: FromClient) => this.#attempts.get(id)?.resolve(outcome));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = null;
      const died = new Error('the thread that sends to webhooks died', { cause });
      for (const { reject } of this.#attempts.values()) reject(died);
    });
    return worker;
  }
}
