import type { Answer, Kind } from './caller.ts';
import { counts, type Findings, milliseconds } from './findings.ts';

/** Refusals that the load provokes: members run out of points, holds end, and so on. */
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
  admin: ['unauthorized'],
};

/** The codes that are allowed while the database is down. */
const TEMPORARY: readonly string[] = ['overloaded', 'storage-unavailable', 'outcome-unknown'];

/** Counts every answer and reports those that must not occur. */
export class Counts {
  readonly #findings: Findings;
  readonly #mayBeDown: boolean;
  readonly #statuses = new Map<number, number>();
  readonly #refusals = new Map<string, number>();
  readonly #longest = new Map<Kind, number>();
  #requests = 0;

  constructor(findings: Findings, mayBeDown: boolean) {
    this.#findings = findings;
    this.#mayBeDown = mayBeDown;
  }

  add(answer: Answer): void {
    const { status, code, call, tookMs } = answer;
    this.#requests += 1;
    increment(this.#statuses, status);
    if (code !== '') increment(this.#refusals, code);
    this.#longest.set(call.kind, Math.max(this.#longest.get(call.kind) ?? 0, tookMs));
    if (status >= 200 && status < 300) return;
    if (EXPECTED[call.kind].includes(code)) return;
    const what = `${status} ${code} to ${call.method} ${call.path}: ${answer.text}`;
    if (status !== 503 || !this.#mayBeDown) {
      this.#findings.fault('a wrong answer', what);
      return;
    }
    const { headers } = answer;
    const hasRetryAfter =
      TEMPORARY.includes(code) && /^[1-9]\d*$/.test(headers['retry-after'] ?? '');
    this.#findings.expect(hasRetryAfter, 'a 503 without Retry-After', what);
  }

  /** One line of progress. */
  line(): string {
    return `${this.#requests.toLocaleString('en')} requests (${counts(this.#statuses)})`;
  }

  report(): void {
    this.#findings.figure('requests by status', counts(this.#statuses));
    this.#findings.figure('refusals by kind', counts(this.#refusals));
    const longest = Array.from(this.#longest, ([kind, ms]) => `${kind} ${milliseconds(ms)}`);
    this.#findings.figure('longest wait', longest.join(', '));
  }
}

function increment<Name>(to: Map<Name, number>, name: Name): void {
  to.set(name, (to.get(name) ?? 0) + 1);
}
