import { type Answer, isGood } from './caller.ts';
import type { Findings } from './findings.ts';

/** One record that a successful write adds to the journal. */
export interface Part {
  /** Identifies the record: its type and a text that only this write contains. */
  mark: string;
  memberId: string;
  /** As in the journal, without a sign. */
  tokens: number;
  /** The changes of balances. */
  postings: [memberId: string, tokens: number][];
}

/** Failures that say that nothing was changed. */
const UNDONE: readonly string[] = ['overloaded', 'storage-unavailable'];

/** The seq of a part's record, if the answer reports it. */
export type Reported = number | 'unreported' | 'refused';

/** A change with its own idempotency key. */
export interface Write {
  idempotencyKey: string;
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
  parts: Part[];
  /** What a successful answer reports of each part. */
  reported: (json: Answer['json']) => Reported[];
}

/**
 * What the callers know of a write: it was acknowledged, it was refused or the service was
 * unavailable (in both cases nothing changed), or its outcome is unknown.
 */
type Fate = 'done' | 'refused' | 'unavailable' | 'unknown';

export class Entry {
  readonly write: Write;
  /** The body of the first successful answer. */
  text: string | null = null;
  reported: Reported[] = [];
  /** Successful answers that are not marked as replayed. */
  firsts = 0;
  /** The outcome that a later attempt showed; it replaces an unknown one. */
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
    return this.#isRefused ? 'refused' : 'unavailable';
  }

  add(answer: Answer, findings: Findings): void {
    if (isGood(answer)) this.#addSuccess(answer, findings);
    else if (answer.status >= 400 && answer.status < 500) this.#isRefused = true;
    else if (!UNDONE.includes(answer.code)) this.#isUnknown = true;
  }

  /** Whether every answer said that nothing changed, although the write was done. */
  get isDenied(): boolean {
    return this.fate === 'done' && this.firsts === 0 && !this.#isUnknown;
  }

  /** The parts that were done, with the seqs of their records. */
  done(): { part: Part; seq: number | null }[] {
    return this.write.parts.flatMap((part, index) => {
      const seq = this.reported[index] ?? 'refused';
      return seq === 'refused' ? [] : [{ part, seq: seq === 'unreported' ? null : seq }];
    });
  }

  #addSuccess({ text, json, headers }: Answer, findings: Findings): void {
    const { idempotencyKey } = this.write;
    if (headers['idempotent-replayed'] !== 'true') this.firsts += 1;
    findings.expect(this.firsts < 2, 'one key was carried out twice', idempotencyKey);
    const isSame = text === (this.text ?? text);
    findings.expect(isSame, 'one key had two answers', `${this.text} and ${text}`);
    this.text ??= text;
    this.reported = this.write.reported(json);
  }
}

/** All writes that were sent, with their outcomes as far as the callers know. */
export class WriteLog {
  readonly entries: Entry[] = [];

  add(write: Write): Entry {
    const entry = new Entry(write);
    this.entries.push(entry);
    return entry;
  }

  with(fate: Fate): Entry[] {
    return this.entries.filter((entry) => entry.fate === fate);
  }

  /** The balances that follow from the acknowledged writes. */
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
