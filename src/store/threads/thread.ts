import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { AnswerTo, CommandName, CommandOf, Outcome } from '../../domain/commands.ts';
import type { QueryName } from '../../domain/queries.ts';
import type { BatchTiming } from '../../ledger/batch-timing.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../../ledger/errors.ts';
import type { Executor, Ledger } from '../../ledger/ledger.ts';
import type { Housekeeping } from '../../ledger/store.ts';

/**
 * The messages between threads are lists as JSON text. Measured on the commands of a transfer, text
 * takes half the time of a structured clone, and one message for everything of one turn of the
 * event loop takes a fraction of the time of a message each.
 */
export interface Call {
  id: number;
  method: 'execute' | QueryName | keyof Housekeeping;
  argument: unknown;
}

type Reply = { id: number; value: unknown } | ({ id: number } & Failure);

interface Failure {
  /** Of a fault the whole stack, since the storage thread logs nothing. */
  error: string;
  /** Null for a fault. */
  reason: UnavailableReason | null;
  /** For a write that may or may not be durable. */
  isInDoubt?: true;
}

export type ThreadEvent =
  /** The realms whose journals have grown; sent before the outcomes of the batch. */
  | { written: readonly string[] | null }
  /** When traced commands were written. */
  | { timing: BatchTiming }
  /** Why nothing can be written from now on; null if it can again. */
  | { outage: { reason: UnavailableReason; message: string; cause: string } | null }
  /** Why the server accepts no further connection. */
  | { refused: string }
  /** Why a server of a cluster is away; null if it is back. */
  | { server: string; away: string | null };

export type FromThread = Reply | ThreadEvent;

export interface HostData {
  /** On SQLite one thread writes, one reads and one verifies; on PostgreSQL one does all. */
  role: 'writer' | 'reader' | 'verifier' | 'postgres';
  /** The path of a file, or the URL of a server. */
  database: string;
  /** Whether the writer reports when it has written traced commands. */
  isTimed: boolean;
}

export function failureReply(id: number, error: unknown): Reply {
  if (error instanceof Unavailable) return { id, error: error.message, reason: error.reason };
  if (error instanceof InDoubt) return { id, error: error.message, reason: null, isInDoubt: true };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, error: text, reason: null };
}

export function failureOf({ error, reason, isInDoubt }: Failure): Error {
  if (isInDoubt) return new InDoubt(error);
  return reason === null ? new Error(error) : new Unavailable(reason, error);
}

/**
 * A message is sent at the end of the event-loop tick, or as soon as it has this many items. Then a
 * storage thread starts while the rest is still being read: measured with 64 connections, 16 gives
 * a fifth more transfers than no bound, and a third more reads.
 */
const FLUSH_AT = 16;

/** Gathers the items of one event-loop tick and posts them as one message. */
export class Outbox<T> {
  #items: T[] = [];
  readonly #post: (text: string) => void;
  readonly #later: (flush: () => void) => void;

  constructor(post: (text: string) => void, later: (flush: () => void) => void) {
    this.#post = post;
    this.#later = later;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length === 1) this.#later(() => this.flush());
    if (this.#items.length === FLUSH_AT) this.flush();
  }

  flush(): void {
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#post(JSON.stringify(items));
  }
}

interface Pending {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  isWrite: boolean;
  /** The number of the last round of the clock in which a reply is in time. */
  lastRound: number;
}

/** A call without a reply for this many rounds has failed, whatever the thread is doing. */
const MAX_ROUNDS = 6;
const ROUND_MS = 10_000;

/** TypeScript in a clone, JavaScript in the package. */
const HOST = import.meta.filename.endsWith('.ts') ? './host.ts' : './host.js';

interface ThreadOptions extends HostData {
  onDeath?(error: Error): void;
  /** Called with each failure, before its caller gets it. */
  onFailure?(error: Error): void;
  onEvent?(event: ThreadEvent): void;
  resourceLimits?: ResourceLimits;
}

/** Whoever waits for a write has to know that it may have happened. */
const failed = (isWrite: boolean, message: string): Error =>
  isWrite ? new InDoubt(message) : new Error(message);

/** One storage thread, as the main thread sees it. Every call is settled, sooner or later. */
export class Thread {
  /** Resolves when it has opened the database. Calls made before wait for that. */
  readonly ready: Promise<void>;
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

  constructor(options: ThreadOptions) {
    const { role, database, isTimed, resourceLimits = {} } = options;
    const workerData: HostData = { role, database, isTimed };
    const worker = new Worker(new URL(HOST, import.meta.url), { workerData, resourceLimits });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.ready.catch(() => undefined);
    this.#worker = worker;
    this.#options = options;
    // All calls of one turn of the event loop are posted together.
    this.#outbox = new Outbox((text) => worker.postMessage(text), setImmediate);
    this.#clock = setInterval(() => this.#rejectOverdue(), ROUND_MS).unref();
    const die = (error: Error): void => {
      reject(error);
      this.#die(error);
    };
    worker.on('message', (text: string | null) =>
      text === null ? resolve() : this.#receive(JSON.parse(text)),
    );
    worker.on('error', die);
    worker.on('exit', (code) => die(new Error(`a storage thread exited with code ${code}`)));
  }

  call<T>(method: Call['method'], argument: unknown, isWrite = false): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#dead) return reject(this.#dead);
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject, isWrite, lastRound: this.#round + MAX_ROUNDS });
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
    for (const item of items) {
      if ('id' in item) this.#answer(item);
      else this.#options.onEvent?.(item);
    }
  }

  #answer(reply: Reply): void {
    // A call that is overdue was settled before.
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('error' in reply) {
      const error = failureOf(reply);
      this.#options.onFailure?.(error);
      pending?.reject(error);
    } else pending?.resolve(reply.value as never);
  }

  #rejectOverdue(): void {
    this.#round += 1;
    for (const [id, { lastRound, isWrite, reject }] of this.#pending) {
      if (lastRound >= this.#round) continue;
      this.#pending.delete(id);
      reject(failed(isWrite, `the storage did not reply within ${MAX_ROUNDS * ROUND_MS} ms`));
    }
  }

  /** Rejects all pending calls; later ones are rejected at once. */
  #die(error: Error): void {
    if (this.#dead) return;
    this.#dead = error;
    clearInterval(this.#clock);
    const closed = new Unavailable('overloaded', 'the storage is closed');
    for (const { reject, isWrite } of this.#pending.values()) {
      reject(this.#closing && !isWrite ? closed : failed(isWrite, error.message));
    }
    this.#pending.clear();
    if (!this.#closing) this.#options.onDeath?.(error);
  }
}

export type WriterThread = Executor & Pick<Ledger, 'close'>;

/** Executes commands in a thread of its own. One that dies rejects whatever waits for it. */
export async function startWriter(path: string): Promise<WriterThread> {
  const thread = new Thread({ role: 'writer', database: path, isTimed: false });
  await thread.ready;
  return {
    execute: <N extends CommandName>(command: CommandOf<N>): Promise<Outcome<AnswerTo<N>>> =>
      thread.call('execute', command, true),
    close: () => thread.close(),
  };
}
