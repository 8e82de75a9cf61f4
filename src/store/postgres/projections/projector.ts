import { hasEnded } from '../../../domain/rules/leaderboards.ts';
import {
  applyScoreChanges,
  enrolMembers,
  nextStep,
  type ProjectionChanges,
  projectRecords,
  type RealmPosition,
  type ScoreChange,
  type ScoreChanges,
} from '../../../domain/rules/projections.ts';
import { LOWEST_SCORE, type ScoreMove } from '../../../domain/rules/ranks.ts';
import type { ProjectionProgress } from '../../../engine/store.ts';
import type { Connection } from '../connection.ts';
import type { ExclusivePool } from '../pools.ts';
import { columns } from '../statement.ts';
import {
  type LeaderboardKey,
  ROWS_DROPPED_AT_ONCE,
  projectorStatements as sql,
} from './projector-statements.ts';
import { applyToBuckets } from './rank-buckets.ts';

/** Records per transaction. More share pages and are cheaper, fewer make readers wait less. */
const RECORDS_AT_ONCE = 8_000;
/** Records and members processed between two awaits: this thread also answers callers. */
const SLICE = 500;

/**
 * What the server loses in a crash is projected again, so a commit does not wait for the disk. The
 * realm's position is lost or kept together with it.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = off';

/**
 * Projects the realm's next records, apart from the write itself: updated within it, these tables
 * would cost a transfer more than its own. The row of the realm's position is the lock, so that one
 * of many nodes does the work. If another one is at it, `wait` waits for it; otherwise the realm is
 * left to that node.
 */
export const project = (
  projectors: ExclusivePool,
  realmId: string,
  wait: boolean,
): Promise<ProjectionProgress> =>
  projectors.use((connection) =>
    writing(connection, async () => {
      const [, [position], records, kinds, [end]] = await Promise.all([
        connection.change(sql.open, realmId),
        connection.query(wait ? sql.lock : sql.lockIfFree, realmId),
        connection.query(sql.records, realmId, RECORDS_AT_ONCE),
        connection.query(sql.kinds, realmId),
        connection.query(sql.end, realmId),
      ]);
      const step = position ? nextStep(records, RECORDS_AT_ONCE) : null;
      if (!position || !end || !step) return 'nothing';
      if ('newKind' in step) {
        await enrol(connection, realmId, step, position);
        return 'full';
      }
      const kindIds = kinds.map(({ realm_point_id }) => realm_point_id);
      const scores: ScoreChanges = new Map();
      for (let from = 0; from < step.records.length; from += SLICE) {
        const slice = step.records.slice(from, from + SLICE);
        await insert(
          connection,
          realmId,
          projectRecords(slice, () => kindIds, end.last_at, scores),
        );
      }
      await applyScores(connection, realmId, scores);
      await moveTo(connection, realmId, step.position);
      return step.isLast ? 'some' : 'full';
    }),
  );

/** Drops leaderboards whose window ended before the instant, a bounded number of rows a call. */
export const dropExpiredLeaderboards = (
  projectors: ExclusivePool,
  before: number,
): Promise<number> =>
  projectors.use(async (connection) => {
    let dropped = 0;
    let last: LeaderboardKey | undefined = ['', ''];
    while (last && dropped < ROWS_DROPPED_AT_ONCE) {
      const keys: LeaderboardKey[] = (
        await connection.query(sql.windowLeaderboards, ...last, LOWEST_SCORE)
      ).map(({ realm_id, leaderboard }) => [realm_id, leaderboard]);
      for (const key of keys) {
        if (dropped >= ROWS_DROPPED_AT_ONCE) break;
        if (!hasEnded(key[1], before)) continue;
        dropped += await writing(connection, () => drop(connection, key));
      }
      last = keys.at(-1);
    }
    return dropped;
  });

/** Under the projector's lock, so that no node starts the leaderboard again meanwhile. */
async function drop(connection: Connection, key: LeaderboardKey): Promise<number> {
  const [position] = await connection.query(sql.lockIfFree, key[0]);
  if (!position) return 0;
  const dropped = await connection.change(sql.dropStandings, ...key);
  if (dropped === ROWS_DROPPED_AT_ONCE) return dropped;
  return dropped + (await connection.change(sql.dropBuckets, ...key));
}

async function writing<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    const begun = connection.run(BEGIN);
    const [, result] = await Promise.all([begun, work()]);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return result;
  } catch (error) {
    // Statements may still be running on it; destroying it rolls them back.
    connection.destroy(error as Error);
    throw error;
  }
}

const moveTo = (connection: Connection, realmId: string, { seq, enrolledTo }: RealmPosition) =>
  connection.change(sql.moveTo, realmId, seq, enrolledTo);

async function enrol(
  connection: Connection,
  realmId: string,
  step: { newKind: string; seq: number },
  { enrolledTo }: RealmPosition,
): Promise<void> {
  const members = await connection.query(sql.members, realmId, enrolledTo, RECORDS_AT_ONCE);
  const memberIds = members.map(({ memberId }) => memberId);
  const { scores, position } = enrolMembers(step, memberIds, RECORDS_AT_ONCE);
  await applyScores(connection, realmId, scores);
  await moveTo(connection, realmId, position);
}

function insert(
  connection: Connection,
  realmId: string,
  { entries, movements }: ProjectionChanges,
): Promise<unknown> {
  const entryColumns = columns(entries, 'memberId', 'realmPointId', 'seq', 'type', 'balance');
  return Promise.all([
    connection.change(sql.entries, realmId, ...entryColumns),
    connection.change(sql.movements, realmId, ...columns(movements, 'type', 'seq', 'realmPointId')),
  ]);
}

interface OnLeaderboard {
  leaderboard: string;
  memberId: string;
}

type MemberMove = OnLeaderboard & ScoreMove;

const keysOf = (rows: OnLeaderboard[]) => columns(rows, 'leaderboard', 'memberId');

async function applyScores(
  connection: Connection,
  realmId: string,
  scores: ScoreChanges,
): Promise<void> {
  const all = [...scores].flatMap(([leaderboard, members]) =>
    Array.from(members, ([memberId, changes]) => ({ leaderboard, memberId, changes })),
  );
  const moves: MemberMove[] = [];
  for (let from = 0; from < all.length; from += SLICE) {
    moves.push(...(await moveScores(connection, realmId, all.slice(from, from + SLICE))));
  }
  if (moves.length === 0) return;
  await applyToBuckets(
    connection,
    realmId,
    Map.groupBy(moves, ({ leaderboard }) => leaderboard),
  );
}

async function moveScores(
  connection: Connection,
  realmId: string,
  slice: (OnLeaderboard & { changes: ScoreChange[] })[],
): Promise<MemberMove[]> {
  const stored = await connection.query(sql.scores, realmId, ...keysOf(slice));
  const scores = new Map(stored.map((row) => [`${row.leaderboard} ${row.member_id}`, row.score]));
  const moves = slice.flatMap(({ leaderboard, memberId, changes }) => {
    const before = scores.get(`${leaderboard} ${memberId}`) ?? null;
    const after = applyScoreChanges(before, changes);
    return after === before ? [] : [{ leaderboard, memberId, before, after }];
  });
  const removed = moves.filter(({ after }) => after === null);
  const set = moves.filter(({ after }) => after !== null);
  const scoresSet = set.map(({ after }) => after ?? 0);
  await Promise.all([
    connection.change(sql.removeScores, realmId, ...keysOf(removed)),
    connection.change(sql.setScores, realmId, ...keysOf(set), scoresSet),
  ]);
  return moves;
}
