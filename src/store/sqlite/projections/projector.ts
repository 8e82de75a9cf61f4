import type { DatabaseSync } from 'node:sqlite';
import { decodeRecord, type RecordOf } from '../../../domain/records.ts';
import { leaderboardEnd } from '../../../domain/rules/leaderboards.ts';
import {
  FAR_BEHIND,
  type ProjectionChanges,
  projectionChanges,
  type Step,
  takeStep,
} from '../../../domain/rules/projections.ts';
import type { ProjectionProgress } from '../../../engine/store.ts';
import { acquireLock, commitAfter } from '../database.ts';
import { isDamage } from './database.ts';
import { projectorStatements, type Turn } from './projector-statements.ts';
import { RankBuckets, type ScoreMove } from './rank-buckets.ts';

/** Records taken in one go: many share pages of the disk, so more at once are cheaper. */
const RECORDS_AT_ONCE = 8_000;
/** While somebody waits: fewer, so that others are not held up. */
const RECORDS_FOR_READER = 1_000;
const REALMS_AT_ONCE = 500;
const ROWS_DROPPED_AT_ONCE = 5_000;
const BOARDS_DROPPED_AT_ONCE = 100;

/**
 * Follows the journals into the projections. Apart from the write itself on purpose: kept in step,
 * these tables would cost a transfer three times its own disk pages; many records at a time and in
 * a thread of their own they cost the writer nothing.
 */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #do: ReturnType<typeof projectorStatements>;
  readonly #buckets: RankBuckets;
  /** The realm that had the last turn: the next one begins behind it. */
  #lastTurn = '';
  readonly #failures: unknown[] = [];
  /** SQLite counts up when others write the books: its count when this round began. */
  #versionAtStart: number | null = null;
  /** And when the last round began that found nothing left. */
  #projectedVersion: number | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#do = projectorStatements(db);
    this.#buckets = new RankBuckets(db);
  }

  isBehind(realmId: string): boolean {
    return this.#do.isBehind.get(realmId)?.behind === 1;
  }

  /** The number of the realm's last record. */
  endOf(realmId: string): number {
    return this.#do.end.get(realmId)?.seq ?? 0;
  }

  /** The number of the last record that was followed. */
  positionIn(realmId: string): number {
    return this.#do.position.get(realmId)?.seq ?? 0;
  }

  /** Takes the next records of a realm; answers how many those were. */
  project(realmId: string): number {
    return this.#writing(() => {
      const turn = this.#do.turn.get(realmId);
      return turn ? this.#take(turn, RECORDS_FOR_READER) : 0;
    });
  }

  /** Takes some records of the realms that are behind. */
  projectMany(whom: 'all' | 'far'): ProjectionProgress {
    const from = this.#lastTurn;
    if (from === '' && !this.#beginRound()) return 'nothing';
    const [realms, left] = this.#writing(() => {
      const atLeast = whom === 'far' ? FAR_BEHIND : Number.MIN_SAFE_INTEGER;
      const turns = this.#do.turns.all(atLeast, from, REALMS_AT_ONCE);
      let records = RECORDS_AT_ONCE;
      for (const turn of turns) {
        if (records <= 0) break;
        this.#lastTurn = turn.realm_id;
        records -= this.#apart(() => this.#take(turn, records));
      }
      return [turns.length, records];
    });
    if (left <= 0 || realms === REALMS_AT_ONCE) return 'full';
    const isNothing = left === RECORDS_AT_ONCE && from === '';
    this.#endRound(isNothing && whom === 'all');
    return isNothing ? 'nothing' : 'some';
  }

  /** Whether there is anything to do: nobody wrote since the last round that found nothing. */
  #beginRound(): boolean {
    this.#versionAtStart = this.#do.booksVersion?.get()?.data_version ?? null;
    return this.#versionAtStart === null || this.#versionAtStart !== this.#projectedVersion;
  }

  /** All realms had their turn; those that failed are told of now, and tried again later. */
  #endRound(wasAllProjected: boolean): void {
    this.#lastTurn = '';
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
    if (wasAllProjected) this.#projectedVersion = this.#versionAtStart;
  }

  /** Drops boards of windows that ended before the instant, some rows at a time. */
  dropOldLeaderboards(before: number): number {
    return this.#writing(() => {
      let dropped = 0;
      for (const { board } of this.#do.ended.all(before, BOARDS_DROPPED_AT_ONCE)) {
        const left = ROWS_DROPPED_AT_ONCE - dropped;
        const rows = this.#do.dropRows.run(board, left).changes;
        dropped += rows;
        if (rows === left) break;
        this.#do.dropBuckets.run(board);
        this.#do.dropBoard.run(board);
        dropped += 1;
      }
      return dropped;
    });
  }

  #writing<T>(work: () => T): T {
    // Not IMMEDIATE, which would lock the books as well.
    this.#db.exec('BEGIN');
    return commitAfter(this.#db, () => {
      acquireLock(() => this.#do.lock.run());
      return work();
    });
  }

  /** One realm that can't be followed does not hold up the others. */
  #apart(work: () => number): number {
    this.#db.exec('SAVEPOINT realm');
    try {
      const taken = work();
      this.#db.exec('RELEASE realm');
      return taken;
    } catch (error) {
      // A failure may have ended the whole transaction.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('ROLLBACK TO realm; RELEASE realm');
      if (isDamage(error)) throw error;
      this.#failures.push(error);
      return 0;
    }
  }

  #take(turn: Turn, atMost: number): number {
    if (!turn.fits) return this.#beginAnew();
    const { realm_id: realmId, seq } = turn;
    const realm = turn.realm ?? (this.#do.newRealm.get(realmId)?.realm as number);
    const next = this.#do.records.all(realmId, seq, atMost);
    const opening = next.findIndex(({ type }) => type === 'point.created');
    const opened = next[0] && decodeRecord(next[0], ['point.created']);
    if (opened) return this.#openKind(turn, realm, opened);
    const records = opening < 0 ? next : next.slice(0, opening);
    const last = records.at(-1);
    if (!last) return 0;
    const kinds = () => this.#do.kinds.all(realmId).map(({ realm_point_id }) => realm_point_id);
    this.#apply(realm, projectionChanges(records, kinds, turn.last_at));
    this.#do.moveTo.run(realmId, last.seq, '0');
    return records.length;
  }

  /** These are other books than those that were followed: perhaps they came from a backup. */
  #beginAnew(): number {
    for (const table of ['projection_positions', 'boards', 'entries', 'movements', 'standings']) {
      this.#db.exec(`DELETE FROM ${table}`);
    }
    this.#db.exec('DELETE FROM rank_buckets');
    // A whole turn's worth: what was read of other realms in this turn is true no longer.
    return RECORDS_AT_ONCE;
  }

  /** Puts every member on the board of a new kind of points, some at a time. */
  #openKind(turn: Turn, realm: number, { seq, data }: RecordOf<'point.created'>): number {
    const { realm_id: realmId, entered } = turn;
    const members = this.#do.members.all(realmId, entered, RECORDS_AT_ONCE);
    const steps = members.map(({ member_id }): [string, Step[]] => [member_id, [{ enter: true }]]);
    this.#move(this.#boardNumber(realm, data.id), new Map(steps));
    const last = members.at(-1)?.member_id;
    if (members.length === RECORDS_AT_ONCE && last) this.#do.moveTo.run(realmId, seq - 1, last);
    else this.#do.moveTo.run(realmId, seq, '0');
    return Math.max(members.length, 1);
  }

  #boardNumber(realm: number, name: string): number {
    const found =
      this.#do.board.get(realm, name) ?? this.#do.newBoard.get(realm, name, leaderboardEnd(name));
    return found?.board as number;
  }

  #apply(realm: number, { entries, movements, boards }: ProjectionChanges): void {
    const numbers = new Map<string, number>();
    const numberOf = (name: string): number => {
      const number = numbers.get(name) ?? this.#boardNumber(realm, name);
      numbers.set(name, number);
      return number;
    };
    // One member after the other: what lies side by side is written in a row.
    for (const own of Map.groupBy(entries, ({ memberId }) => memberId).values()) {
      for (const { memberId, realmPointId, seq, type, balance } of own) {
        this.#do.entry.run(numberOf(realmPointId), memberId, seq, type, balance);
      }
    }
    for (const { type, seq, realmPointId } of movements) {
      this.#do.movement.run(numberOf(realmPointId), type, seq);
    }
    for (const [name, members] of boards) this.#move(numberOf(name), members);
  }

  /** Moves members on a board, each by its steps. */
  #move(board: number, members: Map<string, Step[]>): void {
    const moves: ScoreMove[] = [];
    for (const [memberId, steps] of members) {
      const before = this.#do.score.get(board, memberId)?.score ?? null;
      const after = steps.reduce(takeStep, before);
      if (after === before) continue;
      if (after === null) this.#do.noScore.run(board, memberId);
      else this.#do.setScore.run(board, memberId, after);
      moves.push({ before, after });
    }
    if (moves.length > 0) this.#buckets.note(board, moves);
  }
}
