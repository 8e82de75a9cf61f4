import { chainHash, GENESIS, type JournalRecord, recordText } from './journal.ts';
import { movementOf, postingsOf } from './postings.ts';

/** The last instant a Date can represent. */
const MAX_TIME = 8.64e15;

/** The result of a check, with the number of records and movements that were verified. */
export type Verdict =
  | { ok: true; transactions: number; records: number; members: number; head: string }
  | { ok: false; transactions: number; records: number; fault: Fault };

export interface Fault {
  /** The first record that is wrong; null if the fault is not in a record. */
  seq: number | null;
  memberId?: string;
  realmPointId?: string;
  detail: string;
}

/** Checks a journal from its first record on, then the realm's row and balances against it. */
export class Auditor {
  readonly #realmId: string;
  readonly #balances = new Map<string, number>();
  #transactions = 0;
  #seq = 0;
  #head = GENESIS;
  #at = 0;

  constructor(realmId: string) {
    this.#realmId = realmId;
  }

  get seq(): number {
    return this.#seq;
  }

  /** How many records moved points. */
  get transactions(): number {
    return this.#transactions;
  }

  get head(): string {
    return this.#head;
  }

  /** Checks the next record. */
  checkRecord(record: JournalRecord): Fault | null {
    const { seq, at, hash } = record;
    if (seq !== this.#seq + 1) {
      const detail = `record ${this.#seq + 1} is missing: after ${this.#seq} comes ${seq}`;
      return { seq: this.#seq + 1, detail };
    }
    const isTime = Math.abs(at) <= MAX_TIME;
    if (!isTime || chainHash(this.#head, recordText(this.#realmId, record)) !== hash) {
      return { seq, detail: `record ${seq} is not what was written: its hash does not fit` };
    }
    if (at < this.#at) return { seq, detail: `record ${seq} is older than the one before it` };
    const fault = this.#checkPostings(record);
    if (fault) return fault;
    this.#seq = seq;
    this.#head = hash;
    this.#at = at;
    return null;
  }

  /** Compares the realm's row with the end of the journal. */
  checkEnd(seq: number, head: string): Fault | null {
    if (seq > this.#seq) {
      return { seq: this.#seq + 1, detail: `records ${this.#seq + 1} to ${seq} are missing` };
    }
    if (seq < this.#seq) {
      return { seq: seq + 1, detail: `record ${seq + 1} was added behind the journal's end` };
    }
    return head === this.#head
      ? null
      : { seq, detail: `the realm's head is not that of record ${seq}` };
  }

  /** Compares a balance with the journal's sum. Each balance may be checked once. */
  checkBalance(memberId: string, realmPointId: string, balance: number): Fault | null {
    const key = `${memberId}:${realmPointId}`;
    const sum = this.#balances.get(key) ?? 0;
    this.#balances.delete(key);
    if (sum === balance) return null;
    const detail = `the balance is ${balance}, but the journal adds up to ${sum}`;
    return { seq: null, memberId, realmPointId, detail };
  }

  /** Finds a sum of the journal for which no balance was checked. */
  checkMissingBalances(): Fault | null {
    for (const [key, sum] of this.#balances) {
      if (sum === 0) continue;
      const [memberId = '', realmPointId = ''] = key.split(':');
      const detail = `there is no balance, but the journal adds up to ${sum}`;
      return { seq: null, memberId, realmPointId, detail };
    }
    return null;
  }

  #checkPostings(record: JournalRecord): Fault | null {
    const movement = movementOf(record);
    if (!movement) return null;
    const { seq } = movement;
    for (const { memberId, realmPointId, tokens, balance } of postingsOf(movement)) {
      const key = `${memberId}:${realmPointId}`;
      const sum = (this.#balances.get(key) ?? 0) + tokens;
      if (sum !== balance) {
        const detail = `record ${seq} says a balance of ${balance}; the journal adds up to ${sum}`;
        return { seq, memberId, realmPointId, detail };
      }
      this.#balances.set(key, sum);
    }
    this.#transactions += 1;
    return null;
  }
}
