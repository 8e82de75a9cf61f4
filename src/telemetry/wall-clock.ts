import { monotonicMs } from '../engine/batch-timing.ts';

/** Smaller differences are those of reading two clocks, one of them in whole milliseconds. */
const TOLERATED_MS = 5;

const MAX_READING_MS = 1;

/** The time of day at instants of `monotonicMs`. */
export class WallClock {
  #offset = currentOffset();

  /** Follows corrections of the time of day. */
  adjust(): void {
    const offset = currentOffset();
    if (Math.abs(offset - this.#offset) > TOLERATED_MS) this.#offset = offset;
  }

  /** Since 1970, as text: a number would not hold it. Exact to the microsecond. */
  nanosecondsAt(instant: number): string {
    return `${Math.round((this.#offset + instant) * 1_000)}000`;
  }
}

/** Whoever is interrupted between reading both clocks reads them again. */
function currentOffset(): number {
  for (;;) {
    const before = monotonicMs();
    const now = Date.now();
    if (monotonicMs() - before < MAX_READING_MS) return now - before;
  }
}
