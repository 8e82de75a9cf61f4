import type { DatabaseSync } from 'node:sqlite';
import { leaderboardEnd } from '../../../domain/rules/leaderboards.ts';
import {
  applyScoreChanges,
  enrolMembers,
  FAR_BEHIND,
  isSameStanding,
  nextStep,
  noSums,
  type ProjectionChanges,
  type ProjectionSums,
  projectRecords,
  type ScoreChanges,
} from '../../../domain/rules/projections.ts';
import type { ScoreMove } from '../../../domain/rules/ranks.ts';
import type { ProjectionProgress, ProjectionScope } from '../../../engine/store.ts';
import { acquireLock, commitAfter } from '../database.ts';
import { isConstraintFault, isDamaged } from '../errors.ts';
import { dayUpdater } from './daily-totals.ts';
import { REBUILD_INTERVAL_MS } from './database.ts';
import { nameIndexer } from './name-indexer.ts';
import { projectorStatements, type RealmBehind } from './projector-statements.ts';
import { bucketUpdater } from './rank-buckets.ts';
import { DISCARDED, NOTHING, RECORDS_AT_ONCE, RECORDS_BESIDE_READERS, type Step } from './step.ts';

/** Projected for each reader anew while they cannot be stored. Jobs keep realms closer. */
const RECORDS_PREVIEWED = FAR_BEHIND;
const REALMS_AT_ONCE = 500;
const ROWS_DROPPED_AT_ONCE = 5_000;
const LEADERBOARDS_DROPPED_AT_ONCE = 100;

/**
 * Projects the journals outside the write transaction, where updating these tables would more than
 * double its cost: a transfer would write three times as many disk pages. Projected many records at
 * a time, on a thread of their own, they cost the writer nothing.
 */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #do: ReturnType<typeof projectorStatements>;
  readonly #updateBuckets: ReturnType<typeof bucketUpdater>;
  readonly #indexNames: ReturnType<typeof nameIndexer>;
  readonly #updateDays: ReturnType<typeof dayUpdater>;
  /** The last realm projected in this pass over the realms; empty between passes. */
  #lastRealmId = '';
  /** Whether a realm of this pass has more than was projected of it. */
  #hasMore = false;
  readonly #failures: unknown[] = [];
  /** When the rows of a realm were last discarded because they contradicted a new one. */
  readonly #discardedAt = new Map<string, number>();
  /** SQLite's change counter of the main database file when this pass started. */
  #passVersion: number | null = null;
  /** The counter when the last pass started that found nothing to project. */
  #projectedVersion: number | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#do = projectorStatements(db);
    this.#updateBuckets = bucketUpdater(db);
    this.#indexNames = nameIndexer(db);
    this.#updateDays = dayUpdater(db);
  }

  /** How far the realm is behind; undefined if it is not, or does not exist. */
  behind(realmId: string): RealmBehind | undefined {
    return this.#do.realmBehind(realmId);
  }

  /** Projects the realm's next records and returns their cost; 0 if there are none. */
  project(realmId: string): number {
    return this.#writing(() => {
      const behind = this.behind(realmId);
      return behind ? this.#consistentStep(behind, RECORDS_BESIDE_READERS).cost : 0;
    });
  }

  /**
   * Projects a realm for one reader alone. Since nothing is committed, it takes no space: a full
   * disk keeps nobody from reading. Returns undefined if the realm is too far behind for that.
   */
  preview<T>(realmId: string, read: () => T): T | undefined {
    this.#db.exec('BEGIN');
    try {
      acquireLock(() => this.#do.lock());
      let left = RECORDS_PREVIEWED;
      for (let realm = this.behind(realmId); realm; realm = this.behind(realmId)) {
        if (left <= 0) return undefined;
        left -= Math.max(1, this.#consistentStep(realm, left).records);
      }
      return read();
    } finally {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    }
  }

  /** Projects some records of the realms that are behind. */
  projectMany(scope: ProjectionScope, hasReaders: boolean): ProjectionProgress {
    const from = this.#lastRealmId;
    if (from === '' && !this.#startPass()) return 'nothing';
    const most = hasReaders ? RECORDS_BESIDE_READERS : RECORDS_AT_ONCE;
    const [realms, left] = this.#writing(() => {
      const atLeast = scope === 'far-behind' ? FAR_BEHIND : Number.MIN_SAFE_INTEGER;
      const behind = this.#do.realmsBehind(atLeast, from, REALMS_AT_ONCE);
      let rest = most;
      for (const realm of behind) {
        if (rest <= 0) break;
        this.#lastRealmId = realm.realm_id;
        const step = this.#isolated(() => this.#consistentStep(realm, rest));
        rest -= step.cost;
        this.#hasMore ||= step.hasMore;
      }
      return [behind.length, rest];
    });
    if (left <= 0 || realms === REALMS_AT_ONCE) return 'full';
    const isNothing = left === most && from === '';
    this.#endPass(isNothing && scope === 'all');
    if (this.#hasMore) return 'full';
    return isNothing ? 'nothing' : 'some';
  }

  /** Returns false if nobody wrote since the last pass that found nothing. */
  #startPass(): boolean {
    this.#hasMore = false;
    this.#passVersion = this.#do.dataVersion?.() ?? null;
    return this.#passVersion === null || this.#passVersion !== this.#projectedVersion;
  }

  /** Throws the first failure of the pass; the realms that failed are retried in the next. */
  #endPass(isAllProjected: boolean): void {
    this.#lastRealmId = '';
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
    if (isAllProjected) this.#projectedVersion = this.#passVersion;
  }

  /** Drops leaderboards whose window ended before the instant, a bounded number of rows a call. */
  dropExpiredLeaderboards(before: number): number {
    return this.#writing(() => {
      let dropped = 0;
      for (const leaderboard of this.#do.ended(before, LEADERBOARDS_DROPPED_AT_ONCE)) {
        const left = ROWS_DROPPED_AT_ONCE - dropped;
        const rows = this.#do.dropStandings(leaderboard, left);
        dropped += rows;
        if (rows === left) break;
        this.#do.dropBuckets.run(leaderboard);
        this.#do.dropLeaderboard.run(leaderboard);
        dropped += 1;
      }
      return dropped;
    });
  }

  #writing<T>(work: () => T): T {
    // BEGIN IMMEDIATE would lock the main database file as well.
    this.#db.exec('BEGIN');
    return commitAfter(this.#db, () => {
      acquireLock(() => this.#do.lock());
      return work();
    });
  }

  /** Discards what is projected of a realm: it is projected again from the journal. */
  discard(realmId: string): void {
    this.#writing(() => this.#do.discardRealm(realmId));
  }

  /** Removes some rows of a deleted realm; returns whether there may be more. */
  removeRealm(realmId: string): boolean {
    return this.#writing(() => this.#do.isDeleted(realmId) && this.#do.removeSome(realmId));
  }

  /**
   * A row that contradicts a new one, such as an entry that is already stored, is not what the
   * projector wrote: the realm is projected again from its start. If that fails as well, the fault
   * is in the journal or in the rules, and projecting it once more would never end.
   */
  #consistentStep(realm: RealmBehind, limit: number): Step {
    this.#db.exec('SAVEPOINT step');
    try {
      const projected = this.#step(realm, limit);
      this.#db.exec('RELEASE step');
      return projected;
    } catch (error) {
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('ROLLBACK TO step; RELEASE step');
      const { realm_id: realmId } = realm;
      const elapsed = performance.now() - (this.#discardedAt.get(realmId) ?? -Infinity);
      if (!isConstraintFault(error) || elapsed < REBUILD_INTERVAL_MS) throw error;
      this.#discardedAt.set(realmId, performance.now());
      this.#do.discardRealm(realmId);
      return DISCARDED;
    }
  }

  /**
   * A realm that can't be projected does not hold up the others. Damage does: it is thrown,
   * and the file is rebuilt for all realms.
   */
  #isolated(work: () => Step): Step {
    this.#db.exec('SAVEPOINT realm');
    try {
      const step = work();
      this.#db.exec('RELEASE realm');
      return step;
    } catch (error) {
      // A failure may have ended the whole transaction.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('ROLLBACK TO realm; RELEASE realm');
      if (isDamaged(error)) throw error;
      this.#failures.push(error);
      return NOTHING;
    }
  }

  #step(realm: RealmBehind, limit: number): Step {
    if (!realm.matches) return this.#discardAll();
    const { realm_id: realmId, enrolled_to: enrolledTo } = realm;
    const realmNo = realm.realm_no ?? (this.#do.newRealm(realmId) as number);
    const kinds = () => this.#do.kinds(realmId);
    const step = nextStep(this.#do.records(realmId, realm.seq, limit), limit, kinds);
    if (!step) return NOTHING;
    const numberOf = this.#leaderboardNumbers(realmNo);
    if ('newKind' in step) {
      const members = this.#do.members(realmId, enrolledTo, limit);
      const { sums, position } = enrolMembers(step, members, limit);
      this.#apply(realmNo, numberOf, sums);
      this.#do.moveTo(realmId, position.seq, position.enrolledTo);
      const cost = Math.max(members.length, 1);
      return { cost, records: cost, hasMore: position.seq < realm.end };
    }
    const { records, position, cost } = step;
    const sums = noSums();
    // The last record may have been written while the clock was ahead.
    const now = Math.min(realm.clock_at, Date.now());
    const changes = projectRecords(records, kinds, now, sums);
    this.#insert(numberOf, changes);
    this.#indexNames(realmNo, changes.names);
    this.#apply(realmNo, numberOf, sums);
    this.#do.moveTo(realmId, position.seq, position.enrolledTo);
    return { cost, records: records.length, hasMore: position.seq < realm.end };
  }

  /**
   * The journal is not the one that was projected: the main database file may come from a backup.
   * Then the other realms are not to be trusted either, so all projections are rebuilt.
   */
  #discardAll(): Step {
    this.#do.discardAll();
    return DISCARDED;
  }

  /** Looks up the numbers of a realm's leaderboards, and creates those that are new. */
  #leaderboardNumbers(realmNo: number): (name: string) => number {
    const numbers = new Map<string, number>();
    return (name) => {
      let number = numbers.get(name);
      if (number === undefined) {
        number =
          this.#do.leaderboard(realmNo, name) ??
          (this.#do.newLeaderboard(realmNo, name, leaderboardEnd(name)) as number);
        numbers.set(name, number);
      }
      return number;
    };
  }

  #insert(numberOf: (name: string) => number, { entries, movements }: ProjectionChanges): void {
    // Member by member, so that neighbouring rows are written together.
    for (const own of Map.groupBy(entries, ({ memberId }) => memberId).values()) {
      for (const { memberId, realmPointId, seq, type, balance } of own) {
        this.#do.entry.run(numberOf(realmPointId), memberId, seq, type, balance);
      }
    }
    for (const { type, seq, realmPointId } of movements) {
      this.#do.movement.run(numberOf(realmPointId), type, seq);
    }
  }

  #apply(realmNo: number, numberOf: (name: string) => number, sums: ProjectionSums): void {
    this.#applyScores(numberOf, sums.scores);
    this.#updateDays(realmNo, sums.days);
  }

  #applyScores(numberOf: (name: string) => number, scores: ScoreChanges): void {
    for (const [name, members] of scores) {
      const leaderboard = numberOf(name);
      const moves: ScoreMove[] = [];
      for (const [memberId, changes] of members) {
        const [row] = this.#do.standing(leaderboard, memberId);
        const before = row ? { score: row[0], movedAt: row[1] } : null;
        const after = applyScoreChanges(before, changes);
        if (isSameStanding(before, after)) continue;
        if (after === null) this.#do.removeStanding.run(leaderboard, memberId);
        else this.#do.setStanding.run(leaderboard, memberId, after.score, after.movedAt);
        moves.push({ before: before?.score ?? null, after: after?.score ?? null });
      }
      if (moves.length > 0) this.#updateBuckets(leaderboard, moves);
    }
  }
}
