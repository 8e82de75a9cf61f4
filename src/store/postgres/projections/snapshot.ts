import { ALL_DAYS, type DailyTotals } from '../../../domain/rules/daily-totals.ts';
import type {
  EntryRow,
  MovementRow,
  ProjectedPosition,
  ScoreRow,
} from '../../../domain/rules/projection-audit.ts';
import type { RankBucket } from '../../../domain/rules/ranks.ts';
import type { ProjectedSnapshot } from '../../verification.ts';
import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';
import { BELOW_ALL } from './rank-buckets.ts';

const SCORES = `SELECT member_id::text AS "memberId", score, moved_at AS "movedAt" FROM standings
  WHERE realm_id = $1 AND leaderboard = $2`;
const RANKED = `${SCORES} AND score > ${BELOW_ALL}`;

const find = {
  position: statement<ProjectedPosition, [string]>(
    `SELECT seq, encode(hash, 'hex') AS hash FROM projection_positions WHERE realm_id = $1`,
  ),
  leaderboards: statement<{ leaderboard: string }, [string]>(
    'SELECT DISTINCT leaderboard FROM rank_buckets WHERE realm_id = $1',
  ),
  entries: statement<EntryRow, [string, string, string, number, number]>(
    `SELECT member_id::text AS "memberId", seq, type, balance FROM entries
     WHERE realm_id = $1 AND realm_point_id = $2 AND (member_id, seq) > ($3::bigint, $4::bigint)
     ORDER BY member_id, seq LIMIT $5`,
  ),
  movements: statement<MovementRow, [string, string, string, number, number]>(
    `SELECT type, seq FROM movements
     WHERE realm_id = $1 AND realm_point_id = $2 AND (type, seq) > ($3, $4::bigint)
     ORDER BY type, seq LIMIT $5`,
  ),
  standings: statement<ScoreRow, [string, string, string, number]>(
    `${SCORES} AND member_id > $3::bigint ORDER BY member_id LIMIT $4`,
  ),
  top: statement<ScoreRow, [string, string, number]>(
    `${RANKED} ORDER BY score DESC, member_id LIMIT $3`,
  ),
  ties: statement<ScoreRow, [string, string, number, string, number]>(
    `${RANKED} AND score = $3::bigint AND member_id > $4::bigint ORDER BY member_id LIMIT $5`,
  ),
  lower: statement<ScoreRow, [string, string, number, number]>(
    `${RANKED} AND score < $3::bigint ORDER BY score DESC, member_id LIMIT $4`,
  ),
  buckets: statement<RankBucket, [string, string]>(
    `SELECT lower, count, split_at AS "splitAt" FROM rank_buckets
     WHERE realm_id = $1 AND leaderboard = $2 ORDER BY lower`,
  ),
};

const findDays = statement<DailyTotals, [string, number, string, number]>(
  `SELECT day, realm_point_id AS "realmPointId", records, issued, spent, opened, held
   FROM daily_totals WHERE realm_id = $1 AND (day, realm_point_id) > ($2::bigint, $3)
   ORDER BY day, realm_point_id LIMIT $4`,
);

/** The projections of a realm, in the transaction that the connection has open. */
export async function projectedSnapshot(
  connection: Connection,
  realmId: string,
): Promise<ProjectedSnapshot | null> {
  const [position] = await connection.query(find.position, realmId);
  if (!position) return null;
  const ranking = async (name: string, after: ScoreRow | undefined, limit: number) => {
    if (!after) return connection.query(find.top, realmId, name, limit);
    const { score, memberId } = after;
    const ties = await connection.query(find.ties, realmId, name, score, memberId, limit);
    const left = limit - ties.length;
    return ties.concat(await connection.query(find.lower, realmId, name, score, left));
  };
  return {
    position,
    leaderboards: async () =>
      (await connection.query(find.leaderboards, realmId)).map(({ leaderboard }) => leaderboard),
    entries: (kind) => (after, limit) => {
      const { memberId = '0', seq = 0 } = after ?? {};
      return connection.query(find.entries, realmId, kind, memberId, seq, limit);
    },
    movements: (kind) => (after, limit) => {
      const { type = '', seq = 0 } = after ?? {};
      return connection.query(find.movements, realmId, kind, type, seq, limit);
    },
    standings: (name) => (after, limit) =>
      connection.query(find.standings, realmId, name, after?.memberId ?? '0', limit),
    ranking: (name) => (after, limit) => ranking(name, after, limit),
    buckets: (name) => connection.query(find.buckets, realmId, name),
    days: (after, limit) => {
      const { day = ALL_DAYS - 1, realmPointId = '' } = after ?? {};
      return connection.query(findDays, realmId, day, realmPointId, limit);
    },
  };
}
