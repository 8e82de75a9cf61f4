import { movementOf, postingsOf } from '../movements.ts';
import { decodeRecord } from '../records.ts';
import { Column, type Fault, MemberIndex } from './comparison.ts';
import { HoldAuditor } from './hold-audit.ts';
import { chainHash, GENESIS, type JournalRecord, personalHashOf, recordText } from './journal.ts';
import { OfferAuditor } from './offer-audit.ts';

/** The last instant a Date can represent. */
const MAX_TIME = 8.64e15;

export type Verdict =
  | { ok: true; transactions: number; records: number; members: number; head: string }
  | { ok: false; transactions: number; records: number; fault: Fault };

export type VerificationStep = 'journal' | 'tables' | 'projections';

export interface Verification {
  id: string;
  realmId: string;
  /** `failed`: the check could not be completed, because the storage failed or is closing. */
  status: 'queued' | 'running' | 'done' | 'failed';
  step: VerificationStep | null;
  /** How much of the step is done; the total is null if it is not known. */
  checked: number;
  total: number | null;
  /** Null until the check is done, and if the realm does not exist. */
  result: Verdict | null;
}

/** The end of a journal: its last record, or where it starts. */
type JournalEnd = Pick<JournalRecord, 'seq' | 'hash' | 'at'>;

const EMPTY: JournalEnd = { seq: 0, hash: GENESIS, at: 0 };

/** What is wrong with a record as the next one of a journal; null if it fits. */
export function chainFault(realmId: string, end: JournalEnd, record: JournalRecord): Fault | null {
  const { seq, at, hash } = record;
  const next = end.seq + 1;
  if (seq !== next) {
    return { seq: next, detail: `record ${next} is missing: after ${end.seq} comes ${seq}` };
  }
  const isTime = Math.abs(at) <= MAX_TIME;
  if (!isTime || chainHash(end.hash, recordText(realmId, record)) !== hash) {
    return { seq, detail: `record ${seq} is not what was written: its hash does not match` };
  }
  return at < end.at ? { seq, detail: `record ${seq} is older than the one before it` } : null;
}

/** What differs between the end of a journal and the realm's row; null if they agree. */
function endFault({ seq: last, hash }: JournalEnd, seq: number, head: string): Fault | null {
  if (seq > last) {
    return { seq: last + 1, detail: `records ${last + 1} to ${seq} are missing` };
  }
  if (seq < last) {
    return { seq: seq + 1, detail: `record ${seq + 1} was added behind the journal's end` };
  }
  return head === hash ? null : { seq, detail: `the realm's head is not that of record ${seq}` };
}

/** Checks only the last records of a journal, those after `start`, and the realm's row. */
export function tailFault(
  realm: { id: string; seq: number; head: string },
  start: JournalEnd | null,
  records: readonly JournalRecord[],
): Fault | null {
  let end = start ?? EMPTY;
  for (const record of records) {
    const fault = chainFault(realm.id, end, record);
    if (fault) return fault;
    end = record;
  }
  return endFault(end, realm.seq, realm.head);
}

/**
 * Checks the personal parts of records, in the order of the journal. One that is missing was erased
 * if a later record says that a member of its record was erased; otherwise it is lost. The members
 * of a hold include the recipients of its captures so far.
 */
export class PersonalAuditor {
  /** The records whose part is missing, and no member of which was erased so far. */
  readonly #missing = new Set<number>();
  readonly #missingOf = new Map<string, number[]>();

  checkRecord(record: JournalRecord): Fault | null {
    const { seq, personal, personalHash } = record;
    if (personal === null && personalHash !== null) this.#addMissing(record);
    // Its own part goes as well.
    const erased = decodeRecord(record, ['member.erased', 'person.erased']);
    if (erased)
      this.#erase('memberId' in erased.data ? erased.data.memberId : erased.data.personId);
    if (personal === null || personalHash === personalHashOf(personal)) return null;
    return { seq, detail: `the personal part of record ${seq} is not what was written` };
  }

  end(): Fault | null {
    const [seq] = this.#missing;
    if (seq === undefined) return null;
    const part = `the personal part of record ${seq}`;
    return { seq, detail: `${part} is missing, but none of its members is erased` };
  }

  #addMissing({ seq, data }: JournalRecord): void {
    const { memberId, recipientId, personId, holdId } = JSON.parse(data);
    this.#missing.add(seq);
    for (const each of new Set([memberId, recipientId, personId])) {
      // The part of its hold, which is the same text, is missing as well.
      const parts = holdId === undefined ? [seq] : [seq, holdId];
      this.#missingOf.getOrInsertComputed(String(each), () => []).push(...parts);
    }
  }

  #erase(id: string): void {
    for (const seq of this.#missingOf.get(id) ?? []) this.#missing.delete(seq);
    this.#missingOf.delete(id);
  }
}

/** Checks a journal from its first record on, then the realm's row against it. */
export class Auditor {
  readonly #realmId: string;
  readonly parts = new PersonalAuditor();
  readonly members = new MemberIndex();
  readonly holds = new HoldAuditor(this.members);
  readonly offers = new OfferAuditor(this.members);
  /** The sums of postings by kind of points, then by member. */
  readonly balances = new Map<string, Column>();
  #end = EMPTY;
  #transactions = 0;

  constructor(realmId: string) {
    this.#realmId = realmId;
  }

  /** What has been verified so far; `transactions` are the records that moved points. */
  get verified() {
    const { seq: records, hash: head } = this.#end;
    return { records, head, transactions: this.#transactions };
  }

  checkRecord(record: JournalRecord): Fault | null {
    const fault =
      chainFault(this.#realmId, this.#end, record) ??
      this.parts.checkRecord(record) ??
      this.holds.checkRecord(record) ??
      this.offers.checkRecord(record) ??
      this.#checkPostings(record);
    if (!fault) this.#end = record;
    return fault;
  }

  checkEnd(seq: number, head: string): Fault | null {
    return endFault(this.#end, seq, head);
  }

  balanceOf(memberId: string, realmPointId: string): number {
    return this.balances.get(realmPointId)?.get(this.members.of(memberId)) || 0;
  }

  #checkPostings(record: JournalRecord): Fault | null {
    const movement = movementOf(record);
    if (!movement) return null;
    const { seq } = movement;
    const postings = postingsOf(movement);
    if (postings.length === 0) return null;
    for (const { memberId, realmPointId, tokens, balance } of postings) {
      const balances = this.balances.getOrInsertComputed(realmPointId, () => new Column());
      const index = this.members.of(memberId);
      const sum = (balances.get(index) || 0) + tokens;
      if (sum !== balance) {
        const detail = `record ${seq} says a balance of ${balance}; the journal adds up to ${sum}`;
        return { seq, memberId, realmPointId, detail };
      }
      balances.set(index, sum);
    }
    this.#transactions += 1;
    return null;
  }
}
