import { decodeRecord } from '../records.ts';
import type { Fault } from './audit.ts';
import type { JournalRecord } from './journal.ts';
import { personalHashOf } from './personal-parts.ts';

/**
 * Checks the personal parts of records, in the order of the journal. One that is missing was erased
 * if a later record says that a member of its record was erased; otherwise it is lost.
 */
export class PersonalAuditor {
  /** The records whose part is missing, and no member of which was erased so far. */
  readonly #missing = new Set<number>();
  readonly #missingOf = new Map<string, number[]>();

  checkRecord(record: JournalRecord): Fault | null {
    const { seq, personal, personalHash } = record;
    const erased = decodeRecord(record, ['member.erased']);
    if (erased) this.#erase(erased.data.memberId);
    if (personal === null) {
      if (personalHash !== null) this.#miss(record);
      return null;
    }
    if (personalHash === personalHashOf(personal)) return null;
    return { seq, detail: `the personal part of record ${seq} is not what was written` };
  }

  /** Finds a part that is missing although nobody was erased. */
  end(): Fault | null {
    const [seq] = this.#missing;
    if (seq === undefined) return null;
    const detail = `the personal part of record ${seq} is missing, but none of its members is erased`;
    return { seq, detail };
  }

  #miss({ seq, data }: JournalRecord): void {
    const { memberId, recipientId } = JSON.parse(data);
    this.#missing.add(seq);
    for (const each of new Set([memberId, recipientId])) {
      this.#missingOf.getOrInsertComputed(String(each), () => []).push(seq);
    }
  }

  #erase(memberId: string): void {
    for (const seq of this.#missingOf.get(memberId) ?? []) this.#missing.delete(seq);
    this.#missingOf.delete(memberId);
  }
}
