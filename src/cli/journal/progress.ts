/** Where progress is written; stderr, so that stdout has only the result. */
export interface ProgressOutlet {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Work that is done by then needs no words. */
const SILENT_MS = 1_000;
/** Between two words: a moving line on a terminal, few lines in a log. */
const PAUSE_MS = { terminal: 200, log: 5_000 };
/** Back to the beginning of the line, and away with what stands there. */
const ERASE_LINE = '\r\x1b[K';

/** Tells how far long work is. Short work says nothing. */
export class Progress {
  readonly #outlet: ProgressOutlet;
  readonly #clock: () => number;
  #nextAt: number;
  #isShown = false;

  constructor(
    outlet: ProgressOutlet = process.stderr,
    clock: () => number = () => performance.now(),
  ) {
    this.#outlet = outlet;
    this.#clock = clock;
    this.#nextAt = clock() + SILENT_MS;
  }

  /** May be called as often as one likes. */
  tell(text: string): void {
    const now = this.#clock();
    if (now < this.#nextAt) return;
    const { isTTY } = this.#outlet;
    this.#nextAt = now + (isTTY ? PAUSE_MS.terminal : PAUSE_MS.log);
    this.#isShown = true;
    this.#outlet.write(isTTY ? `${ERASE_LINE}${text} …` : `${text} …\n`);
  }

  /** Leaves a terminal as it was. */
  end(): void {
    if (this.#isShown && this.#outlet.isTTY) this.#outlet.write(ERASE_LINE);
    this.#isShown = false;
  }
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
