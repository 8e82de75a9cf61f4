import type { Balance, Change, RealmChanges, RealmFacts, Scores } from '../facts.ts';
import type { MemberRow, MemberStatus, PointKind, Remarks } from '../model.ts';
import { postingsOf } from '../postings.ts';
import { type InstantRecord, isMovement, type Movement, type RecordOf } from '../records.ts';
import { Activity, countRecord, type DayChanges, dayRows, isActivity } from './daily-totals.ts';
import { instantOf } from './journal.ts';
import {
  BUCKET_WIDTHS,
  BucketCounts,
  bucketChanges,
  earnedBy,
  type ScoreMove,
} from './leaderboards.ts';
import { type ScoreChanges, ScoreTable } from './scores.ts';
import { wordChanges } from './search.ts';
import { balanceKey, noPoints } from './tables.ts';

/** In place of a member: the movements of the whole realm. */
export const OF_REALM = '0';

/**
 * Collects what records add to statements, totals and the leaderboards of windows. What a batch
 * adds is written with its records; `verify` derives all of it again.
 */
export class Projector {
  readonly entries: RealmChanges['entries'] = [];
  readonly movements: RealmChanges['movements'] = [];
  readonly references: RealmChanges['references'] = [];
  readonly #days: DayChanges = new Map();
  readonly #scores: ScoreTable;
  readonly activity: Activity;

  constructor(scores: readonly Scores[], balances: readonly Balance[]) {
    this.#scores = new ScoreTable(scores);
    this.activity = new Activity(balances);
  }

  add({ record, at }: InstantRecord): void {
    const instant = instantOf(at, record.data);
    const { type } = record;
    const joined = Number(type === 'member.created') - Number(type === 'member.removed');
    countRecord(this.#days, instant, countedOf(record), joined);
    if (record.type === 'member.removed') {
      this.#scores.removeAll({ ...record.data, seq: record.seq }, instant);
      this.activity.remove(record.data.memberId);
    } else if (isMovement(record)) this.#addMovement(record, instant);
  }

  /** What is over for members is never changed. */
  get pastScores(): RealmChanges['pastScores'] {
    return this.#scores.past;
  }

  get days(): RealmChanges['days'] {
    return dayRows(this.#days);
  }

  /** The scores that differ from those before, by the key of their rows. */
  scoreChanges(): ScoreChanges {
    return this.#scores.changes();
  }

  #addMovement(record: Movement, at: number): void {
    const { seq, type } = record;
    const { reference }: Remarks = record.data;
    if (reference !== undefined) this.#addReference(record, reference);
    let lastKind: string | null = null;
    for (const posting of postingsOf(record)) {
      const { realmPointId } = posting;
      this.entries.push(posting);
      if (realmPointId !== lastKind) this.movements.push({ seq, type, realmPointId });
      lastKind = realmPointId;
      const earned = earnedBy(record, posting);
      if (earned !== 0) this.#scores.add(posting, earned, at);
      if (isActivity(record)) this.activity.add(posting.memberId, at);
    }
  }

  #addReference(record: Movement, reference: string): void {
    const members = new Set(postingsOf(record).map(({ memberId }) => memberId));
    if (members.size === 0) return;
    for (const memberId of [OF_REALM, ...members]) {
      this.references.push({ reference, memberId, seq: record.seq });
    }
  }
}

type Counted = Parameters<typeof countRecord>[2];

/** A record as the totals count it: one that is about points, or null. */
const countedOf = (record: RecordOf): Counted =>
  isMovement(record) || record.type === 'points.held' || record.type === 'points.released'
    ? record
    : null;

/** A batch when all its commands are decided. */
interface DecidedBatch {
  facts: RealmFacts;
  /** The instant of the records. */
  at: number;
  records: readonly RecordOf[];
  /** All kinds of points of the realm. */
  kinds: readonly PointKind[];
  members: readonly Change<MemberRow>[];
  balances: readonly Change<Balance>[];
}

type Derived = Pick<RealmChanges, 'balances' | 'entries' | 'movements' | 'references'> &
  Pick<RealmChanges, 'scores' | 'pastScores' | 'buckets' | 'days' | 'activeMembers' | 'words'>;

const isPresent = (status: MemberStatus | undefined): boolean =>
  status !== undefined && status !== 'removed';

/** What follows from a batch: statements, leaderboards, totals and the words of names. */
export function derive(batch: DecidedBatch): Derived {
  const { facts, at, records } = batch;
  const projector = new Projector(facts.scores, facts.balances);
  for (const record of records) projector.add({ record, at });
  const { scores, moves } = projector.scoreChanges();
  const members = new Members(batch);
  const balances = members.balances();
  const buckets = new BucketCounts(newKinds(batch));
  for (const row of projector.pastScores) buckets.addPast(row);
  return {
    balances,
    entries: projector.entries,
    movements: projector.movements,
    references: projector.references,
    scores,
    pastScores: projector.pastScores,
    buckets: bucketChanges([...members.moves(balances), ...moves], buckets),
    days: projector.days,
    activeMembers: projector.activity.counts,
    words: members.words(),
  };
}

/** On the leaderboard of a new kind, everybody starts with 0. */
const newKinds = ({ facts, kinds }: DecidedBatch) =>
  kinds
    .filter(({ id }) => facts.kinds.every((kind) => kind.id !== id))
    .flatMap(({ id }) =>
      BUCKET_WIDTHS.map((width) => {
        return { leaderboard: id, width, bucket: 0, count: facts.memberCount, endsAt: null };
      }),
    );

/** The members that a batch changes, before and after it. */
class Members {
  readonly #batch: DecidedBatch;
  readonly #statuses: ReadonlyMap<string, MemberStatus>;
  readonly #before: ReadonlyMap<string, Balance>;
  /** Those who joined (true) or left (false). */
  readonly #turnover = new Map<string, boolean>();

  constructor(batch: DecidedBatch) {
    const { facts, members } = batch;
    this.#batch = batch;
    this.#statuses = new Map(facts.states.map((one) => [one.memberId, one.status]));
    this.#before = new Map(
      facts.balances.map((row) => [balanceKey(row.memberId, row.realmPointId), row]),
    );
    for (const { key: memberId, row } of members) {
      const isThere = isPresent(row?.status);
      if (isThere !== this.#wasPresent(memberId)) this.#turnover.set(memberId, isThere);
    }
  }

  #wasPresent(memberId: string): boolean {
    return isPresent(this.#statuses.get(memberId));
  }

  /** Those that changed; who is there has one of every kind, and who is not has none. */
  balances(): Change<Balance>[] {
    const { balances, members, kinds } = this.#batch;
    if (members.length === 0) return [...balances];
    const changes = new Map(balances.map((change) => [change.key, change]));
    for (const { key: memberId, row } of members) {
      for (const { id } of kinds) {
        const key = balanceKey(memberId, id);
        const change = changes.get(key);
        const isMissing = change ? change.row === null : !this.#wasPresent(memberId);
        // A row may be there that no fact has: that of a new kind, which is written afterwards.
        if (!isPresent(row?.status)) changes.set(key, { key, row: null });
        else if (isMissing) changes.set(key, { key, row: noPoints(memberId, id) });
      }
    }
    return [...changes.values()];
  }

  /** On the leaderboards for all time. */
  *moves(balances: readonly Change<Balance>[]): Generator<ScoreMove> {
    const after = new Map(balances.map(({ key, row }) => [key, row?.balance ?? 0]));
    const scoreBefore = (key: string): number => this.#before.get(key)?.balance ?? 0;
    for (const [memberId, hasJoined] of this.#turnover) {
      for (const { id: leaderboard } of this.#batch.kinds) {
        const key = balanceKey(memberId, leaderboard);
        yield hasJoined
          ? { leaderboard, before: null, after: after.get(key) ?? 0 }
          : { leaderboard, before: scoreBefore(key), after: null };
      }
    }
    for (const { key, row } of balances) {
      if (!row || this.#turnover.has(row.memberId)) continue;
      const { realmPointId: leaderboard, balance } = row;
      yield { leaderboard, before: scoreBefore(key), after: balance };
    }
  }

  words(): RealmChanges['words'] {
    const { facts, members } = this.#batch;
    const rows = new Map(facts.members.map((row) => [row.id, row]));
    return members.flatMap(({ key: memberId, row }) => {
      const before = this.#wasPresent(memberId) ? (rows.get(memberId) ?? null) : null;
      return wordChanges(memberId, before, isPresent(row?.status) ? row : null);
    });
  }
}
