import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ALL_DAYS, type DailyTotals } from '../../../domain/rules/daily-totals.ts';
import type { EntryRow, MovementRow, ScoreRow } from '../../../domain/rules/projection-audit.ts';
import type { RankBucket } from '../../../domain/rules/ranks.ts';
import type { ProjectedSnapshot } from '../../verification.ts';
import { openForScanning } from '../database.ts';
import { isDamaged } from '../errors.ts';
import { integer, integerOrNull, isOwn, MisplacedRow, ownRows } from '../integrity.ts';
import { statementsOn } from '../rows.ts';
import { projectionsPath } from './database.ts';

/** The file of the projections cannot be read. */
export class ProjectionsDamaged extends Error {}

interface OpenSnapshot extends Disposable {
  snapshot: ProjectedSnapshot | null;
}

/** Opens the projections of a realm as they are now, until they are disposed. */
export function openProjectedSnapshot(mainPath: string, realmId: string): OpenSnapshot {
  const path = projectionsPath(mainPath);
  if (!existsSync(path)) return { snapshot: null, [Symbol.dispose]: () => undefined };
  const db = guarded(() => openForScanning(path));
  try {
    return {
      snapshot: guarded(() => snapshotOf(db, realmId)),
      [Symbol.dispose]: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamaged(error) && !(error instanceof MisplacedRow)) throw error;
    throw new ProjectionsDamaged((error as Error).message, { cause: error });
  }
}

type Own<Row> = Row & { isOwn: number };

/** Every function that reads reports damage as such. */
const guardedPages =
  <Row>(read: (after: Row | undefined, limit: number) => Own<Row>[]) =>
  (after: Row | undefined, limit: number): Row[] =>
    guarded(() => ownRows(read(after, limit)));

function snapshotOf(db: DatabaseSync, realmId: string): ProjectedSnapshot | null {
  db.exec('BEGIN');
  const sql = statementsOn(db);
  // A file that was just created has no tables yet.
  if (!sql.value<string, []>("SELECT name FROM sqlite_schema WHERE name = 'rank_buckets'")()) {
    return null;
  }
  const position = sql.get<{ realmNo: number; seq: number; hash: string }, [string]>(
    `SELECT realm_no AS realmNo, ${integer('seq')} AS seq, lower(hex(hash)) AS hash
     FROM projection_positions WHERE realm_id = ?`,
  )(realmId);
  if (!position) return null;
  const { realmNo, seq, hash } = position;
  const number = sql.value<number, [number, string]>(
    'SELECT leaderboard_no FROM leaderboards WHERE realm_no = ? AND name = ?',
  );
  // Numbers start at 1: a leaderboard that is not stored has no rows.
  const numberOf = (name: string): number => guarded(() => number(realmNo, name)) ?? 0;
  const names = sql.values<string, [number]>('SELECT name FROM leaderboards WHERE realm_no = ?');
  return {
    position: { seq, hash },
    leaderboards: () => guarded(() => names(realmNo)),
    ...tablesOf(db, numberOf),
    days: daysOf(db, realmNo),
  };
}

function tablesOf(
  db: DatabaseSync,
  numberOf: (leaderboard: string) => number,
): Omit<ProjectedSnapshot, 'position' | 'leaderboards' | 'days'> {
  const sql = statementsOn(db);
  const own = isOwn('leaderboard_no');
  const member = 'CAST(member_id AS TEXT) AS memberId';
  const entries = sql.all<Own<EntryRow>, [number, string, number, number]>(
    `SELECT ${own}, ${member}, ${integer('seq')} AS seq, type, ${integer('balance')} AS balance
     FROM entries
     WHERE leaderboard_no = ?1 AND (member_id, entries.seq) > (CAST(?2 AS INTEGER), ?3)
     ORDER BY member_id, entries.seq LIMIT ?4`,
  );
  const movements = sql.all<Own<MovementRow>, [number, string, number, number]>(
    `SELECT ${own}, type, ${integer('seq')} AS seq FROM movements
     WHERE leaderboard_no = ?1 AND (type, movements.seq) > (?2, ?3)
     ORDER BY type, movements.seq LIMIT ?4`,
  );
  const standing = `SELECT ${own}, ${member}, ${integer('score')} AS score,
    ${integerOrNull('moved_at')} AS movedAt FROM standings`;
  const standings = sql.all<Own<ScoreRow>, [number, string, number]>(
    `${standing}
     WHERE leaderboard_no = ?1 AND member_id > CAST(?2 AS INTEGER) ORDER BY member_id LIMIT ?3`,
  );
  const ranked = `${standing} INDEXED BY standings_by_score WHERE leaderboard_no = ?1`;
  const order = 'ORDER BY standings.score DESC, member_id LIMIT ?2';
  const top = sql.all<Own<ScoreRow>, [number, number]>(`${ranked} ${order}`);
  const ties = sql.all<Own<ScoreRow>, [number, number, number, string]>(
    `${ranked} AND standings.score = ?3 AND member_id > CAST(?4 AS INTEGER) ${order}`,
  );
  const lower = sql.all<Own<ScoreRow>, [number, number, number]>(
    `${ranked} AND standings.score < ?3 ${order}`,
  );
  const buckets = sql.all<Own<RankBucket>, [number]>(
    `SELECT ${own}, ${integer('lower')} AS lower, ${integer('count')} AS count,
       ${integer('split_at')} AS splitAt
     FROM rank_buckets WHERE leaderboard_no = ?1 ORDER BY rank_buckets.lower`,
  );
  return {
    entries: (kind) =>
      guardedPages((after, limit) =>
        entries(numberOf(kind), after?.memberId ?? '0', after?.seq ?? 0, limit),
      ),
    movements: (kind) =>
      guardedPages((after, limit) =>
        movements(numberOf(kind), after?.type ?? '', after?.seq ?? 0, limit),
      ),
    standings: (name) =>
      guardedPages((after, limit) => standings(numberOf(name), after?.memberId ?? '0', limit)),
    ranking: (name) =>
      guardedPages((after, limit) => {
        const board = numberOf(name);
        if (!after) return top(board, limit);
        const same = ties(board, limit, after.score, after.memberId);
        return same.concat(lower(board, limit - same.length, after.score));
      }),
    buckets: (name) => guarded(() => ownRows(buckets(numberOf(name)))),
  };
}

function daysOf(db: DatabaseSync, realmNo: number): ProjectedSnapshot['days'] {
  const days = statementsOn(db).all<Own<DailyTotals>, [number, number, string, number]>(
    `SELECT ${isOwn('realm_no')}, ${integer('day')} AS day, realm_point_id AS realmPointId,
       ${integer('records')} AS records, issued, spent, opened, held FROM daily_totals
     WHERE realm_no = ?1 AND (daily_totals.day, realm_point_id) > (?2, ?3)
     ORDER BY daily_totals.day, realm_point_id LIMIT ?4`,
  );
  return guardedPages((after, limit) =>
    days(realmNo, after?.day ?? ALL_DAYS - 1, after?.realmPointId ?? '', limit),
  );
}
