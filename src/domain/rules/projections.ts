import type { Balance, Change, RealmChanges, RealmFacts, Scores } from '../facts.ts';
import type { MemberRow, MemberStatus, PointKind, Remarks } from '../model.ts';
import { isMovement, type Movement, postingsOf } from '../movements.ts';
import type { InstantRecord, RecordOf } from '../records.ts';
import { Activity, countRecord, type DayChanges, dayRows, isActivity } from './daily-totals.ts';
import { instantOf } from './journal.ts';
import {
  BUCKET_WIDTHS,
  BucketCounts,
  earnedBy,
  type ScoreMove,
  ScoreTable,
} from './leaderboards.ts';
import { wordChanges } from './search.ts';
import { balanceKey, noPoints } from './tables.ts';

/** In place of a member: the movements of the whole realm. */
export const OF_REALM = '0';

/** What records add to statements, totals and leaderboards: at a batch, and again for `verify`. */
export class Projector {
  readonly entries: RealmChanges['entries'] = [];
  readonly movements: RealmChanges['movements'] = [];
  readonly references: RealmChanges['references'] = [];
  readonly #days: DayChanges = new Map();
  readonly scores: ScoreTable;
  readonly activity: Activity;

  constructor(scores: readonly Scores[], balances: readonly Balance[]) {
    this.scores = new ScoreTable(scores);
    this.activity = new Activity(balances);
  }

  add({ record, at }: InstantRecord): void {
    const instant = instantOf(at, record.data);
    countRecord(this.#days, instant, record);
    if (record.type === 'member.removed') {
      this.scores.removeAll({ ...record.data, seq: record.seq }, instant);
      this.activity.remove(record.data.memberId);
    } else if (isMovement(record)) this.#addMovement(record, instant);
  }

  get days(): RealmChanges['days'] {
    return dayRows(this.#days);
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
      if (earned !== 0) this.scores.add(posting, earned, at);
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

interface DecidedBatch {
  facts: RealmFacts;
  /** The instant of the records. */
  at: number;
  records: readonly RecordOf[];
  kinds: readonly PointKind[];
  members: readonly Change<MemberRow>[];
  balances: readonly Change<Balance>[];
}

const isPresent = (status: MemberStatus | undefined): boolean =>
  status !== undefined && status !== 'removed';

/** What follows from a batch: statements, leaderboards, totals and the words of names. */
export function derive(batch: DecidedBatch) {
  const { facts, at, records } = batch;
  const projector = new Projector(facts.scores, facts.balances);
  for (const record of records) projector.add({ record, at });
  const { scores, moves } = projector.scores.changes();
  const members = new Members(batch);
  const balances = members.balances();
  const buckets = new BucketCounts(newKinds(batch));
  for (const row of projector.scores.past) buckets.addPast(row);
  return {
    balances,
    entries: projector.entries,
    movements: projector.movements,
    references: projector.references,
    scores,
    pastScores: projector.scores.past,
    buckets: buckets.after([...members.moves(balances), ...moves]),
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
