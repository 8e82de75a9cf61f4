import { hasEnded } from '../../../domain/rules/leaderboards.ts';
import {
  applyScoreChanges,
  enrolMembers,
  nextStep,
  type ProjectedRecord,
  projectRecords,
  type RealmPosition,
  type ScoreChange,
  type ScoreChanges,
} from '../../../domain/rules/projections.ts';
import { LOWEST_SCORE, type ScoreMove } from '../../../domain/rules/ranks.ts';
import type { ProjectionProgress } from '../../../engine/store.ts';
import type { Connection } from '../connection.ts';
import type { ExclusivePool } from '../pools.ts';
import { columns, insertRows, statement } from '../statement.ts';
import { discard } from './discard.ts';
import { indexNames } from './name-indexer.ts';
import { applyToBuckets } from './rank-buckets.ts';

/** Records per transaction. More share pages and are cheaper, fewer make readers wait less. */
const RECORDS_AT_ONCE = 2_000;
/** Records and members processed between two awaits: this thread also answers callers. */
const SLICE = 500;
const ROWS_DROPPED_AT_ONCE = 5_000;
const LEADERBOARDS_AT_ONCE = 1_000;

type LeaderboardKey = [realmId: string, leaderboard: string];

const LOCK = `SELECT seq, enrolled_to::text AS "enrolledTo" FROM projection_positions
  WHERE realm_id = $1 FOR UPDATE`;

const sql = {
  open: statement<never, [string]>(
    `INSERT INTO projection_positions (realm_id, seq, enrolled_to) VALUES ($1, 0, 0)
     ON CONFLICT DO NOTHING`,
  ),
  lock: statement<RealmPosition, [string]>(LOCK),
  lockIfFree: statement<RealmPosition, [string]>(`${LOCK} SKIP LOCKED`),
  moveTo: statement<never, [string, number, string]>(
    `UPDATE projection_positions SET seq = $2, enrolled_to = $3,
       hash = (SELECT j.hash FROM journal j WHERE j.realm_id = $1 AND j.seq = $2)
     WHERE realm_id = $1`,
  ),
  records: statement<ProjectedRecord, [string, number]>(
    `SELECT seq, type, at, data FROM journal
     WHERE realm_id = $1 AND seq > (SELECT p.seq FROM projection_positions p WHERE p.realm_id = $1)
     ORDER BY seq LIMIT $2`,
  ),
  // Read after the lock is held, so that journal and position are of one instant.
  end: statement<{ clock_at: number; matches: boolean }, [string]>(
    `SELECT clock_at, coalesce((SELECT p.hash IS NULL OR p.hash IS NOT DISTINCT FROM
           (SELECT j.hash FROM journal j WHERE j.realm_id = $1 AND j.seq = p.seq)
       FROM projection_positions p WHERE p.realm_id = $1), true) AS matches
     FROM realms WHERE realm_id = $1`,
  ),
  kinds: statement<{ realm_point_id: string }, [string]>(
    'SELECT realm_point_id FROM point_kinds WHERE realm_id = $1',
  ),
  members: statement<{ memberId: string }, [string, string, number]>(
    `SELECT member_id::text AS "memberId" FROM members
     WHERE realm_id = $1 AND member_id > $2::bigint AND status <> 'removed'
     ORDER BY member_id LIMIT $3`,
  ),
  entries: insertRows<[string, string[], string[], number[], string[], number[]]>(
    'entries (realm_id, member_id, realm_point_id, seq, type, balance)',
    'new.*',
    'unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[]) new',
  ),
  movements: insertRows<[string, string[], number[], string[]]>(
    'movements (realm_id, type, seq, realm_point_id)',
    'new.*',
    'unnest($2::text[], $3::bigint[], $4::text[]) new',
  ),
  scores: statement<
    { leaderboard: string; member_id: string; score: number },
    [string, string[], string[]]
  >(
    `SELECT wanted.leaderboard, wanted.id::text AS member_id, s.score
     FROM unnest($2::text[], $3::bigint[]) AS wanted(leaderboard, id) CROSS JOIN LATERAL
       (SELECT score FROM standings WHERE realm_id = $1
          AND leaderboard = wanted.leaderboard AND member_id = wanted.id OFFSET 0) s`,
  ),
  setScores: insertRows<[string, string[], string[], number[]]>(
    'standings (realm_id, leaderboard, member_id, score)',
    'new.*',
    'unnest($2::text[], $3::bigint[], $4::bigint[]) new',
    ' ON CONFLICT (realm_id, leaderboard, member_id) DO UPDATE SET score = excluded.score',
  ),
  removeScores: statement<never, [string, string[], string[]]>(
    `DELETE FROM standings WHERE ctid = ANY (ARRAY(SELECT found.ctid
     FROM unnest($2::text[], $3::bigint[]) AS gone(leaderboard, id) CROSS JOIN LATERAL
       (SELECT ctid FROM standings
        WHERE realm_id = $1 AND leaderboard = gone.leaderboard AND member_id = gone.id OFFSET 0)
     found))`,
  ),
  // Every leaderboard has a bucket with the lowest bound, $3.
  windowLeaderboards: statement<
    { realm_id: string; leaderboard: string },
    [...LeaderboardKey, number]
  >(
    `SELECT realm_id, leaderboard FROM rank_buckets
     WHERE (realm_id, leaderboard) > ($1, $2) AND lower = $3::bigint AND leaderboard LIKE '%@%'
     ORDER BY realm_id, leaderboard LIMIT ${LEADERBOARDS_AT_ONCE}`,
  ),
  dropStandings: statement<never, LeaderboardKey>(
    `DELETE FROM standings WHERE realm_id = $1 AND leaderboard = $2 AND member_id <=
       (SELECT max(member_id) FROM (SELECT member_id FROM standings
        WHERE realm_id = $1 AND leaderboard = $2
        ORDER BY member_id LIMIT ${ROWS_DROPPED_AT_ONCE}) next)`,
  ),
  dropBuckets: statement<never, LeaderboardKey>(
    'DELETE FROM rank_buckets WHERE realm_id = $1 AND leaderboard = $2',
  ),
};

/**
 * What the server loses in a crash is projected again, so a commit does not wait for the disk. The
 * realm's position is lost or kept together with it.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = off';

/**
 * Projects the realm's next records outside the write transaction, where updating these tables
 * would more than double its cost. The row of the realm's position is the lock, so that one of many
 * nodes does the work. If another node is projecting the realm, `wait` waits for it; otherwise the
 * realm is left to that node.
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
      if (!position || !end) return 'nothing';
      // The journal is not the one that was projected.
      if (!end.matches) return discard(connection, realmId);
      const step = nextStep(records, RECORDS_AT_ONCE);
      if (!step) return 'nothing';
      // The last record may have been written while the clock was ahead.
      const now = Math.min(end.clock_at, Date.now());
      const kindIds = kinds.map(({ realm_point_id }) => realm_point_id);
      const { scores, position: next } =
        'newKind' in step
          ? await enrol(connection, realmId, step, position)
          : await insert(connection, realmId, step, kindIds, now);
      await applyScores(connection, realmId, scores);
      await connection.change(sql.moveTo, realmId, next.seq, next.enrolledTo);
      return 'isLast' in step && step.isLast ? 'some' : 'full';
    }),
  );

/** Discards what is projected of the realm: it is projected again from the journal. */
export const discardProjections = (projectors: ExclusivePool, realmId: string): Promise<void> =>
  projectors.use((connection) =>
    writing(connection, async () => {
      await connection.query(sql.lock, realmId);
      await discard(connection, realmId);
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

interface Projected {
  scores: ScoreChanges;
  position: RealmPosition;
}

async function enrol(
  connection: Connection,
  realmId: string,
  step: { newKind: string; seq: number },
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
  const scores: ScoreChanges = new Map();
  for (let from = 0; from < records.length; from += SLICE) {
    const slice = records.slice(from, from + SLICE);
    const { entries, movements, names } = projectRecords(slice, () => kinds, now, scores);
    const entryColumns = columns(entries, 'memberId', 'realmPointId', 'seq', 'type', 'balance');
    const movementColumns = columns(movements, 'type', 'seq', 'realmPointId');
    await Promise.all([
      connection.change(sql.entries, realmId, ...entryColumns),
      connection.change(sql.movements, realmId, ...movementColumns),
      names.size > 0 && indexNames(connection, realmId, names),
    ]);
  }
  return { scores, position };
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
