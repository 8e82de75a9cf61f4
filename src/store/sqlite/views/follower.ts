import type { DatabaseSync } from 'node:sqlite';
import { hasEnded } from '../../../domain/boards.rules.ts';
import {
  type FollowedRecord,
  type Step,
  takeStep,
  type ViewChanges,
  viewChanges,
} from '../../../domain/views.rules.ts';
import { prepare, unlessBusy, untilCommit } from '../database.ts';
import { insert, remove, upsert } from '../writing.ts';
import { RankBuckets, type ScoreMove } from './rank-buckets.ts';

/** Records taken in one go. More make cheaper pages, fewer let readers wait less. */
const RECORDS_AT_ONCE = 4_000;
const REALMS_AT_ONCE = 50;
const ROWS_DROPPED_AT_ONCE = 5_000;

interface Position {
  realm: number;
  seq: number;
  hash: string;
  entered: string;
}

/** What is read from the books, and how far each realm has come. */
function journalStatements(db: DatabaseSync) {
  return {
    behind: prepare<{ realm_id: string }, [string, number]>(
      db,
      `SELECT realm_id FROM realms LEFT JOIN followed USING (realm_id)
       WHERE realm_id > ? AND (realms.seq, realms.head) IS NOT (followed.seq, followed.hash)
       ORDER BY realm_id LIMIT ?`,
    ),
    isBehind: prepare<{ behind: number }, [string]>(
      db,
      `SELECT (realms.seq, realms.head) IS NOT (followed.seq, followed.hash) AS behind
       FROM realms LEFT JOIN followed USING (realm_id) WHERE realm_id = ?`,
    ),
    // A write, so that it takes the lock of this file before anything is read from it.
    lock: prepare<Position, [string]>(
      db,
      `INSERT INTO followed (realm_id, seq, hash, entered_to) VALUES (?, 0, x'', 0)
       ON CONFLICT (realm_id) DO UPDATE SET seq = seq
       RETURNING realm, seq, hex(hash) AS hash, CAST(entered_to AS TEXT) AS entered`,
    ),
    moveTo: prepare<never, [string, number, string]>(
      db,
      `UPDATE followed SET seq = ?2, entered_to = ?3,
         hash = coalesce((SELECT hash FROM journal WHERE realm_id = ?1 AND seq = ?2), x'')
       WHERE realm_id = ?1`,
    ),
    end: prepare<{ seq: number; last_at: number }, [string]>(
      db,
      'SELECT seq, last_at FROM realms WHERE realm_id = ?',
    ),
    position: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM followed WHERE realm_id = ?'),
    hashAt: prepare<{ hash: string }, [string, number]>(
      db,
      'SELECT hex(hash) AS hash FROM journal WHERE realm_id = ? AND seq = ?',
    ),
    records: prepare<FollowedRecord, [string, number, number]>(
      db,
      `SELECT seq, type, at, data FROM journal WHERE realm_id = ? AND seq > ?
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
  };
}

function viewStatements(db: DatabaseSync) {
  return {
    board: prepare<{ board: number }, [number, string]>(
      db,
      `INSERT INTO boards (realm, name) VALUES (?, ?)
       ON CONFLICT (realm, name) DO UPDATE SET name = name RETURNING board`,
    ),
    entry: insert(db, 'entries', 'board, member_id, seq, type, balance'),
    movement: insert(db, 'movements', 'realm, type, seq, board'),
    score: prepare<{ score: number }, [number, string]>(
      db,
      'SELECT score FROM standings WHERE board = ? AND member_id = ?',
    ),
    setScore: upsert(db, 'standings', 'board, member_id', 'score'),
    noScore: remove(db, 'standings', 'board, member_id'),
    windowBoards: prepare<{ board: number; name: string }, []>(
      db,
      `SELECT board, name FROM boards WHERE name LIKE '%@%'`,
    ),
    dropRows: db.prepare(
      `DELETE FROM standings WHERE (board, member_id) IN
         (SELECT board, member_id FROM standings
          WHERE board = ? LIMIT ${ROWS_DROPPED_AT_ONCE})`,
    ),
    dropBuckets: remove(db, 'rank_buckets', 'board'),
    dropBoard: remove(db, 'boards', 'board'),
  };
}

const statements = (db: DatabaseSync) => ({ ...journalStatements(db), ...viewStatements(db) });

/**
 * Follows the journals into the views. Apart from the write itself on purpose: kept in step, these
 * tables would cost a transfer three times its own disk pages; some hundred records at a time and
 * in a thread of their own they cost the writer nothing.
 */
export class Follower {
  readonly #db: DatabaseSync;
  readonly #do: ReturnType<typeof statements>;
  readonly #buckets: RankBuckets;
  /** The realm that had the last turn: the next one begins behind it. */
  #lastTurn = '';

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#do = statements(db);
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
  follow(realmId: string, atMost = RECORDS_AT_ONCE): number {
    return this.#writing(realmId, (position) => {
      const next = this.#do.records.all(realmId, position.seq, atMost);
      const opening = next.findIndex(({ type }) => type === 'point.created');
      if (opening === 0) return this.#openKind(realmId, position, next[0] as FollowedRecord);
      const records = opening < 0 ? next : next.slice(0, opening);
      const last = records.at(-1);
      if (!last) return 0;
      const kinds = this.#do.kinds.all(realmId).map(({ point_id }) => point_id);
      const now = this.#do.end.get(realmId)?.last_at ?? last.at;
      this.#apply(position.realm, viewChanges(records, kinds, now));
      this.#do.moveTo.run(realmId, last.seq, '0');
      return records.length;
    });
  }

  /** Takes some records of the realms that are behind; answers whether there may be more. */
  followAll(): boolean {
    const failures: unknown[] = [];
    const from = this.#lastTurn;
    const behind = this.#do.behind.all(from, REALMS_AT_ONCE);
    let left = RECORDS_AT_ONCE;
    for (const { realm_id } of behind) {
      this.#lastTurn = realm_id;
      try {
        left -= this.follow(realm_id, left);
      } catch (error) {
        // One realm that can't be followed does not hold up the others.
        failures.push(error);
      }
      if (left <= 0) return true;
    }
    if (behind.length === REALMS_AT_ONCE) return true;
    this.#lastTurn = '';
    if (failures.length > 0) throw failures[0];
    // The end of the list: those before the place where this turn began come next.
    return from !== '' || left < RECORDS_AT_ONCE;
  }

  /** Drops boards of windows that ended before the instant, some rows at a time. */
  dropOldBoards(before: number): number {
    for (const { board, name } of this.#do.windowBoards.all()) {
      if (!hasEnded(name, before)) continue;
      const dropped = Number(this.#do.dropRows.run(board).changes);
      if (dropped === ROWS_DROPPED_AT_ONCE) return dropped;
      this.#do.dropBuckets.run(board);
      this.#do.dropBoard.run(board);
      return Math.max(dropped, 1);
    }
    return 0;
  }

  #writing(realmId: string, work: (position: Position) => number): number {
    // Not IMMEDIATE, which would lock the books as well.
    this.#db.exec('BEGIN');
    return untilCommit(this.#db, () => {
      const position = unlessBusy(() => this.#do.lock.get(realmId)) as Position;
      return this.#fits(realmId, position) ? work(position) : this.#beginAnew();
    });
  }

  /** Whether the record that was followed last is still there, as it was. */
  #fits(realmId: string, { seq, hash }: Position): boolean {
    return seq === 0 || this.#do.hashAt.get(realmId, seq)?.hash === hash;
  }

  /** These are other books than those that were followed: perhaps they came from a backup. */
  #beginAnew(): number {
    for (const table of ['followed', 'boards', 'entries', 'movements', 'standings']) {
      this.#db.exec(`DELETE FROM ${table}`);
    }
    this.#db.exec('DELETE FROM rank_buckets');
    return 1;
  }

  /** Puts every member on the board of a new kind of points, some at a time. */
  #openKind(realmId: string, { realm, entered }: Position, { seq, data }: FollowedRecord): number {
    const members = this.#do.members.all(realmId, entered, RECORDS_AT_ONCE);
    const steps = members.map(({ member_id }): [string, Step[]] => [member_id, [{ enter: true }]]);
    this.#take(this.#boardNumber(realm, JSON.parse(data).id), new Map(steps));
    const last = members.at(-1)?.member_id;
    if (members.length === RECORDS_AT_ONCE && last) this.#do.moveTo.run(realmId, seq - 1, last);
    else this.#do.moveTo.run(realmId, seq, '0');
    return Math.max(members.length, 1);
  }

  #boardNumber(realm: number, name: string): number {
    return this.#do.board.get(realm, name)?.board as number;
  }

  #apply(realm: number, { entries, movements, boards }: ViewChanges): void {
    const numbers = new Map<string, number>();
    const numberOf = (name: string): number => {
      const number = numbers.get(name) ?? this.#boardNumber(realm, name);
      numbers.set(name, number);
      return number;
    };
    for (const { memberId, pointId, seq, type, balance } of entries) {
      this.#do.entry.run(numberOf(pointId), memberId, seq, type, balance);
    }
    for (const { type, seq, pointId } of movements) {
      this.#do.movement.run(realm, type, seq, numberOf(pointId));
    }
    for (const [name, members] of boards) this.#take(numberOf(name), members);
  }

  #take(board: number, members: Map<string, Step[]>): void {
    const moves: ScoreMove[] = [];
    for (const [memberId, steps] of members) {
      const before = this.#do.score.get(board, memberId)?.score ?? null;
      const after = steps.reduce(takeStep, before);
      if (after === before) continue;
      if (after === null) this.#do.noScore.run(board, memberId);
      else this.#do.setScore.run(board, memberId, after);
      moves.push({ before, after });
    }
    this.#buckets.note(board, moves);
  }
}
