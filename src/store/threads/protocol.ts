import type { QueryName } from '../../domain/queries.ts';
import type { BatchTiming } from '../../engine/batch-timing.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../../engine/errors.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { toDomainError } from '../sqlite/errors.ts';
import { ProjectionsBehind } from '../sqlite/projections/behind.ts';

/**
 * The messages between threads are lists as JSON text. Measured on the commands of a transfer, text
 * takes half the time of a structured clone, and one message for everything of one turn of the
 * event loop takes a fraction of the time of a message each.
 */
export interface Call {
  id: number;
  method: 'execute' | 'catchUp' | QueryName | keyof Housekeeping;
  argument: unknown;
}

export type Reply = { id: number; value: unknown } | ({ id: number } & Failure);

/** Sent by the writer before the outcomes of a batch: the realms whose journals it has added to. */
interface Written {
  written: readonly string[] | null;
}

/** Sent by the writer before the outcomes of a batch that has traced commands. */
interface Timed {
  timing: BatchTiming;
}

export type FromThread = Reply | Written | Timed;

interface Failure {
  /** Of a fault the whole stack, since this thread logs nothing. */
  error: string;
  /** Null for a fault. */
  reason: UnavailableReason | null;
  /** For a query that has to wait until its realm is projected up to this seq. */
  behind?: number;
  /** For a write that may or may not be durable. */
  isInDoubt?: true;
}

export function failureReply(id: number, fault: unknown): Reply {
  const error = toDomainError(fault);
  if (error instanceof ProjectionsBehind) {
    return { id, error: error.message, reason: null, behind: error.end };
  }
  if (error instanceof Unavailable) return { id, error: error.message, reason: error.reason };
  if (error instanceof InDoubt) return { id, error: error.message, reason: null, isInDoubt: true };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, error: text, reason: null };
}

export function failureOf({ error, reason, behind, isInDoubt }: Failure): Error {
  if (behind !== undefined) return new ProjectionsBehind(behind);
  if (isInDoubt) return new InDoubt(error);
  return reason === null ? new Error(error) : new Unavailable(reason, error);
}

export interface HostData {
  role: 'writer' | 'reader' | 'projections' | 'verifier';
  path: string;
  /** Whether the writer reports when it has written traced commands. */
  isTimed: boolean;
}

/**
 * A message is sent at the end of the event-loop tick, or as soon as it has this many items. Then a
 * storage thread starts while the rest is still being read: measured with 64 connections, 16 gives
 * a fifth more transfers than no bound, and a third more reads.
 */
const FLUSH_AT = 16;

interface OutboxOptions<T> {
  post: (text: string) => void;
  later: (flush: () => void) => void;
  /** Called for an item that cannot be sent, such as one that is longer than a string can be. */
  onUnsent: (item: T, error: unknown) => void;
}

/** Gathers the items of one event-loop tick and posts them as one message. */
export class Outbox<T> {
  #items: T[] = [];
  readonly #options: OutboxOptions<T>;

  constructor(options: OutboxOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length === 1) this.#options.later(() => this.flush());
    if (this.#items.length === FLUSH_AT) this.flush();
  }

  flush(): void {
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#post(items);
  }

  #post(items: T[]): void {
    try {
      this.#options.post(JSON.stringify(items));
    } catch (error) {
      // Each by itself, so that one that cannot be sent fails alone.
      if (items.length > 1) for (const item of items) this.#post([item]);
      else this.#options.onUnsent(items[0] as T, error);
    }
  }
}
