import { hasEnded } from '../../../domain/rules/leaderboards.ts';
import {
  applyScoreChanges,
  enrolMembers,
  isSameStanding,
  nextStep,
  noSums,
  type ProjectedRecord,
  type ProjectedStanding,
  type ProjectionSums,
  projectRecords,
  type RealmPosition,
  type ScoreChange,
  type ScoreChanges,
} from '../../../domain/rules/projections.ts';
import { LOWEST_SCORE, type ScoreMove } from '../../../domain/rules/ranks.ts';
import type { ProjectionProgress } from '../../../engine/store.ts';
import { asyncTransaction } from '../async-transaction.ts';
import type { Connection } from '../connection.ts';
import type { ExclusivePool } from '../pools.ts';
import { columns } from '../statement.ts';
import { updateDays } from './daily-totals.ts';
import { discard } from './discard.ts';
import { indexNames } from './name-indexer.ts';
import { type LeaderboardKey, ROWS_DROPPED_AT_ONCE, sql } from './projector-statements.ts';
import { applyToBuckets, readBuckets } from './rank-buckets.ts';

/** Records per transaction. More share pages and are cheaper, fewer make readers wait less. */
const RECORDS_AT_ONCE = 2_000;
/** Records and members processed between two awaits: this thread also answers callers. */
const SLICE = 500;

export interface StepResult {
  progress: ProjectionProgress;
  /** The realm's position after the step. */
  position: number;
}

/**
 * Projects the realm's next records outside the write transaction, where updating these tables
 * would more than double its cost. The row of the realm's position is the lock, so that one of many
 * nodes does the work. If another node is projecting the realm, a reader, who knows by how many
 * records the realm is behind, waits for it; in the background, the realm is left to that node.
 * What a crash of the server undoes is projected again: the realm's position is lost or kept
 * together with it.
 */
export const project = (
  projectors: ExclusivePool,
  realmId: string,
  behind: number | null,
): Promise<StepResult> => {
  const lock = behind === null ? sql.lockIfFree : sql.lock;
  const projectNext = (connection: Connection): Promise<StepResult> =>
    asyncTransaction(connection, async () => {
      const [, [position], records, kinds, [end]] = await Promise.all([
        connection.change(sql.open, realmId),
        connection.query(lock, realmId),
        connection.query(sql.records, realmId, RECORDS_AT_ONCE),
        connection.query(sql.kinds, realmId),
        connection.query(sql.end, realmId),
      ]);
      if (!position || !end) return { progress: 'nothing', position: 0 };
      // The journal is not the one that was projected.
      if (!end.matches) {
        await discard(connection, realmId);
        return { progress: 'full', position: 0 };
      }
      const kindIds = kinds.map(({ realm_point_id }) => realm_point_id);
      const step = nextStep(records, RECORDS_AT_ONCE, () => kindIds);
      if (!step) return { progress: 'nothing', position: position.seq };
      // The last record may have been written while the clock was ahead.
      const now = Math.min(end.clock_at, Date.now());
      const { sums, position: next } =
        'newKind' in step
          ? await enrol(connection, realmId, step, position)
          : await insert(connection, realmId, step, kindIds, now);
      connection.send(sql.moveTo, realmId, next.seq, next.enrolledTo);
      await Promise.all([
        applyScores(connection, realmId, sums.scores),
        updateDays(connection, realmId, sums.days),
      ]);
      return { progress: next.seq >= end.seq ? 'some' : 'full', position: next.seq };
    });
  if (behind === null) return projectors.useInBackground(projectNext);
  const cost = Math.min(Math.max(1, behind), RECORDS_AT_ONCE);
  return projectors.use(projectNext, { line: realmId, cost });
};

/** Discards what is projected of the realm: it is projected again from the journal. */
export const discardProjections = (projectors: ExclusivePool, realmId: string): Promise<void> =>
  projectors.useInBackground((connection) =>
    asyncTransaction(connection, async () => {
      await connection.query(sql.lock, realmId);
      await discard(connection, realmId);
    }),
  );

/** Drops leaderboards whose window ended before the instant, a bounded number of rows a call. */
export const dropExpiredLeaderboards = (
  projectors: ExclusivePool,
  before: number,
): Promise<number> =>
  projectors.useInBackground(async (connection) => {
    let dropped = 0;
    let last: LeaderboardKey | undefined = ['', ''];
    while (last && dropped < ROWS_DROPPED_AT_ONCE) {
      const keys: LeaderboardKey[] = (
        await connection.query(sql.windowLeaderboards, ...last, LOWEST_SCORE)
      ).map(({ realm_id, leaderboard }) => [realm_id, leaderboard]);
      for (const key of keys) {
        if (dropped >= ROWS_DROPPED_AT_ONCE) break;
        if (!hasEnded(key[1], before)) continue;
        dropped += await asyncTransaction(connection, () => drop(connection, key));
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

interface Projected {
  sums: ProjectionSums;
  position: RealmPosition;
}

async function enrol(
  connection: Connection,
  realmId: string,
  step: Parameters<typeof enrolMembers>[0],
  { enrolledTo }: RealmPosition,
): Promise<Projected> {
  const members = await connection.query(sql.members, realmId, enrolledTo, RECORDS_AT_ONCE);
  const memberIds = members.map(({ memberId }) => memberId);
  return enrolMembers(step, memberIds, RECORDS_AT_ONCE);
}

async function insert(
  connection: Connection,
  realmId: string,
  { records, position }: { records: ProjectedRecord[]; position: RealmPosition },
  kinds: string[],
  now: number,
): Promise<Projected> {
  const sums = noSums();
  for (let from = 0; from < records.length; from += SLICE) {
    const slice = records.slice(from, from + SLICE);
    const { entries, movements, names } = projectRecords(slice, () => kinds, now, sums);
    const entryColumns = columns(entries, 'memberId', 'realmPointId', 'seq', 'type', 'balance');
    const movementColumns = columns(movements, 'type', 'seq', 'realmPointId');
    connection.send(sql.entries, realmId, ...entryColumns);
    connection.send(sql.movements, realmId, ...movementColumns);
    if (names.size > 0) await indexNames(connection, realmId, names);
    // A short step need not wait for its rows.
    if (records.length > SLICE) await connection.settled();
  }
  return { sums, position };
}

interface OnLeaderboard {
  leaderboard: string;
  memberId: string;
}

type MemberMove = OnLeaderboard & ScoreMove;

const keyOf = ({ leaderboard, memberId }: OnLeaderboard): string => `${leaderboard} ${memberId}`;
const keysOf = (rows: OnLeaderboard[]) => columns(rows, 'leaderboard', 'memberId');

async function applyScores(
  connection: Connection,
  realmId: string,
  scores: ScoreChanges,
): Promise<void> {
  if (scores.size === 0) return;
  const all = [...scores].flatMap(([leaderboard, members]) =>
    Array.from(members, ([memberId, changes]) => ({ leaderboard, memberId, changes })),
  );
  const moveAll = async (): Promise<MemberMove[]> => {
    const moves: MemberMove[] = [];
    for (let from = 0; from < all.length; from += SLICE) {
      moves.push(...(await moveScores(connection, realmId, all.slice(from, from + SLICE))));
      if (all.length > SLICE) await connection.settled();
    }
    return moves;
  };
  const [buckets, moves] = await Promise.all([
    readBuckets(connection, realmId, [...scores.keys()]),
    moveAll(),
  ]);
  const byLeaderboard = Map.groupBy(moves, ({ leaderboard }) => leaderboard);
  await applyToBuckets(connection, realmId, buckets, byLeaderboard);
}

async function moveScores(
  connection: Connection,
  realmId: string,
  slice: (OnLeaderboard & { changes: ScoreChange[] })[],
): Promise<MemberMove[]> {
  const stored = await connection.query(sql.standings, realmId, ...keysOf(slice));
  const standings = new Map(stored.map((row) => [keyOf(row), row]));
  const moves: MemberMove[] = [];
  const removed: OnLeaderboard[] = [];
  const set: (OnLeaderboard & ProjectedStanding)[] = [];
  for (const { changes, ...key } of slice) {
    const before = standings.get(keyOf(key)) ?? null;
    const after = applyScoreChanges(before, changes);
    if (isSameStanding(before, after)) continue;
    if (after === null) removed.push(key);
    else set.push({ ...key, ...after });
    moves.push({ ...key, before: before?.score ?? null, after: after?.score ?? null });
  }
  if (removed.length > 0) connection.send(sql.removeStandings, realmId, ...keysOf(removed));
  const setColumns = columns(set, 'leaderboard', 'memberId', 'score', 'movedAt');
  if (set.length > 0) connection.send(sql.setStandings, realmId, ...setColumns);
  return moves;
}
