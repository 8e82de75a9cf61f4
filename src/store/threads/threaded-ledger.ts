import { Worker } from 'node:worker_threads';
import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import {
  PROJECTION_QUERIES,
  type QueryName,
  type QueryParams,
  type QueryResult,
} from '../../domain/queries.ts';
import type { Ledger } from '../../engine/ledger.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { type Call, failureOf, type HostData, Outbox, type Reply } from './protocol.ts';

interface Pending {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** One storage thread, as the main thread sees it. */
class Thread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #outbox: Outbox<Call>;
  #nextId = 1;
  #closing = false;
  #dead: Error | null = null;

  private constructor(worker: Worker, onDeath: (error: Error) => void) {
    this.#worker = worker;
    // All calls of one turn of the event loop are posted together.
    this.#outbox = new Outbox((text) => worker.postMessage(text), setImmediate);
    worker.on('message', (text: string) => this.#settle(JSON.parse(text)));
    worker.on('error', (error: Error) => this.#die(error, onDeath));
    worker.on('exit', (code) =>
      this.#die(new Error(`a storage thread exited with code ${code}`), onDeath),
    );
  }

  static start(data: HostData, onDeath: (error: Error) => void): Promise<Thread> {
    const worker = new Worker(new URL('./host.ts', import.meta.url), { workerData: data });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', () => {
        worker.off('error', reject);
        resolve(new Thread(worker, onDeath));
      });
    });
  }

  call<T>(method: Call['method'], argument: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#dead) return reject(this.#dead);
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
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

  #settle(replies: Reply[]): void {
    for (const reply of replies) {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('error' in reply) pending?.reject(failureOf(reply));
      else pending?.resolve(reply.value as never);
    }
  }

  /** Rejects all pending calls; later ones are rejected at once. */
  #die(error: Error, onDeath: (error: Error) => void): void {
    if (this.#dead) return;
    this.#dead = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    if (!this.#closing) onDeath(error);
  }
}

const fromProjections: ReadonlySet<QueryName> = new Set(PROJECTION_QUERIES);

/** A ledger whose storage has threads of its own. */
export class ThreadedLedger implements Ledger {
  readonly housekeeping: Housekeeping;
  readonly #writer: Thread;
  readonly #reader: Thread;
  readonly #projections: Thread;

  private constructor(writer: Thread, reader: Thread, projections: Thread) {
    this.#writer = writer;
    this.#reader = reader;
    this.#projections = projections;
    const call =
      <T>(thread: Thread, method: keyof Housekeeping) =>
      (argument: unknown): Promise<T> =>
        thread.call(method, argument);
    this.housekeeping = {
      recordKeyUse: call(writer, 'recordKeyUse'),
      storeRootKeyHash: call(writer, 'storeRootKeyHash'),
      expireAnswers: call(writer, 'expireAnswers'),
      expireChallenges: call(writer, 'expireChallenges'),
      project: call(projections, 'project'),
      dropExpiredLeaderboards: call(projections, 'dropExpiredLeaderboards'),
    };
  }

  /** `onDeath` is called when a thread fails: the service cannot continue without it. */
  static async open(path: string, onDeath: (error: Error) => void): Promise<ThreadedLedger> {
    const start = (role: HostData['role']) => Thread.start({ role, path }, onDeath);
    // The writer starts first: it creates and migrates the file that the others open.
    const writer = await start('writer');
    const started = await Promise.allSettled([start('reader'), start('projections')]);
    const [reader, projections] = started.map((one) =>
      one.status === 'fulfilled' ? one.value : null,
    );
    if (reader && projections) return new ThreadedLedger(writer, reader, projections);
    for (const thread of [writer, reader, projections]) await thread?.close();
    throw started.find((one) => one.status === 'rejected')?.reason;
  }

  execute<N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> {
    return this.#writer.call('execute', command);
  }

  query<N extends QueryName>(name: N, params: QueryParams<N>): Promise<QueryResult<N>> {
    const thread = fromProjections.has(name) ? this.#projections : this.#reader;
    return thread.call(name, params);
  }

  async close(): Promise<void> {
    for (const thread of [this.#writer, this.#projections, this.#reader]) await thread.close();
  }
}
