import type { DatabaseSync } from 'node:sqlite';
import type { NameKey, SortedParams, SortKey } from '../../../domain/queries.ts';
import { BEFORE_FIRST_NAME, type SortedKeys, sortName } from '../../sorted-members.ts';
import { statementsOn } from '../rows.ts';
import { leaderboardReader } from './leaderboard-reader.ts';

const presentBy = (index: string): string =>
  `FROM members INDEXED BY ${index} WHERE realm_id = ?1 AND status <> 'removed'`;
const NEWEST = `SELECT created_at AS score, CAST(member_id AS TEXT) AS memberId
  ${presentBy('members_by_age')}`;
const ORDER = 'ORDER BY created_at DESC, members.member_id DESC LIMIT ?2';
const NAME = sortName();
const NAMED = `SELECT ${NAME} AS name, CAST(member_id AS TEXT) AS memberId
  ${presentBy('members_by_name')}`;

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    newest: sql.all<SortKey, [string, number]>(`${NEWEST} ${ORDER}`),
    // A number as the parameter: with a CAST, the index is searched by the instant alone.
    newestAfter: sql.all<SortKey, [string, number, number, bigint]>(
      `${NEWEST} AND (created_at, members.member_id) < (?3, ?4) ${ORDER}`,
    ),
    // Two statements: SQLite compares no pair by an index on an expression.
    sameName: sql.all<NameKey, [string, number, string, bigint]>(
      `${NAMED} AND ${NAME} = ?3 AND members.member_id > ?4
       ORDER BY members.member_id LIMIT ?2`,
    ),
    laterNames: sql.all<NameKey, [string, number, string]>(
      `${NAMED} AND ${NAME} > ?3 ORDER BY ${NAME}, members.member_id LIMIT ?2`,
    ),
  };
}

/** The keys by which members are sorted. */
export function sortedReader(db: DatabaseSync): (params: SortedParams) => SortedKeys {
  const find = statements(db);
  const { leaderboard } = leaderboardReader(db);
  return ({ realmId, by, realmPointId, after, limit, now }) => {
    if (by === 'name') {
      const { name, memberId } = (after as NameKey | null) ?? BEFORE_FIRST_NAME;
      const same = find.sameName(realmId, limit, name, BigInt(memberId));
      const missing = limit - same.length;
      return missing > 0 ? [...same, ...find.laterNames(realmId, missing, name)] : same;
    }
    const last = after as SortKey | null;
    if (by === 'balance') {
      const params = { realmId, realmPointId, window: 'all', at: now, after: last, limit } as const;
      return leaderboard(params)?.rows ?? null;
    }
    return last
      ? find.newestAfter(realmId, limit, last.score, BigInt(last.memberId))
      : find.newest(realmId, limit);
  };
}
