import type { DatabaseSync } from 'node:sqlite';
import type { NameKey, SortedParams, SortKey } from '../../../domain/queries.ts';
import { BEFORE_FIRST_NAME, type SortedKeys, sortName } from '../../sorted-members.ts';
import { statementsOn } from '../rows.ts';
import { leaderboardReader } from './leaderboard-reader.ts';

const PRESENT = `FROM members WHERE realm_id = ?1 AND status <> 'removed'`;
const NEWEST = `SELECT created_at AS score, CAST(member_id AS TEXT) AS memberId ${PRESENT}`;
const ORDER = 'ORDER BY created_at DESC, members.member_id DESC LIMIT ?2';
const NAME = sortName();

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    newest: sql.all<SortKey, [string, number]>(`${NEWEST} ${ORDER}`),
    newestAfter: sql.all<SortKey, [string, number, number, string]>(
      `${NEWEST} AND (created_at, members.member_id) < (?3, CAST(?4 AS INTEGER)) ${ORDER}`,
    ),
    named: sql.all<NameKey, [string, number, string, string]>(
      `SELECT ${NAME} AS name, CAST(member_id AS TEXT) AS memberId ${PRESENT}
         AND (${NAME}, members.member_id) > (?3, CAST(?4 AS INTEGER))
       ORDER BY ${NAME}, members.member_id LIMIT ?2`,
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
      return find.named(realmId, limit, name, memberId);
    }
    const last = after as SortKey | null;
    if (by === 'balance') {
      const params = { realmId, realmPointId, window: 'all', at: now, after: last, limit } as const;
      return leaderboard(params)?.rows ?? null;
    }
    return last
      ? find.newestAfter(realmId, limit, last.score, last.memberId)
      : find.newest(realmId, limit);
  };
}
