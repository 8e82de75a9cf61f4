import { type Answer, isGood } from './caller.ts';
import type { Verdict } from './verdict.ts';

/** One record that a write leaves in the journal, if it is done. */
export interface Part {
  /** What the record can be told by: its type, and what only this write says. */
  mark: string;
  memberId: string;
  /** As the journal has it, without a sign. */
  tokens: number;
  /** What it does to balances. */
  postings: [memberId: string, tokens: number][];
}

/** The number of a part's record, as the answer tells it; or that it tells none. */
export type Told = number | 'untold' | 'refused';

/** A change that was asked for, with an idempotency key that no other has. */
export interface Write {
  idempotencyKey: string;
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
  parts: Part[];
  /** What a good answer tells of each part. */
  told: (json: Answer['json']) => Told[];
}

/**
 * What the callers know of a write. `done` was acknowledged; `refused` and `turned away` promise
 * that nothing happened; of `unknown` nobody can tell.
 */
type Fate = 'done' | 'refused' | 'turned away' | 'unknown';

export class Entry {
  readonly write: Write;
  /** The text of the first good answer. */
  text: string | null = null;
  told: Told[] = [];
  /** Good answers that do not say that they are repeated. */
  firsts = 0;
  /** The last word where nobody asks at the same time: it overrules what was unknown. */
  settled: Fate | null = null;
  #isUnknown = false;
  #isRefused = false;

  constructor(write: Write) {
    this.write = write;
  }

  get fate(): Fate {
    if (this.text !== null) return 'done';
    if (this.settled) return this.settled;
    if (this.#isUnknown) return 'unknown';
    return this.#isRefused ? 'refused' : 'turned away';
  }

  note(answer: Answer, verdict: Verdict): void {
    if (isGood(answer)) this.#noteGood(answer, verdict);
    else if (answer.status >= 400 && answer.status < 500) this.#isRefused = true;
    else if (answer.code !== 'overloaded') this.#isUnknown = true;
  }

  /** Whether somebody was told that nothing was done, and it was. */
  get isDenied(): boolean {
    return this.fate === 'done' && this.firsts === 0 && !this.#isUnknown;
  }

  /** The parts that were done, with the numbers of their records. */
  done(): { part: Part; seq: number | null }[] {
    return this.write.parts.flatMap((part, index) => {
      const told = this.told[index] ?? 'refused';
      return told === 'refused' ? [] : [{ part, seq: told === 'untold' ? null : told }];
    });
  }

  #noteGood({ text, json, headers }: Answer, verdict: Verdict): void {
    const { idempotencyKey } = this.write;
    if (headers['idempotent-replayed'] !== 'true') this.firsts += 1;
    verdict.expect(this.firsts < 2, 'one key was answered twice as if new', idempotencyKey);
    const isSame = text === (this.text ?? text);
    verdict.expect(isSame, 'one key had two answers', `${this.text} and ${text}`);
    this.text ??= text;
    this.told = this.write.told(json);
  }
}

/** Everything that was asked to be written, and what became of it as far as callers know. */
export class WriteLog {
  readonly entries: Entry[] = [];

  enter(write: Write): Entry {
    const entry = new Entry(write);
    this.entries.push(entry);
    return entry;
  }

  with(fate: Fate): Entry[] {
    return this.entries.filter((entry) => entry.fate === fate);
  }

  /** What every member should have, by what was acknowledged. */
  balances(): Map<string, number> {
    const balances = new Map<string, number>();
    for (const entry of this.with('done')) {
      for (const { part } of entry.done()) {
        for (const [memberId, tokens] of part.postings) {
          balances.set(memberId, (balances.get(memberId) ?? 0) + tokens);
        }
      }
    }
    return balances;
  }
}
