import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../../domain/commands.ts';
import type { TimingListener } from '../../../ledger/batch-timing.ts';
import { InDoubt } from '../../../ledger/errors.ts';
import type { Executor, Ledger } from '../../../ledger/ledger.ts';
import type { WrittenListener } from '../../../ledger/store.ts';
import {
  type Call,
  type FromThread,
  failureOf,
  type HostData,
  Outbox,
  type Reply,
} from './protocol.ts';

interface Pending {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  /** The number of the last round of the clock in which a reply is in time. */
  lastRound: number;
  isProbe: boolean;
}

/** A call without a reply for this many rounds has failed, whatever the thread is doing. */
const MAX_ROUNDS = 6;
const ROUND_MS = 10_000;

/** TypeScript in a clone, JavaScript in the package. */
const HOST = import.meta.filename.endsWith('.ts') ? './host.ts' : './host.js';

interface ThreadOptions extends Omit<HostData, 'isTimed'> {
  onDeath: (error: Error) => void;
  /** Called with each failure, except of probes; the caller gets it when the promise resolves. */
  onFailure: (error: Error) => Promise<void>;
  /** Called with the realms whose journals the thread has added to. */
  onWritten: WrittenListener;
  /** Null if nothing is traced. */
  onTimed: TimingListener | null;
  resourceLimits: ResourceLimits;
}

/** One storage thread, as the main thread sees it. Every call is settled, sooner or later. */
export class Thread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #outbox: Outbox<Call>;
  /** Counts rounds instead of reading a clock for every call. */
  readonly #clock: NodeJS.Timeout;
  #round = 0;
  #nextId = 1;
  #closing = false;
  #dead: Error | null = null;

  private constructor(worker: Worker, options: ThreadOptions) {
    this.#worker = worker;
    this.#options = options;
    // All calls of one turn of the event loop are posted together.
    this.#outbox = new Outbox((text) => worker.postMessage(text), setImmediate);
    this.#clock = setInterval(() => this.#rejectOverdue(), ROUND_MS).unref();
    worker.on('message', (text: string) => this.#receive(JSON.parse(text)));
    worker.on('error', (error: Error) => this.#die(error));
    worker.on('exit', (code) => this.#die(new Error(`a storage thread exited with code ${code}`)));
  }

  static start(options: ThreadOptions): Promise<Thread> {
    const { role, path, onTimed, resourceLimits } = options;
    const workerData: HostData = { role, path, isTimed: onTimed !== null };
    const worker = new Worker(new URL(HOST, import.meta.url), { workerData, resourceLimits });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', () => {
        worker.off('error', reject);
        resolve(new Thread(worker, options));
      });
    });
  }

  call<T>(method: Call['method'], argument: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#dead) return reject(this.#dead);
      const id = this.#nextId++;
      // A check of a whole journal takes as long as it takes.
      const lastRound = method === 'verify' ? Number.POSITIVE_INFINITY : this.#round + MAX_ROUNDS;
      const isProbe = method === 'probe';
      this.#pending.set(id, { resolve, reject, lastRound, isProbe });
      this.#outbox.push({ id, method, argument });
    });
  }

  /** Every call made before this is answered first. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#dead) return;
    this.#outbox.flush();
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.postMessage(null);
    await ended;
  }

  #receive(items: FromThread[]): void {
    for (const reply of items) {
      if ('id' in reply) this.#answer(reply);
      else if ('written' in reply) this.#options.onWritten(reply.written);
      else this.#options.onTimed?.(reply.timing);
    }
  }

  #answer(reply: Reply): void {
    const pending = this.#settled(reply.id);
    if (!pending) return;
    if ('error' in reply) void this.#fail(pending, failureOf(reply));
    else pending.resolve(reply.value as never);
  }

  async #fail({ isProbe, reject }: Pending, error: Error): Promise<void> {
    if (!isProbe) await this.#options.onFailure(error);
    reject(error);
  }

  /** Removes a call that is settled now; undefined if it was settled before. */
  #settled(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    return pending;
  }

  #rejectOverdue(): void {
    this.#round += 1;
    for (const [id, { lastRound }] of this.#pending) {
      if (lastRound < this.#round) this.#settled(id)?.reject(this.#overdue());
    }
  }

  /** Whoever waits for a write has to know that it may still happen. */
  #overdue(): Error {
    const { role } = this.#options;
    const message = `the ${role} thread did not reply within ${MAX_ROUNDS * ROUND_MS} ms`;
    return role === 'writer' ? new InDoubt(message) : new Error(message);
  }

  /** Rejects all pending calls; later ones are rejected at once. */
  #die(error: Error): void {
    if (this.#dead) return;
    this.#dead = error;
    clearInterval(this.#clock);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    if (!this.#closing) this.#options.onDeath(error);
  }
}

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

export type WriterThread = Executor & Pick<Ledger, 'close'>;

/** Executes commands in a thread of its own. One that dies rejects whatever waits for it. */
export async function startWriter(path: string): Promise<WriterThread> {
  const thread = await Thread.start({
    role: 'writer',
    path,
    onDeath: () => undefined,
    onFailure: async () => undefined,
    onWritten: () => undefined,
    onTimed: null,
    resourceLimits: {},
  });
  return {
    execute: <N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> =>
      thread.call('execute', command),
    close: () => thread.close(),
  };
}
