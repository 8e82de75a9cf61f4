import { decodeRecord, type RecordOf } from '../../../domain/records.ts';
import { leaderboardEnd } from '../../../domain/rules/leaderboards.ts';
import {
  type BoardSteps,
  type ProjectedRecord,
  type ProjectionChanges,
  projectionChanges,
  type Step,
  takeStep,
} from '../../../domain/rules/projections.ts';
import type { ProjectionProgress } from '../../../engine/store.ts';
import type { Connection } from '../connection.ts';
import type { ExclusivePool } from '../pools.ts';
import {
  type Board,
  type Position,
  ROWS_DROPPED_AT_ONCE,
  projectorStatements as sql,
} from './projector-statements.ts';
import { LOWEST, loadBuckets, noteMoves, type ScoreMove } from './rank-buckets.ts';

/** Records taken in one go. More make cheaper pages, fewer let readers wait less. */
const RECORDS_AT_ONCE = 8_000;
/** Records and members worked on in one go: this thread has callers to answer in between. */
const SLICE = 500;

/**
 * What is lost with the server's memory is followed again, so nobody waits for the disk; and how
 * far it was followed is lost or kept together with it.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = off';

/**
 * Follows the journals into the projections, apart from the write itself: kept in step, these
 * tables would cost a transfer more than its own. The realm's position is the lock, so that of many
 * nodes one does the work.
 */
export class Projector {
  readonly #leases: ExclusivePool;

  constructor(leases: ExclusivePool) {
    this.#leases = leases;
  }

  /**
   * Takes the next records of a realm. `wait` waits for a node that is at it, else it is left to
   * that node.
   */
  project(realmId: string, wait: boolean): Promise<ProjectionProgress> {
    return this.#leases.use((connection) =>
      writing(connection, async () => {
        const [, [position], records, kinds, [end]] = await Promise.all([
          connection.change(sql.open, realmId),
          connection.query(wait ? sql.lock : sql.lockIfFree, realmId),
          connection.query(sql.records, realmId, RECORDS_AT_ONCE),
          connection.query(sql.kinds, realmId),
          connection.query(sql.end, realmId),
        ]);
        if (!position) return 'nothing';
        const opening = records.findIndex(({ type }) => type === 'point.created');
        const opened = records[0] && decodeRecord(records[0], ['point.created']);
        if (opened) return openKind(connection, realmId, position, opened);
        const next = opening < 0 ? records : records.slice(0, opening);
        const last = next.at(-1);
        if (!last) return 'nothing';
        const kindIds = kinds.map(({ realm_point_id }) => realm_point_id);
        await apply(connection, realmId, next, kindIds, end?.last_at ?? last.at);
        await connection.change(sql.moveTo, realmId, last.seq, '0');
        return opening > 0 || next.length === RECORDS_AT_ONCE ? 'full' : 'some';
      }),
    );
  }

  /** Drops boards of windows that ended before the instant, some rows at a time. */
  dropOldLeaderboards(before: number): Promise<number> {
    return this.#leases.use(async (connection) => {
      let dropped = 0;
      let last: Board | undefined = { realm_id: '', board: '' };
      while (last && dropped < ROWS_DROPPED_AT_ONCE) {
        const { realm_id, board }: Board = last;
        const boards: Board[] = await connection.query(sql.windowBoards, realm_id, board, LOWEST);
        dropped += await dropEnded(connection, boards, before);
        last = boards.at(-1);
      }
      return dropped;
    });
  }
}

async function dropEnded(connection: Connection, boards: Board[], before: number): Promise<number> {
  let dropped = 0;
  for (const { realm_id: realmId, board } of boards) {
    if (dropped >= ROWS_DROPPED_AT_ONCE) break;
    if ((leaderboardEnd(board) ?? before + 1) > before) continue;
    dropped += await writing(connection, () => dropBoard(connection, realmId, board));
  }
  return dropped;
}

/** Under the lock of those who project: none of them begins the board again meanwhile. */
async function dropBoard(connection: Connection, realmId: string, board: string): Promise<number> {
  const [position] = await connection.query(sql.lockIfFree, realmId);
  if (!position) return 0;
  const dropped = await connection.change(sql.dropRows, realmId, board);
  if (dropped === ROWS_DROPPED_AT_ONCE) return dropped;
  return dropped + (await connection.change(sql.dropBuckets, realmId, board));
}

async function writing<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    const begun = connection.run(BEGIN);
    const [, result] = await Promise.all([begun, work()]);
    const end = await connection.run('COMMIT');
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return result;
  } catch (error) {
    // Whatever was under way on it goes with it, and nothing was written.
    connection.destroy(error as Error);
    throw error;
  }
}

/** Puts every member on the board of a new kind of points, some at a time. */
async function openKind(
  connection: Connection,
  realmId: string,
  { entered }: Position,
  { seq, data }: RecordOf<'point.created'>,
): Promise<ProjectionProgress> {
  const members = await connection.query(sql.members, realmId, entered, RECORDS_AT_ONCE);
  const steps = members.map(({ memberId }): [string, Step[]] => [memberId, [{ enter: true }]]);
  await takeSteps(connection, realmId, new Map([[data.id, new Map(steps)]]));
  const last = members.at(-1)?.memberId;
  const isMore = members.length === RECORDS_AT_ONCE && last !== undefined;
  await connection.change(sql.moveTo, realmId, isMore ? seq - 1 : seq, isMore ? last : '0');
  return 'full';
}

async function apply(
  connection: Connection,
  realmId: string,
  records: ProjectedRecord[],
  kinds: string[],
  now: number,
): Promise<void> {
  const boards: BoardSteps = new Map();
  for (let from = 0; from < records.length; from += SLICE) {
    const slice = records.slice(from, from + SLICE);
    await writeMovements(
      connection,
      realmId,
      projectionChanges(slice, () => kinds, now, boards),
    );
  }
  await takeSteps(connection, realmId, boards);
}

function writeMovements(
  connection: Connection,
  realmId: string,
  { entries, movements }: ProjectionChanges,
): Promise<unknown> {
  return Promise.all([
    connection.change(
      sql.entries,
      realmId,
      entries.map(({ memberId }) => memberId),
      entries.map(({ realmPointId }) => realmPointId),
      entries.map(({ seq }) => seq),
      entries.map(({ type }) => type),
      entries.map(({ balance }) => balance),
    ),
    connection.change(
      sql.movements,
      realmId,
      movements.map(({ type }) => type),
      movements.map(({ seq }) => seq),
      movements.map(({ realmPointId }) => realmPointId),
    ),
  ]);
}

/** Moves members on their boards, and notes that in the buckets once all scores are written. */
async function takeSteps(
  connection: Connection,
  realmId: string,
  boards: BoardSteps,
): Promise<void> {
  const touched = [...boards].flatMap(([board, members]) =>
    Array.from(members, ([memberId, steps]) => ({ board, memberId, steps })),
  );
  const moved: Moved[] = [];
  for (let from = 0; from < touched.length; from += SLICE) {
    moved.push(...(await moveSome(connection, realmId, touched.slice(from, from + SLICE))));
  }
  const moves = Map.groupBy(moved, ({ board }) => board);
  const buckets = await loadBuckets(connection, realmId, [...boards.keys()]);
  await Promise.all(
    Array.from(buckets, ([board, loaded]) =>
      noteMoves(connection, [realmId, board], loaded, moves.get(board) ?? []),
    ),
  );
}

interface Touched {
  board: string;
  memberId: string;
  steps: Step[];
}

async function moveSome(
  connection: Connection,
  realmId: string,
  touched: Touched[],
): Promise<Moved[]> {
  const scores = await connection.query(
    sql.scores,
    realmId,
    touched.map(({ board }) => board),
    touched.map(({ memberId }) => memberId),
  );
  const known = new Map(scores.map((row) => [`${row.board} ${row.member_id}`, row.score]));
  const moved = touched.flatMap(({ board, memberId, steps }) => {
    const before = known.get(`${board} ${memberId}`) ?? null;
    const after = steps.reduce(takeStep, before);
    return after === before ? [] : [{ board, memberId, before, after }];
  });
  await writeScores(connection, realmId, moved);
  return moved;
}

type Moved = ScoreMove & { board: string; memberId: string };

function writeScores(connection: Connection, realmId: string, moved: Moved[]): Promise<unknown> {
  const gone = moved.filter(({ after }) => after === null);
  const kept = moved.flatMap(({ after, ...rest }) => (after === null ? [] : [{ ...rest, after }]));
  const boardsOf = (rows: { board: string }[]) => rows.map(({ board }) => board);
  const idsOf = (rows: { memberId: string }[]) => rows.map(({ memberId }) => memberId);
  return Promise.all([
    connection.change(sql.noScores, realmId, boardsOf(gone), idsOf(gone)),
    connection.change(
      sql.setScores,
      realmId,
      boardsOf(kept),
      idsOf(kept),
      kept.map(({ after }) => after),
    ),
  ]);
}
