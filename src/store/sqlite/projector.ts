import type { DatabaseSync } from 'node:sqlite';
import { boardOf, earnedBy, hasEnded, WINDOWS } from '../../domain/boards.rules.ts';
import type { JournalRecord } from '../../domain/journal.rules.ts';
import { MAX_POINTS } from '../../domain/model.ts';
import { postingsOf } from '../../domain/postings.rules.ts';
import { prepare, transaction } from './database.ts';
import { LOWEST, RankBuckets, type ScoreMove } from './rank-buckets.ts';
import * as rows from './rows.ts';
import { insert, remove, upsert } from './writing.ts';

/** Records taken in one transaction: few enough that no writer waits long. */
const RECORDS_AT_ONCE = 2_000;
const REALMS_AT_ONCE = 50;
const ROWS_DROPPED_AT_ONCE = 5_000;

/** What happens to one member's score on one board; the last word of a batch counts. */
type Step = { set: number } | { add: number } | { enter: true } | { leave: true };

function statements(db: DatabaseSync) {
  return {
    behind: prepare<{ realm_id: string }, [number]>(
      db,
      `SELECT realm_id FROM realms LEFT JOIN projections USING (realm_id)
       WHERE realms.seq > coalesce(projections.seq, 0) LIMIT ?`,
    ),
    at: prepare<{ seq: number; entered: string }, [string]>(
      db,
      `SELECT seq, CAST(entered_to AS TEXT) AS entered FROM projections WHERE realm_id = ?`,
    ),
    moveTo: upsert(db, 'projections', 'realm_id', 'seq, entered_to'),
    records: prepare<JournalRecord, [string, number, number]>(
      db,
      `SELECT ${rows.JOURNAL_COLUMNS} FROM journal WHERE realm_id = ? AND seq > ?
       ORDER BY seq LIMIT ?`,
    ),
    kinds: prepare<{ point_id: string }, [string]>(
      db,
      'SELECT point_id FROM points WHERE realm_id = ?',
    ),
    members: prepare<{ member_id: string }, [string, string, number]>(
      db,
      `SELECT CAST(member_id AS TEXT) AS member_id FROM members
       WHERE realm_id = ? AND members.member_id > CAST(? AS INTEGER) AND status <> 'removed'
       ORDER BY members.member_id LIMIT ?`,
    ),
    entry: insert(db, 'entries', 'realm_id, member_id, point_id, seq, type, tokens, balance'),
    movement: insert(db, 'movements', 'realm_id, type, seq, point_id'),
    score: prepare<{ score: number }, [string, string, string]>(
      db,
      'SELECT score FROM standings WHERE realm_id = ? AND board = ? AND member_id = ?',
    ),
    setScore: upsert(db, 'standings', 'realm_id, board, member_id', 'score'),
    noScore: remove(db, 'standings', 'realm_id, board, member_id'),
    boards: prepare<{ realm_id: string; board: string }, [number]>(
      db,
      `SELECT realm_id, board FROM rank_buckets WHERE lower = ? AND board LIKE '%@%'`,
    ),
    dropRows: db.prepare(
      `DELETE FROM standings WHERE (realm_id, board, member_id) IN
         (SELECT realm_id, board, member_id FROM standings
          WHERE realm_id = ? AND board = ? LIMIT ${ROWS_DROPPED_AT_ONCE})`,
    ),
    dropBuckets: remove(db, 'rank_buckets', 'realm_id, board'),
  };
}

/**
 * Follows the journal into the tables that statements and boards are read from. Apart from the
 * write itself on purpose: kept in step, these tables would cost a transfer three times its own
 * disk pages; a batch of records at a time they cost little, and a reader asks for the rest first.
 */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #do: ReturnType<typeof statements>;
  readonly #buckets: RankBuckets;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#do = statements(db);
    this.#buckets = new RankBuckets(db);
  }

  /** Takes one batch of records of the realm, or of all that are behind; whether that was all. */
  project(realmId: string | null): boolean {
    if (realmId !== null) return this.#projectRealm(realmId);
    const behind = this.#do.behind.all(REALMS_AT_ONCE);
    const failures: unknown[] = [];
    let done = behind.length < REALMS_AT_ONCE;
    for (const { realm_id } of behind) {
      try {
        done = this.#projectRealm(realm_id) && done;
      } catch (error) {
        // One realm that can't be followed does not hold up the others.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return done;
  }

  /** Drops boards of windows that ended before the instant, some rows at a time. */
  dropOldBoards(before: number): number {
    return transaction(this.#db, () => {
      for (const { realm_id, board } of this.#do.boards.all(LOWEST)) {
        if (!hasEnded(board, before)) continue;
        const dropped = Number(this.#do.dropRows.run(realm_id, board).changes);
        if (dropped === ROWS_DROPPED_AT_ONCE) return dropped;
        this.#do.dropBuckets.run(realm_id, board);
        if (dropped > 0) return dropped;
      }
      return 0;
    });
  }

  #projectRealm(realmId: string): boolean {
    const from = this.#do.at.get(realmId)?.seq ?? 0;
    if (this.#do.records.all(realmId, from, 1).length === 0) return true;
    return transaction(this.#db, () => {
      // Read again under the lock: another process may have come first.
      const { seq, entered } = this.#do.at.get(realmId) ?? { seq: 0, entered: '0' };
      const next = this.#do.records.all(realmId, seq, RECORDS_AT_ONCE);
      if (next[0]?.type === 'point.created') return this.#openKind(realmId, next[0], entered);
      const opening = next.findIndex(({ type }) => type === 'point.created');
      const records = opening < 0 ? next : next.slice(0, opening);
      const boards = new Map<string, Map<string, Step[]>>();
      const kinds = this.#do.kinds.all(realmId).map(({ point_id }) => point_id);
      for (const record of records) this.#follow(realmId, record, kinds, boards);
      for (const [board, steps] of boards) this.#apply(realmId, board, steps);
      const last = records.at(-1);
      if (last) this.#do.moveTo.run(realmId, last.seq, 0);
      return opening < 0 && records.length < RECORDS_AT_ONCE;
    });
  }

  /** Puts every member on the board of a new kind of points, some at a time; never all done. */
  #openKind(realmId: string, { seq, data }: JournalRecord, entered: string): false {
    const board: string = JSON.parse(data).id;
    const members = this.#do.members.all(realmId, entered, RECORDS_AT_ONCE);
    const steps = new Map(members.map(({ member_id }) => [member_id, [{ enter: true } as const]]));
    this.#apply(realmId, board, steps as Map<string, Step[]>);
    const last = members.at(-1)?.member_id;
    if (members.length === RECORDS_AT_ONCE && last) this.#do.moveTo.run(realmId, seq - 1, last);
    else this.#do.moveTo.run(realmId, seq, 0);
    return false;
  }

  #follow(
    realmId: string,
    { seq, type, at, data: text }: JournalRecord,
    kinds: readonly string[],
    boards: Map<string, Map<string, Step[]>>,
  ): void {
    const data = JSON.parse(text);
    const step = (board: string, memberId: string, what: Step): void => {
      const members = boards.get(board) ?? new Map<string, Step[]>();
      boards.set(board, members);
      const steps = members.get(memberId);
      if (steps) steps.push(what);
      else members.set(memberId, [what]);
    };
    const postings = postingsOf(seq, type, data);
    if (postings[0]) this.#do.movement.run(realmId, type, seq, postings[0].pointId);
    for (const posting of postings) {
      const { memberId, pointId, tokens, balance } = posting;
      this.#do.entry.run(realmId, memberId, pointId, seq, type, tokens, balance);
      step(pointId, memberId, { set: balance });
      const earned = earnedBy(type, data, tokens);
      if (earned === 0) continue;
      for (const window of WINDOWS) step(boardOf(pointId, window, at), memberId, { add: earned });
    }
    if (type === 'member.created')
      for (const kind of kinds) step(kind, data.memberId, { enter: true });
    if (type !== 'member.removed') return;
    for (const kind of kinds) {
      step(kind, data.memberId, { leave: true });
      for (const window of WINDOWS) step(boardOf(kind, window, at), data.memberId, { leave: true });
    }
  }

  #apply(realmId: string, board: string, members: Map<string, Step[]>): void {
    const moves: ScoreMove[] = [];
    for (const [memberId, steps] of members) {
      const before = this.#do.score.get(realmId, board, memberId)?.score ?? null;
      const after = steps.reduce(takeStep, before);
      if (after === before) continue;
      if (after === null) this.#do.noScore.run(realmId, board, memberId);
      else this.#do.setScore.run(realmId, board, memberId, after);
      moves.push({ before, after });
    }
    this.#buckets.note([realmId, board], moves);
  }
}

/** What was earned has no bound, since it may be spent and earned again; a number has one. */
const within = (score: number): number => Math.max(-MAX_POINTS, Math.min(MAX_POINTS, score));

function takeStep(score: number | null, step: Step): number | null {
  if ('set' in step) return step.set;
  if ('add' in step) return within((score ?? 0) + step.add);
  return 'enter' in step ? (score ?? 0) : null;
}
