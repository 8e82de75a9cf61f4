import { Unavailable } from '../engine/errors.ts';

/** How many of the largest bodies may be in memory at once. Of one realm two would not fit. */
const MAX_BODIES = 15;
/** A realm may hold a seventh of what it leaves free, so an eighth if it is alone. */
const FREE_PER_HELD = 7;
const MAX_WAIT_MS = 5_000;

/** Memory for one body. */
export class Reservation {
  readonly #budget: BodyBudget;
  readonly realm: string;
  bytes: number;

  constructor(budget: BodyBudget, realm: string, bytes: number) {
    this.#budget = budget;
    this.realm = realm;
    this.bytes = bytes;
  }

  /** Returns what the body turned out not to need, or at its end everything. */
  shrinkTo(bytes: number): void {
    const unused = this.bytes - bytes;
    if (unused <= 0) return;
    this.bytes = bytes;
    this.#budget.free(this.realm, unused);
  }
}

interface Waiting {
  reservation: Reservation;
  admit: (reservation: Reservation) => void;
  timer: NodeJS.Timeout;
}

/**
 * Bounds the memory that large bodies take, before they are read: in all, and for each realm. The
 * share of a realm shrinks as others hold more, so that something is always left for the next one:
 * eight realms have to stall in the middle of their bodies before a ninth has to wait.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #heldBytes = 0;
  readonly #heldBy = new Map<string, number>();
  /** The realm whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(largestBody: number) {
    this.#maxBytes = MAX_BODIES * largestBody;
  }

  /** Waits in turn for a limited time if there is not enough. */
  reserve(realm: string, bytes: number): Reservation | Promise<Reservation> {
    const reservation = new Reservation(this, realm, bytes);
    if (!this.#waiting.has(realm) && this.#fits(reservation)) return this.#hold(reservation);
    return new Promise((admit, reject) => {
      const queue = this.#waiting.get(realm) ?? [];
      const timer = setTimeout(() => {
        this.#leave(realm, queue, waiting);
        reject(new Unavailable('overloaded', 'too many large bodies'));
      }, MAX_WAIT_MS);
      const waiting = { reservation, admit, timer };
      queue.push(waiting);
      this.#waiting.set(realm, queue);
    });
  }

  free(realm: string, bytes: number): void {
    this.#heldBytes -= bytes;
    const left = (this.#heldBy.get(realm) ?? 0) - bytes;
    if (left > 0) this.#heldBy.set(realm, left);
    else this.#heldBy.delete(realm);
    this.#admitWaiting();
  }

  /** In turns by realm, until nobody at the head of a queue fits. */
  #admitWaiting(): void {
    for (const [realm, queue] of this.#waiting) {
      const [first] = queue;
      if (!first || !this.#fits(first.reservation)) continue;
      clearTimeout(first.timer);
      this.#leave(realm, queue, first);
      first.admit(this.#hold(first.reservation));
    }
  }

  /** Removes a request from its queue; the realm then has its next turn after all others. */
  #leave(realm: string, queue: Waiting[], waiting: Waiting): void {
    queue.splice(queue.indexOf(waiting), 1);
    this.#waiting.delete(realm);
    if (queue.length > 0) this.#waiting.set(realm, queue);
  }

  #fits({ realm, bytes }: Reservation): boolean {
    const held = (this.#heldBy.get(realm) ?? 0) + bytes;
    const left = this.#maxBytes - this.#heldBytes - bytes;
    return held * FREE_PER_HELD <= left || this.#heldBytes === 0;
  }

  #hold(reservation: Reservation): Reservation {
    const { realm, bytes } = reservation;
    this.#heldBytes += bytes;
    this.#heldBy.set(realm, (this.#heldBy.get(realm) ?? 0) + bytes);
    return reservation;
  }
}
