import type { Command } from '../../domain/commands.ts';
import type { QueryName } from '../../domain/queries.ts';
import { Unavailable, type UnavailableReason } from '../../engine/errors.ts';
import type { Housekeeping } from '../../engine/store.ts';

/**
 * What the threads say to each other: always a list, as JSON text. Measured on the commands of a
 * transfer, text takes half the time of a structured clone, and one message for all that gathered
 * in a turn of the event loop takes a fraction of a message each.
 */
export type Call =
  | { id: number; execute: Command }
  | { id: number; query: QueryName; params: unknown }
  | { id: number; housekeeping: keyof Housekeeping; argument: unknown };

export type Reply = { id: number; value: unknown } | ({ id: number } & Failure);

/**
 * `reason` of an `Unavailable`; null for a fault of ours, told in full since nobody logs it here.
 */
interface Failure {
  error: string;
  reason: UnavailableReason | null;
}

export function failureReply(id: number, error: unknown): Reply {
  if (error instanceof Unavailable) return { id, error: error.message, reason: error.reason };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { id, error: text, reason: null };
}

export const failureOf = ({ error, reason }: Failure): Error =>
  reason === null ? new Error(error) : new Unavailable(reason, error);

export interface HostData {
  role: 'writer' | 'reader' | 'projections';
  path: string;
}

/**
 * What is said in one turn of the event loop travels together, but no more than this waits for the
 * turn's end: a storage thread should begin while the rest is still being read. Measured with 64
 * connections: 16 gives a fifth more transfers than no bound, a third more reads.
 */
const FLUSH_AT = 16;

/** Gathers what is said in one turn and hands it over as one message. */
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
