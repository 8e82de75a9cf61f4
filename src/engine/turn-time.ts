/** The time that may be spent on something in one turn of the event loop. */
export class TurnTime {
  readonly #ms: number;
  /** When it began in this turn; 0 if it has not. */
  #since = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isLeft(): boolean {
    const now = performance.now();
    if (this.#since > 0) return now < this.#since + this.#ms;
    this.#since = now;
    setImmediate(this.#end);
    return true;
  }

  readonly #end = (): void => {
    this.#since = 0;
  };
}
