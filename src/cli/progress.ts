/** Where progress is written: stderr by default, since stdout has only the result. */
interface ProgressOutlet {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Work that ends sooner shows no progress. */
const SILENT_MS = 1_000;
/** Between updates: often for the one line on a terminal, seldom for the lines of a log. */
const INTERVAL_MS = { terminal: 200, log: 5_000 };
const ERASE_LINE = '\r\x1b[K';

/** Shows how far long-running work has got; on a terminal, disposing clears the line. */
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

  /** May be called at any rate. */
  show(text: string): void {
    const now = this.#clock();
    if (now < this.#nextAt) return;
    const { isTTY } = this.#outlet;
    this.#nextAt = now + (isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.log);
    this.#isShown = true;
    this.#outlet.write(isTTY ? `${ERASE_LINE}${text} …` : `${text} …\n`);
  }

  [Symbol.dispose](): void {
    if (this.#isShown && this.#outlet.isTTY) this.#outlet.write(ERASE_LINE);
  }
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
