import type { QueryName } from '../../../domain/queries.ts';
import type { BatchTiming } from '../../../ledger/batch-timing.ts';
import { InDoubt, Unavailable, type UnavailableReason } from '../../../ledger/errors.ts';
import type { Housekeeping } from '../../../ledger/store.ts';
import { toDomainError } from '../errors.ts';

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
  /** For a write that may or may not be durable. */
  isInDoubt?: true;
}

export function failureReply(id: number, fault: unknown): Reply {
  const error = toDomainError(fault);
  if (error instanceof Unavailable) return { id, error: error.message, reason: error.reason };
  if (error instanceof InDoubt) return { id, error: error.message, reason: null, isInDoubt: true };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, error: text, reason: null };
}

export function failureOf({ error, reason, isInDoubt }: Failure): Error {
  if (isInDoubt) return new InDoubt(error);
  return reason === null ? new Error(error) : new Unavailable(reason, error);
}

export interface HostData {
  role: 'writer' | 'reader' | 'verifier';
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
