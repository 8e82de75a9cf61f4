import type { Reversal } from '../facts.ts';
import type { MemberStatus, PointKind } from '../model.ts';
import { decodeRecord, type RecordOf } from '../records.ts';
import type { Fault } from './audit.ts';
import type { JournalRecord } from './journal.ts';
import { Column, MemberIndex } from './member-columns.ts';

export interface MemberToCheck {
  memberId: string;
  status: MemberStatus;
}

const CHECKED_TYPES = [
  'realm.created',
  'point.created',
  'point.updated',
  'member.created',
  'member.frozen',
  'member.unfrozen',
  'member.removed',
  'points.reversed',
] as const;

/** Numbered by their place, which is what a column stores. */
const STATUSES: readonly MemberStatus[] = ['active', 'frozen', 'removed'];

/**
 * Compares members, point kinds and reversals with the journal: with the balances, everything that
 * statements and leaderboards are read with. Each row may be checked once.
 */
export class TableAuditor {
  readonly #members = new MemberIndex();
  readonly #statuses = new Column();
  readonly #kinds = new Map<string, PointKind>();
  readonly #reversals = new Map<number, Reversal>();

  /** Adds the next record of the journal. */
  addRecord(record: JournalRecord): void {
    const decoded = decodeRecord(record, CHECKED_TYPES);
    if (decoded) this.#apply(decoded);
  }

  /** How many members are enrolled and not removed, until they are checked. */
  get memberCount(): number {
    return this.#statuses.count((status) => STATUSES[status] !== 'removed' && status >= 0);
  }

  checkMember({ memberId, status }: MemberToCheck): Fault | null {
    const expected = STATUSES[this.#statuses.take(this.#members.of(memberId))];
    if (expected === status) return null;
    const detail = expected
      ? `the member is ${status}, but ${expected} according to the journal`
      : 'the member is not in the journal';
    return { seq: null, memberId, detail };
  }

  checkKind(stored: PointKind): Fault | null {
    const expected = this.#kinds.get(stored.id);
    this.#kinds.delete(stored.id);
    const names = Object.keys(expected ?? {}) as (keyof PointKind)[];
    const wrong = names.find((name) => stored[name] !== expected?.[name]);
    if (expected && !wrong) return null;
    const detail = wrong
      ? `${wrong} of the point kind is not what the journal says`
      : 'the point kind is not in the journal';
    return { seq: null, realmPointId: stored.id, detail };
  }

  checkReversal({ seq, tokens, by }: Reversal): Fault | null {
    const expected = this.#reversals.get(seq);
    this.#reversals.delete(seq);
    if (expected?.tokens === tokens && expected.by === by) return null;
    const { tokens: sum = 0, by: last = null } = expected ?? {};
    const detail =
      `${tokens} points of record ${seq} are reversed, last by record ${by}, ` +
      `but according to the journal ${sum}, last by record ${last}`;
    return { seq: null, detail };
  }

  /** Finds what is in the journal but was in no row that was checked. */
  checkMissing(): Fault | null {
    const index = this.#statuses.findIndex(() => true);
    if (index >= 0) {
      const detail = 'the member is in the journal, but its row is missing';
      return { seq: null, memberId: this.#members.idOf(index), detail };
    }
    const [kind] = this.#kinds.keys();
    if (kind !== undefined) {
      const detail = 'the point kind is in the journal, but its row is missing';
      return { seq: null, realmPointId: kind, detail };
    }
    const [seq] = this.#reversals.keys();
    if (seq === undefined) return null;
    return { seq: null, detail: `record ${seq} was reversed, but the row that says so is missing` };
  }

  #apply(record: RecordOf<(typeof CHECKED_TYPES)[number]>): void {
    switch (record.type) {
      case 'realm.created':
        for (const kind of record.data.points) this.#setKind(kind);
        break;
      case 'point.created':
        this.#setKind(record.data);
        break;
      case 'point.updated': {
        const before = this.#kinds.get(record.data.id);
        if (before) this.#setKind({ ...before, ...record.data });
        break;
      }
      case 'points.reversed': {
        const { reversalOf: seq, tokens } = record.data;
        const before = this.#reversals.get(seq)?.tokens ?? 0;
        this.#reversals.set(seq, { seq, tokens: before + Math.abs(tokens), by: record.seq });
        break;
      }
      default:
        this.#statuses.set(this.#members.of(record.data.memberId), statusAfter(record.type));
    }
  }

  /** A new default replaces the old one, which has no record of its own. */
  #setKind(kind: PointKind): void {
    if (kind.isDefault) {
      for (const other of this.#kinds.values()) {
        if (other.isDefault) this.#kinds.set(other.id, { ...other, isDefault: false });
      }
    }
    this.#kinds.set(kind.id, kind);
  }
}

function statusAfter(type: `member.${'created' | 'frozen' | 'unfrozen' | 'removed'}`): number {
  if (type === 'member.frozen') return STATUSES.indexOf('frozen');
  return STATUSES.indexOf(type === 'member.removed' ? 'removed' : 'active');
}
