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
const REALMS_AT_ONCE = 500;
const ROWS_DROPPED_AT_ONCE = 5_000;

/** A realm that is behind, and how far it has come. */
interface Turn {
  realm_id: string;
  /** Null for a realm that was never followed. */
  realm: number | null;
  seq: number;
  entered: string;
  /** The instant of the realm's last record. */
  last_at: number;
  /** 0 where the record that was followed last is no longer what it was. */
  fits: number;
}

/** Everything that a step must know of a realm, in one statement: most realms have few records. */
const TURN = `SELECT realm_id, f.realm, coalesce(f.seq, 0) AS seq, r.last_at,
    CAST(coalesce(f.entered_to, 0) AS TEXT) AS entered,
    coalesce(f.seq, 0) = 0 OR f.hash IS
      (SELECT hash FROM journal j WHERE j.realm_id = r.realm_id AND j.seq = f.seq) AS fits
  FROM realms r LEFT JOIN followed f USING (realm_id)
  WHERE (r.seq, r.head) IS NOT (f.seq, f.hash)`;

/** What is read from the books, and how far each realm has come. */
function journalStatements(db: DatabaseSync) {
  return {
    turns: prepare<Turn, [string, number]>(
      db,
      `${TURN} AND realm_id > ? ORDER BY realm_id LIMIT ?`,
    ),
    turn: prepare<Turn, [string]>(db, `${TURN} AND realm_id = ?`),
    isBehind: prepare<{ behind: number }, [string]>(
      db,
      `SELECT (r.seq, r.head) IS NOT (f.seq, f.hash) AS behind
       FROM realms r LEFT JOIN followed f USING (realm_id) WHERE realm_id = ?`,
    ),
    // A write, though to no row: it takes the lock of this file before anything is read from it.
    lock: prepare<never, []>(db, 'UPDATE followed SET seq = seq WHERE realm = 0'),
    newRealm: prepare<{ realm: number }, [string]>(
      db,
      `INSERT INTO followed (realm_id, seq, hash, entered_to) VALUES (?, 0, x'', 0)
       RETURNING realm`,
    ),
    moveTo: prepare<never, [string, number, string]>(
      db,
      `UPDATE followed SET seq = ?2, entered_to = ?3,
         hash = coalesce((SELECT hash FROM journal WHERE realm_id = ?1 AND seq = ?2), x'')
       WHERE realm_id = ?1`,
    ),
    end: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    position: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM followed WHERE realm_id = ?'),
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
      'SELECT board FROM boards WHERE realm = ? AND name = ?',
    ),
    newBoard: prepare<{ board: number }, [number, string]>(
      db,
      'INSERT INTO boards (realm, name) VALUES (?, ?) RETURNING board',
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
  follow(realmId: string): number {
    return this.#writing(() => {
      const turn = this.#do.turn.get(realmId);
      return turn ? this.#take(turn, RECORDS_AT_ONCE) : 0;
    });
  }

  /** Takes some records of the realms that are behind; answers whether there may be more. */
  followAll(): boolean {
    const from = this.#lastTurn;
    const failures: unknown[] = [];
    const [realms, left] = this.#writing(() => {
      const turns = this.#do.turns.all(from, REALMS_AT_ONCE);
      let records = RECORDS_AT_ONCE;
      for (const turn of turns) {
        if (records <= 0) break;
        this.#lastTurn = turn.realm_id;
        records -= this.#apart(() => this.#take(turn, records), failures);
      }
      return [turns.length, records];
    });
    if (left <= 0 || realms === REALMS_AT_ONCE) return true;
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

  #writing<T>(work: () => T): T {
    // Not IMMEDIATE, which would lock the books as well.
    this.#db.exec('BEGIN');
    return untilCommit(this.#db, () => {
      unlessBusy(() => this.#do.lock.run());
      return work();
    });
  }

  /** One realm that can't be followed does not hold up the others. */
  #apart(work: () => number, failures: unknown[]): number {
    this.#db.exec('SAVEPOINT realm');
    try {
      const taken = work();
      this.#db.exec('RELEASE realm');
      return taken;
    } catch (error) {
      // A failure may have ended the whole transaction.
      if (!this.#db.isTransaction) throw error;
      this.#db.exec('ROLLBACK TO realm; RELEASE realm');
      failures.push(error);
      return 0;
    }
  }

  #take(turn: Turn, atMost: number): number {
    if (!turn.fits) return this.#beginAnew();
    const { realm_id: realmId, seq } = turn;
    const realm = turn.realm ?? (this.#do.newRealm.get(realmId)?.realm as number);
    const next = this.#do.records.all(realmId, seq, atMost);
    const opening = next.findIndex(({ type }) => type === 'point.created');
    if (opening === 0) return this.#openKind(turn, realm, next[0] as FollowedRecord);
    const records = opening < 0 ? next : next.slice(0, opening);
    const last = records.at(-1);
    if (!last) return 0;
    const kinds = () => this.#do.kinds.all(realmId).map(({ point_id }) => point_id);
    this.#apply(realm, viewChanges(records, kinds, turn.last_at));
    this.#do.moveTo.run(realmId, last.seq, '0');
    return records.length;
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
  #openKind(turn: Turn, realm: number, { seq, data }: FollowedRecord): number {
    const { realm_id: realmId, entered } = turn;
    const members = this.#do.members.all(realmId, entered, RECORDS_AT_ONCE);
    const steps = members.map(({ member_id }): [string, Step[]] => [member_id, [{ enter: true }]]);
    this.#move(this.#boardNumber(realm, JSON.parse(data).id), new Map(steps));
    const last = members.at(-1)?.member_id;
    if (members.length === RECORDS_AT_ONCE && last) this.#do.moveTo.run(realmId, seq - 1, last);
    else this.#do.moveTo.run(realmId, seq, '0');
    return Math.max(members.length, 1);
  }

  #boardNumber(realm: number, name: string): number {
    const found = this.#do.board.get(realm, name) ?? this.#do.newBoard.get(realm, name);
    return found?.board as number;
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
