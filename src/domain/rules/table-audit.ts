import type { Balance, Reversal } from '../facts.ts';
import type { MemberRow, MemberStatus, PointKind } from '../model.ts';
import { isMovement, postingsOf } from '../movements.ts';
import type { InstantRecord, RecordOf } from '../records.ts';
import type { Auditor } from './audit.ts';
import { Column, type Comparison, compareRows, differentField, type Fault } from './comparison.ts';
import { dayOf, isActivity } from './daily-totals.ts';
import { heldFault } from './hold-audit.ts';
import { instantOf } from './journal.ts';
import type { ScoreMove } from './leaderboards.ts';

/** Numbered by their place, which is what a column stores. */
const STATUSES: readonly MemberStatus[] = ['active', 'frozen', 'removed'];

const STATUS_AFTER: { readonly [Type in string]?: MemberStatus } = {
  'member.created': 'active',
  'member.frozen': 'frozen',
  'member.unfrozen': 'active',
  'member.removed': 'removed',
};

/** The fields of a record without those that every record may have. */
const ownOf = <T extends object>({
  occurredAt: _,
  onBehalfOf: __,
  ...own
}: T & { occurredAt?: string; onBehalfOf?: string }) => own;

/** Compares members, balances, point kinds and reversals with the journal. */
export class TableAuditor {
  readonly #auditor: Auditor;
  readonly #statuses = new Column();
  readonly #kinds = new Map<string, PointKind>();
  readonly #movedAt = new Map<string, Column>();
  readonly #activeDays = new Map<string, Column>();
  readonly #reversals = new Map<number, Reversal>();

  /** The auditor has checked each record before it is added here. */
  constructor(auditor: Auditor) {
    this.#auditor = auditor;
  }

  get memberCount(): number {
    return this.#statuses.count((status) => STATUSES[status] !== 'removed' && status >= 0);
  }

  /** The balances that members have, one for each kind of points. */
  *#expected(): Generator<{ memberId: string; realmPointId: string; balance: number }> {
    for (const realmPointId of this.#kinds.keys()) {
      const sums = this.#auditor.balances.get(realmPointId);
      for (let index = 0; index < this.#auditor.members.size; index++) {
        const memberId = this.#auditor.members.idOf(index);
        const balance = sums?.get(index) || 0;
        if (this.#isPresent(index)) yield { memberId, realmPointId, balance };
      }
    }
  }

  /** What everybody's balances add to the leaderboards for all time. */
  *standings(): Generator<ScoreMove> {
    for (const { realmPointId: leaderboard, balance: after } of this.#expected()) {
      yield { leaderboard, before: null, after };
    }
  }

  add({ record, at }: InstantRecord): void {
    if (isMovement(record)) {
      for (const { memberId, realmPointId } of postingsOf(record)) {
        const movedAt = this.#movedAt.getOrInsertComputed(realmPointId, () => new Column());
        const [index, instant] = [this.#indexOf(memberId), instantOf(at, record.data)];
        movedAt.set(index, instant);
        if (!isActivity(record)) continue;
        const days = this.#activeDays.getOrInsertComputed(realmPointId, () => new Column());
        days.set(index, Math.max(dayOf(instant), days.get(index) || 0));
      }
    }
    const status = STATUS_AFTER[record.type];
    if (status) this.#setStatus((record as RecordOf<'member.created'>).data.memberId, status);
    else this.#apply(record);
  }

  members(): Comparison<Pick<MemberRow, 'id' | 'status'>> {
    const seen = new Column();
    return {
      add: ({ id: memberId, status }) => {
        const index = this.#indexOf(memberId);
        const expected = STATUSES[this.#statuses.get(index)];
        seen.set(index, 1);
        if (expected === status) return null;
        const detail = expected
          ? `the member is ${status}, but ${expected} according to the journal`
          : 'the member is not in the journal';
        return { seq: null, memberId, detail };
      },
      end: () => {
        const index = this.#statuses.findIndex((_, at) => Number.isNaN(seen.get(at)));
        if (index < 0) return null;
        const detail = 'the member is in the journal, but its row is missing';
        return { seq: null, memberId: this.#auditor.members.idOf(index), detail };
      },
    };
  }

  /** Members need no row yet of those kinds that they are being enrolled in. */
  storedBalances(enrolling: ReadonlySet<string>): Comparison<Balance> {
    const seen = new Map<string, Column>();
    const held = this.#auditor.holds.held();
    return {
      add: (row) => {
        const { memberId, realmPointId } = row;
        const column = seen.getOrInsertComputed(realmPointId, () => new Column());
        column.set(this.#indexOf(memberId), 1);
        const detail = this.#balanceFault(row) ?? heldFault(row, held(row));
        return detail === null ? null : { seq: null, memberId, realmPointId, detail };
      },
      end: () => {
        for (const { memberId, realmPointId, balance } of this.#expected()) {
          if (seen.get(realmPointId)?.get(this.#indexOf(memberId)) === 1) continue;
          if (balance === 0 && enrolling.has(realmPointId)) continue;
          const detail = `there is no balance, but the journal adds up to ${balance}`;
          return { seq: null, memberId, realmPointId, detail };
        }
        return null;
      },
    };
  }

  kinds(): Comparison<PointKind> {
    const tell = ({ id: realmPointId }: PointKind, says: string): Fault => {
      return { seq: null, realmPointId, detail: `the point kind ${says}` };
    };
    return compareRows(this.#kinds.values(), ({ id }) => id, tell);
  }

  reversals(): Comparison<Reversal> {
    const tell = ({ seq }: Reversal, says: string) => `the reversal of record ${seq} ${says}`;
    return compareRows(this.#reversals.values(), ({ seq }) => seq, tell);
  }

  #balanceFault({ memberId, realmPointId, balance, ...last }: Balance): string | null {
    const index = this.#indexOf(memberId);
    const sum = this.#auditor.balanceOf(memberId, realmPointId);
    if (balance !== sum) return `the balance is ${balance}, but the journal adds up to ${sum}`;
    if (!this.#isPresent(index) || !this.#kinds.has(realmPointId)) {
      return 'there is a balance, but according to the journal no such member or point kind';
    }
    const [moved, day] = [this.#movedAt, this.#activeDays].map((columns) => {
      const value = columns.get(realmPointId)?.get(index) ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    });
    const says = differentField(last, { movedAt: moved, activeDay: day } as typeof last);
    return says && `the balance ${says}`;
  }

  #indexOf(memberId: string): number {
    return this.#auditor.members.of(memberId);
  }

  #isPresent(index: number): boolean {
    const status = STATUSES[this.#statuses.get(index)];
    return status !== undefined && status !== 'removed';
  }

  /** Who is enrolled again starts anew. */
  #setStatus(memberId: string, status: MemberStatus): void {
    const index = this.#indexOf(memberId);
    this.#statuses.set(index, STATUSES.indexOf(status));
    if (status !== 'removed') return;
    for (const columns of [this.#movedAt, this.#activeDays]) {
      for (const column of columns.values()) column.delete(index);
    }
  }

  #apply({ seq: by, type, data }: RecordOf): void {
    if (type === 'realm.created') for (const kind of data.points) this.#setKind(kind);
    if (type === 'point.created') this.#setKind(ownOf(data));
    if (type === 'point.updated') {
      const before = this.#kinds.get(data.id);
      if (before) this.#setKind({ ...before, ...ownOf(data) });
    }
    if (type === 'points.reversed') {
      const { reversalOf: seq, tokens } = data;
      const before = this.#reversals.get(seq)?.tokens ?? 0;
      this.#reversals.set(seq, { seq, tokens: before + Math.abs(tokens), by });
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
