import type { BucketCount, MovementReference, PastScore, Scores } from '../facts.ts';
import { MOVEMENT_TYPES, type Posting } from '../movements.ts';
import type { InstantRecord } from '../records.ts';
import {
  Column,
  type Comparison,
  compareRows,
  differenceOf,
  digestOf,
  type Fault,
  fold,
  type MemberIndex,
} from './comparison.ts';
import { type ActiveMembers, type DailyTotals, dayKey } from './daily-totals.ts';
import {
  BucketCounts,
  bucketKey,
  hasEnded,
  LEADERBOARD_RETENTION_MS,
  type ScoreMove,
} from './leaderboards.ts';
import { Projector } from './projections.ts';
import { balanceKey } from './tables.ts';

type Entry = Omit<Posting, 'tokens'>;
type MovementRow = Pick<Posting, 'realmPointId' | 'type' | 'seq'>;

const TYPES: readonly string[] = MOVEMENT_TYPES;

const SCORE_FIELDS = ['day', 'dayScore', 'week', 'weekScore', 'month', 'monthScore'] as const;

/** A digest of each member's entries, by kind of points. */
class EntryDigests {
  readonly columns = new Map<string, Column>();
  readonly #members: MemberIndex;

  constructor(members: MemberIndex) {
    this.#members = members;
  }

  add({ memberId, realmPointId, seq, type, balance }: Entry): void {
    const column = this.columns.getOrInsertComputed(realmPointId, () => new Column());
    const index = this.#members.of(memberId);
    const before = column.get(index) || 0;
    column.set(index, fold(fold(fold(before, seq), TYPES.indexOf(type)), balance));
  }
}

/** A digest of the numbers of all movements of a kind and type. */
class MovementDigests {
  readonly digests = new Map<string, number>();

  add({ realmPointId, type, seq }: MovementRow): void {
    const key = `${type} of ${realmPointId}`;
    this.digests.set(key, fold(this.digests.get(key) ?? 0, seq));
  }
}

/** Adds a score to a digest of all, in any order. */
const mixedScore = (digest: number, { leaderboard, seq, memberId, score }: PastScore): number =>
  (digest ^ digestOf(`${leaderboard} ${score}`, memberId, seq)) >>> 0;

/** Adds a reference to a digest of all, in any order. */
const mixed = (digest: number, { reference, memberId, seq }: MovementReference): number =>
  (digest ^ digestOf(reference, memberId, seq)) >>> 0;

function compareDigests<Row>(
  expected: number,
  mix: (digest: number, row: Row) => number,
  fault: Fault,
): Comparison<Row> {
  let stored = 0;
  return {
    add: (row) => {
      stored = mix(stored, row);
      return null;
    },
    end: () => (stored === expected ? null : fault),
  };
}

/** Derives everything that follows from a journal anew, and compares stored rows with it. */
export class ProjectionAuditor {
  readonly #now: number;
  readonly #members: MemberIndex;
  readonly #projector: Projector;
  readonly #entries: EntryDigests;
  readonly #movements = new MovementDigests();
  #references = 0;
  readonly #pastBuckets = new BucketCounts();
  #pastScores = 0;

  /** `now` is the current instant, or that of the realm's last batch if it is later. */
  constructor(members: MemberIndex, now: number) {
    this.#now = now;
    this.#members = members;
    this.#projector = new Projector([], []);
    this.#entries = new EntryDigests(members);
  }

  add(record: InstantRecord): void {
    this.#projector.add(record);
    for (const entry of this.#projector.entries.splice(0)) this.#entries.add(entry);
    for (const movement of this.#projector.movements.splice(0)) this.#movements.add(movement);
    this.#references = this.#projector.references.splice(0).reduce(mixed, this.#references);
    const past = this.#projector.scores.past.splice(0);
    for (const row of past) this.#pastBuckets.addPast(row);
    this.#pastScores = past.reduce(mixedScore, this.#pastScores);
  }

  entries(): Comparison<Entry> {
    const stored = new EntryDigests(this.#members);
    const kinds = () => new Set([...this.#entries.columns.keys(), ...stored.columns.keys()]);
    return {
      add: (row) => {
        stored.add(row);
        return null;
      },
      end: () => {
        for (const realmPointId of kinds()) {
          const [expected, found] = [this.#entries, stored].map(
            ({ columns }) => columns.get(realmPointId) ?? new Column(),
          ) as [Column, Column];
          const index = differenceOf(expected, found);
          if (index < 0) continue;
          const detail = 'the entries of the statement differ from the journal';
          const memberId = this.#members.idOf(index);
          return { seq: null, memberId, realmPointId, projection: 'entries', detail };
        }
        return null;
      },
    };
  }

  movements(): Comparison<MovementRow> {
    const stored = new MovementDigests();
    return {
      add: (row) => {
        stored.add(row);
        return null;
      },
      end: () => {
        const [expected, found] = [this.#movements.digests, stored.digests];
        const keys = [...expected.keys(), ...found.keys()];
        const wrong = keys.find((key) => expected.get(key) !== found.get(key));
        if (wrong === undefined) return null;
        const detail = `the list of ${wrong} differs from the journal`;
        return { seq: null, projection: 'movements', detail };
      },
    };
  }

  references(): Comparison<MovementReference> {
    const detail = 'the references of movements differ from the journal';
    const fault = { seq: null, projection: 'movement_references', detail };
    return compareDigests(this.#references, mixed, fault);
  }

  pastScores(): Comparison<PastScore> {
    const detail = 'what members earned in past weeks and months differs from the journal';
    const fault = { seq: null, projection: 'past_scores', detail };
    return compareDigests(this.#pastScores, mixedScore, fault);
  }

  /** What members have earned in days, weeks and months. */
  scores(): Comparison<Scores> {
    return compareRows(
      this.#projector.scores.changes().scores.flatMap(({ row }) => row ?? []),
      ({ memberId, realmPointId }) => balanceKey(memberId, realmPointId),
      ({ memberId, realmPointId }, says): Fault => {
        const detail = `what the member earned of ${realmPointId} ${says}`;
        return { seq: null, memberId, projection: 'scores', detail };
      },
      (row, right) => {
        if (!row) return 'is missing';
        const isRight = right && SCORE_FIELDS.every((name) => row[name] === right[name]);
        return isRight ? null : 'differs from the journal';
      },
    );
  }

  /** How many members have a score of each bucket, given the leaderboards for all time. */
  buckets(standings: Iterable<ScoreMove>): Comparison<BucketCount> {
    const { moves } = this.#projector.scores.changes();
    const counts = this.#pastBuckets.after([...moves, ...standings]);
    return compareRows(
      counts.filter(({ leaderboard }) => !this.#mayBeDropped(leaderboard)),
      bucketKey,
      ({ leaderboard }): Fault => {
        const detail = `the rank buckets of ${leaderboard} do not count its members`;
        return { seq: null, projection: 'rank_buckets', detail };
      },
      (row, right) => {
        if (row && this.#mayBeDropped(row.leaderboard)) return null;
        const isSame = row?.count === right?.count && row?.endsAt === right?.endsAt;
        return isSame || (!right && row?.count === 0) ? null : 'differs';
      },
    );
  }

  days(): Comparison<DailyTotals> {
    return compareRows(this.#projector.days, dayKey, ({ day }, says) => {
      return { seq: null, projection: 'daily_totals', detail: `a total of day ${day} ${says}` };
    });
  }

  activeMembers(): Comparison<ActiveMembers> {
    const keyOf = ({ day, previous }: ActiveMembers) => `${day} ${previous}`;
    return compareRows(this.#projector.activity.counts, keyOf, ({ day }, says) => {
      const detail = `a count of the members that were active in day ${day} ${says}`;
      return { seq: null, projection: 'active_members', detail };
    });
  }

  /** A leaderboard that ended some time ago may be dropped at any moment. */
  #mayBeDropped(leaderboard: string): boolean {
    return hasEnded(leaderboard, this.#now - LEADERBOARD_RETENTION_MS);
  }
}
