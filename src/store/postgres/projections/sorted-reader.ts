import type { NameKey, SortedPage, SortedParams, SortKey } from '../../../domain/queries.ts';
import {
  BEFORE_FIRST_NAME,
  sortedMembers as readSorted,
  type SortedIndex,
  type SortedKeys,
  sortName,
} from '../../sorted-members.ts';
import type { Connection } from '../connection.ts';
import { namedMembers, PRESENT } from '../member-reader.ts';
import { statement } from '../statement.ts';
import { leaderboard } from './leaderboard-reader.ts';

/** Above every instant and every id: the page after it is the first. */
const FIRST = { score: Number.MAX_SAFE_INTEGER, memberId: '9223372036854775807' };

// Ordered in the subquery: outside, Citus would order by the text of the id.
const NEWEST = statement<SortKey, [string, number, string, number]>(
  `SELECT created_at AS score, member_id::text AS "memberId" FROM
     (SELECT created_at, member_id FROM members
      WHERE ${PRESENT} AND (created_at, member_id) < ($2::bigint, $3::bigint)
      ORDER BY created_at DESC, member_id DESC LIMIT $4) newest`,
);

const NAME = sortName(' COLLATE "C"');
const NAMED = statement<NameKey, [string, string, string, number]>(
  `SELECT name, member_id::text AS "memberId" FROM
     (SELECT ${NAME} AS name, member_id FROM members
      WHERE ${PRESENT} AND (${NAME}, member_id) > ($2, $3::bigint)
      ORDER BY ${NAME}, member_id LIMIT $4) named`,
);

async function keys(connection: Connection, params: SortedParams): Promise<SortedKeys> {
  const { realmId, by, realmPointId, after, limit, now } = params;
  if (by === 'name') {
    const { name, memberId } = (after as NameKey | null) ?? BEFORE_FIRST_NAME;
    return connection.query(NAMED, realmId, name, memberId, limit);
  }
  const last = after as SortKey | null;
  if (by === 'balance') {
    const ranking = { realmId, realmPointId, window: 'all', at: now, after: last, limit } as const;
    return (await leaderboard(connection, ranking))?.rows ?? null;
  }
  const { score, memberId } = last ?? FIRST;
  return connection.query(NEWEST, realmId, score, memberId, limit);
}

export const sortedMembers = (
  connection: Connection,
  params: SortedParams,
): Promise<SortedPage | null> => {
  const index: SortedIndex = {
    keys: (next) => keys(connection, next),
    members: (...wanted) => namedMembers(connection, ...wanted),
  };
  return readSorted(index, params);
};
