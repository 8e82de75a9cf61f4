import type { DatabaseSync } from 'node:sqlite';
import type { SortedParams, SortKey } from '../../../domain/queries.ts';
import { statementsOn } from '../rows.ts';
import { leaderboardReader } from './leaderboard-reader.ts';

const NEWEST = `SELECT created_at AS score, CAST(member_id AS TEXT) AS memberId FROM members
  WHERE realm_id = ?1 AND status <> 'removed'`;
const ORDER = 'ORDER BY created_at DESC, members.member_id DESC LIMIT ?2';

/** The keys by which members are sorted. */
export function sortedReader(db: DatabaseSync): (params: SortedParams) => SortKey[] | null {
  const sql = statementsOn(db);
  const first = sql.all<SortKey, [string, number]>(`${NEWEST} ${ORDER}`);
  const next = sql.all<SortKey, [string, number, number, string]>(
    `${NEWEST} AND (created_at, members.member_id) < (?3, CAST(?4 AS INTEGER)) ${ORDER}`,
  );
  const { leaderboard } = leaderboardReader(db);
  return ({ realmId, by, realmPointId, after, limit, now }) => {
    if (by === 'balance') {
      const params = { realmId, realmPointId, window: 'all', at: now, after, limit } as const;
      return leaderboard(params)?.rows ?? null;
    }
    return after ? next(realmId, limit, after.score, after.memberId) : first(realmId, limit);
  };
}
