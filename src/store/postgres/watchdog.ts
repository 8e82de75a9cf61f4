import { STATEMENT_MS } from './session.ts';

/**
 * A connection that is silent for longer than this while a request is pending is lost: the server
 * or the network has gone, since the server itself cancels a statement before that. A pipeline of
 * several statements is answered only at its end, so the server is first asked whether it is still
 * executing it.
 */
const SILENCE_MS = STATEMENT_MS + 2_000;
const MAX_PIPELINE_MS = 30_000;
const CHECK_MS = 1_000;

/** What was sent and has no answer yet. */
interface Request {
  at: number;
  statements: number;
}

/** Tracks the requests of a connection and reports a server that no longer answers. */
export class Watchdog {
  readonly #isExecuting: () => Promise<boolean>;
  readonly #onSilent: () => void;
  /** Oldest first. */
  readonly #pending: Request[] = [];
  #answeredAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  /** `isExecuting` asks, on another connection, whether the server still executes what was sent. */
  constructor(isExecuting: () => Promise<boolean>, onSilent: () => void) {
    this.#isExecuting = isExecuting;
    this.#onSilent = onSilent;
  }

  get pending(): number {
    return this.#pending.length;
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  sent(statements: number): void {
    this.#pending.push({ at: performance.now(), statements });
  }

  answered(): void {
    this.#pending.shift();
    this.#answeredAt = performance.now();
  }

  answeredWithin(ms: number): boolean {
    return performance.now() - this.#answeredAt < ms;
  }

  async #check(): Promise<void> {
    const [oldest] = this.#pending;
    if (!oldest || this.#isChecking) return;
    const silentFor = performance.now() - Math.max(oldest.at, this.#answeredAt);
    if (silentFor < SILENCE_MS) return;
    this.#isChecking = true;
    const mayTakeLonger = oldest.statements > 1 && silentFor < MAX_PIPELINE_MS;
    const isExecuting = mayTakeLonger && (await this.#isExecuting());
    this.#isChecking = false;
    if (!isExecuting && this.#pending[0] === oldest) this.#onSilent();
  }
}
