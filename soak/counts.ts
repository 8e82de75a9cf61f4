import type { Answer, Kind } from './caller.ts';
import { counts, milliseconds, type Verdict } from './verdict.ts';

/** Refusals that are part of the game: members run out of points, holds end, and so on. */
const EXPECTED: Record<Kind, readonly string[]> = {
  write: [
    'insufficient-points',
    'member-frozen',
    'hold-closed',
    'hold-exceeded',
    'reversal-exceeded',
    'too-many-tokens',
  ],
  read: [],
  view: [],
  admin: ['unauthorized'],
};

/** What callers may be told while the database is away. */
const PASSING: readonly string[] = ['overloaded', 'outcome-unknown'];

/** Looks at every answer: counts it, and knows which there must not be. */
export class Counts {
  readonly #verdict: Verdict;
  readonly #mayBeDown: boolean;
  readonly #statuses = new Map<number, number>();
  readonly #refusals = new Map<string, number>();
  readonly #longest = new Map<Kind, number>();
  #requests = 0;

  /** Where the database may be away, callers may be turned away. */
  constructor(verdict: Verdict, mayBeDown: boolean) {
    this.#verdict = verdict;
    this.#mayBeDown = mayBeDown;
  }

  see(answer: Answer): void {
    const { status, code, call, tookMs } = answer;
    this.#requests += 1;
    add(this.#statuses, status);
    if (code !== '') add(this.#refusals, code);
    this.#longest.set(call.kind, Math.max(this.#longest.get(call.kind) ?? 0, tookMs));
    if (status >= 200 && status < 300) return;
    if (EXPECTED[call.kind].includes(code)) return;
    const what = `${status} ${code} to ${call.method} ${call.path}: ${answer.text}`;
    if (status !== 503 || !this.#mayBeDown) {
      this.#verdict.fault('a wrong answer', what);
      return;
    }
    const { headers } = answer;
    const isTold = PASSING.includes(code) && /^[1-9]\d*$/.test(headers['retry-after'] ?? '');
    this.#verdict.expect(isTold, 'a 503 that does not tell when to try again', what);
  }

  /** In one line, for who watches. */
  line(): string {
    return `${this.#requests.toLocaleString('en')} requests (${counts(this.#statuses)})`;
  }

  report(): void {
    this.#verdict.figure('requests by status', counts(this.#statuses));
    this.#verdict.figure('refusals by kind', counts(this.#refusals));
    const longest = Array.from(this.#longest, ([kind, ms]) => `${kind} ${milliseconds(ms)}`);
    this.#verdict.figure('longest wait', longest.join(', '));
  }
}

function add<Name>(to: Map<Name, number>, name: Name): void {
  to.set(name, (to.get(name) ?? 0) + 1);
}
