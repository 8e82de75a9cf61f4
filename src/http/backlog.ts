import { Delay } from '../engine/delay.ts';
import { TurnTime } from '../engine/turn-time.ts';
import { Turns, type Waiting } from '../engine/turns.ts';

/** For how long requests are handled as they arrive, in one iteration of the event loop. */
const BUSY_MS = 5;
/** How many that have waited are handled in one iteration. */
const PER_ITERATION = 4;

interface Turn extends Waiting {
  proceed: () => void;
}

/**
 * Received bytes whose turn is still to come, in turns by caller. Each iteration of the event loop
 * handles a few of them, so that answers of the storage are handled and other sockets are read
 * in between.
 */
export class Backlog {
  readonly #maxBytes: number;
  readonly #turns = new Turns<Turn>({
    perLine: Number.POSITIVE_INFINITY,
    inAll: Number.POSITIVE_INFINITY,
  });
  /** For requests that are handled as they arrive. */
  readonly #time = new TurnTime(BUSY_MS);
  #bytes = 0;
  #isScheduled = false;
  readonly delay = new Delay();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Counts received bytes that wait, or no longer wait. False if they are too many. */
  count(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }

  /** Whether bytes that arrive now may be handled at once. */
  get isIdle(): boolean {
    return this.#turns.length === 0 && this.#time.isLeft;
  }

  add(caller: string, proceed: () => void): void {
    this.#turns.add({ line: caller, cost: 1, arrival: 0, proceed });
    this.#schedule();
  }

  /** Resolves when it is the caller's turn. */
  turn(caller: string): Promise<void> {
    return new Promise((proceed) => this.add(caller, proceed));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #proceed = (): void => {
    for (let taken = 0; taken < PER_ITERATION; taken += 1) this.#turns.take()?.proceed();
  };

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.delay.unlessDelayed(this.#proceed);
    if (this.#turns.length > 0) this.#schedule();
  };
}
