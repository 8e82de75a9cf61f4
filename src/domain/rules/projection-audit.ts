import { decodeRecord, MOVEMENT_TYPES } from '../records.ts';
import type { Comparison, Fault } from './audit.ts';
import { applyDayChanges, compareDays, type DailyTotals } from './daily-totals.ts';
import type { JournalRecord } from './journal.ts';
import { hasEnded } from './leaderboards.ts';
import { Column, differenceOf, MemberIndex } from './member-columns.ts';
import type { Posting } from './postings.ts';
import {
  applyScoreChanges,
  LEADERBOARD_RETENTION_MS,
  noSums,
  type ProjectedStanding,
  projectRecords,
} from './projections.ts';
import { bucketCounts, type RankBucket } from './ranks.ts';
import { StandingColumns } from './standing-columns.ts';

export type EntryRow = Pick<Posting, 'memberId' | 'seq' | 'type' | 'balance'>;
export type MovementRow = Pick<Posting, 'type' | 'seq'>;
export interface ScoreRow extends ProjectedStanding {
  memberId: string;
}

/** The last record that is projected; the hash is null if it is unknown. */
export interface ProjectedPosition {
  seq: number;
  hash: string | null;
}

/**
 * Folds a number into a digest of rows. Each step is a bijection of the digest and of the number's
 * lower half, so that a single changed number always changes the digest.
 */
function fold(digest: number, value: number): number {
  const low = Math.imul(digest ^ value, 0x85ebca6b);
  const high = Math.imul(low ^ (low >>> 13) ^ Math.floor(value / 2 ** 32), 0xc2b2ae35);
  return (high ^ (high >>> 16)) >>> 0;
}

const TYPES: readonly string[] = MOVEMENT_TYPES;
const typeNumber = (type: string): number => TYPES.indexOf(type);

const foldEntry = (digest: number, { seq, type, balance }: Omit<EntryRow, 'memberId'>): number =>
  fold(fold(fold(Number.isNaN(digest) ? 0 : digest, seq), typeNumber(type)), balance);

/** Ids are digits without leading zeros. */
const isLess = (a: string, b: string): boolean =>
  a.length === b.length ? a < b : a.length < b.length;

/**
 * Projects a journal up to the position of the stored projections, into numbers that are compared
 * with the stored rows: those of each standing, and for each member a digest of its entries.
 */
export class ProjectionAuditor {
  /** The point kinds as of the position. */
  readonly kinds: string[] = [];
  readonly #position: ProjectedPosition;
  readonly #now: number;
  readonly #members = new MemberIndex();
  readonly #entries = new Map<string, Column>();
  readonly #movements = new Map<string, number>();
  readonly #standings = new Map<string, StandingColumns>();
  readonly #days = noSums().days;
  /** Members that joined or left after the position. */
  readonly #unsettled = new Set<number>();
  #isOfThisJournal = false;

  /** `now` is the current instant, or that of the realm's last batch if it is later. */
  constructor(position: ProjectedPosition, now: number) {
    this.#position = position;
    this.#now = now;
  }

  /** Whether the record at the position is the one that was projected. */
  get isOfThisJournal(): boolean {
    return this.#isOfThisJournal;
  }

  /** Adds the next records of the journal, which may be beyond the position. */
  addRecords(records: readonly JournalRecord[]): void {
    const { seq: position, hash } = this.#position;
    const last = records.find(({ seq }) => seq === position);
    if (last) this.#isOfThisJournal = last.hash === (hash ?? last.hash);
    const end = records.findIndex(({ seq }) => seq > position);
    const projected = end < 0 ? records : records.slice(0, end);
    let from = 0;
    for (const [index, record] of projected.entries()) {
      const newKinds = this.#kindsOf(record);
      if (newKinds.length === 0) continue;
      this.#project(projected.slice(from, index));
      from = index;
      for (const kind of newKinds) this.#addKind(kind);
    }
    this.#project(projected.slice(from));
    for (const record of records.slice(projected.length)) {
      const changed = decodeRecord(record, ['member.created', 'member.removed']);
      if (changed) this.#unsettled.add(this.#members.of(changed.data.memberId));
    }
  }

  /**
   * The leaderboards to compare, given the names of those stored. Those of windows that ended some
   * time ago may be dropped at any moment, and those of kinds beyond the position are incomplete.
   */
  leaderboards(stored: readonly string[]): string[] {
    const isComparable = (name: string): boolean =>
      this.kinds.includes(name.split('@')[0] ?? '') &&
      !hasEnded(name, this.#now - LEADERBOARD_RETENTION_MS);
    return [...new Set([...this.#standings.keys(), ...stored])].filter(isComparable);
  }

  entries(kind: string): Comparison<EntryRow> {
    const stored = new Column();
    let last: EntryRow | null = null;
    return {
      add: (row) => {
        const before = last;
        last = row;
        if (before && !isLess(before.memberId, row.memberId)) {
          const isNext = before.memberId === row.memberId && before.seq < row.seq;
          if (!isNext) return outOfOrder('entries', kind);
        }
        const index = this.#members.of(row.memberId);
        stored.set(index, foldEntry(stored.get(index), row));
        return null;
      },
      end: () => {
        const index = differenceOf(this.#entries.get(kind) ?? new Column(), stored);
        if (index < 0) return null;
        const detail = 'the entries of the statement differ from the journal';
        const memberId = this.#members.idOf(index);
        return { seq: null, memberId, realmPointId: kind, projection: 'entries', detail };
      },
    };
  }

  movements(kind: string): Comparison<MovementRow> {
    const stored = new Map<string, number>();
    let last: MovementRow | null = null;
    const end = (): Fault | null => {
      for (const type of MOVEMENT_TYPES) {
        if (stored.get(type) === this.#movements.get(`${kind} ${type}`)) continue;
        const detail = `the list of ${type} differs from the journal`;
        return { seq: null, realmPointId: kind, projection: 'movements', detail };
      }
      return null;
    };
    return {
      add: (row) => {
        const { type, seq } = row;
        const isNext = !last || last.type < type || (last.type === type && last.seq < seq);
        last = row;
        if (!isNext || typeNumber(type) < 0) return outOfOrder('movements', kind);
        stored.set(type, fold(stored.get(type) ?? 0, seq));
        return null;
      },
      end,
    };
  }

  days(): Comparison<DailyTotals> {
    return compareDays(applyDayChanges([], this.#days));
  }

  /** The standings by member. */
  standings(leaderboard: string): Comparison<ScoreRow> {
    const isNext = (a: ScoreRow, b: ScoreRow) => isLess(a.memberId, b.memberId);
    return this.#scores(leaderboard, 'standings', isNext);
  }

  /** The same in ranking order; the scores add up to the counts of the rank buckets. */
  ranking(leaderboard: string, buckets: readonly RankBucket[]): Comparison<ScoreRow> {
    const isNext = (a: ScoreRow, b: ScoreRow) =>
      a.score > b.score || (a.score === b.score && isLess(a.memberId, b.memberId));
    const scores = this.#scores(leaderboard, 'standings_by_score', isNext);
    const counts = bucketCounts(buckets);
    return {
      add: (row) => {
        counts.add(row.score);
        return scores.add(row);
      },
      end: () => {
        const fault = scores.end();
        if (fault || counts.match()) return fault;
        const detail = `the rank buckets of ${leaderboard} do not count its standings`;
        return { seq: null, projection: 'rank_buckets', detail };
      },
    };
  }

  #scores(
    leaderboard: string,
    projection: string,
    isNext: (a: ScoreRow, b: ScoreRow) => boolean,
  ): Comparison<ScoreRow> {
    const stored = new StandingColumns();
    let last: ScoreRow | null = null;
    return {
      add: (row) => {
        const before = last;
        last = row;
        if (before && !isNext(before, row)) return outOfOrder(projection, leaderboard);
        stored.set(this.#members.of(row.memberId), row);
        return null;
      },
      end: () => {
        const expected = this.#standings.get(leaderboard) ?? new StandingColumns();
        const mayDiffer = (index: number) => this.#mayDiffer(index, expected, stored);
        const index = expected.differenceTo(stored, mayDiffer);
        if (index < 0) return null;
        const [found, right] = [stored.get(index), expected.get(index)].map(standingText);
        const detail = `on ${leaderboard} the member has ${found}, but the journal says ${right}`;
        return { seq: null, memberId: this.#members.idOf(index), projection, detail };
      },
    };
  }

  /**
   * The leaderboard of a new kind starts with the current members, not those of the position: one
   * that has joined or left since may or may not be on it, with a score of 0.
   */
  #mayDiffer(index: number, expected: StandingColumns, stored: StandingColumns): boolean {
    const hasPoints = expected.get(index)?.score || stored.get(index)?.score;
    return this.#unsettled.has(index) && !hasPoints;
  }

  #kindsOf(record: JournalRecord): string[] {
    const decoded = decodeRecord(record, ['realm.created', 'point.created']);
    if (!decoded) return [];
    return decoded.type === 'point.created'
      ? [decoded.data.id]
      : decoded.data.points.map(({ id }) => id);
  }

  /** Everyone who is on the leaderboard of another kind is on that of a new one. */
  #addKind(kind: string): void {
    const others = this.#standings.get(this.kinds[0] ?? '');
    this.kinds.push(kind);
    const standings = this.#standingsOf(kind);
    if (others) standings.enrolAll(others);
  }

  #project(records: readonly JournalRecord[]): void {
    const sums = { scores: noSums().scores, days: this.#days };
    const { scores } = sums;
    const { entries, movements } = projectRecords(records, () => this.kinds, this.#now, sums);
    for (const entry of entries) {
      const column = this.#entries.getOrInsertComputed(entry.realmPointId, () => new Column());
      const index = this.#members.of(entry.memberId);
      column.set(index, foldEntry(column.get(index), entry));
    }
    for (const { seq, type, realmPointId } of movements) {
      const key = `${realmPointId} ${type}`;
      this.#movements.set(key, fold(this.#movements.get(key) ?? 0, seq));
    }
    for (const [leaderboard, members] of scores) {
      const standings = this.#standingsOf(leaderboard);
      for (const [memberId, changes] of members) {
        const index = this.#members.of(memberId);
        standings.set(index, applyScoreChanges(standings.get(index), changes));
      }
    }
  }

  #standingsOf(leaderboard: string): StandingColumns {
    return this.#standings.getOrInsertComputed(leaderboard, () => new StandingColumns());
  }
}

function standingText(standing: ProjectedStanding | null | undefined): string {
  if (!standing) return 'no score';
  const { score, movedAt } = standing;
  return movedAt === null ? `a score of ${score}` : `a score of ${score}, moved at ${movedAt}`;
}

const outOfOrder = (projection: string, name: string): Fault => {
  return {
    seq: null,
    projection,
    detail: `the rows of ${projection} for ${name} are out of order`,
  };
};
