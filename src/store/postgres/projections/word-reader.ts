import { endOfTerm } from '../../../domain/rules/search.ts';
import type { WordIndex, WordRow } from '../../member-search.ts';
import type { Connection } from '../connection.ts';
import { namedMembers } from '../member-reader.ts';
import { statement } from '../statement.ts';

const find = {
  counts: statement<{ count: number }, [string, string[], string[], number]>(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM member_words
         WHERE realm_id = $1 AND word >= t.term AND word < t.term_end LIMIT $4) counted) AS count
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t(term, term_end, place)
     ORDER BY t.place`,
  ),
  words: statement<WordRow, [string, string, string, string, number, boolean]>(
    `SELECT word, member_id::text AS "memberId", others,
       CASE WHEN $6::boolean THEN (SELECT status FROM members m
         WHERE m.realm_id = $1 AND m.member_id = w.member_id) END AS status
     FROM member_words w
     WHERE realm_id = $1 AND (word, member_id) > ($2, $3::bigint) AND word < $4
     ORDER BY word, member_id LIMIT $5`,
  ),
};

export const wordReader = (connection: Connection): WordIndex => ({
  counts: async (realmId, terms, limit) => {
    const ends = terms.map(endOfTerm);
    const found = await connection.query(find.counts, realmId, [...terms], ends, limit);
    return found.map(({ count }) => count);
  },
  words: (realmId, { word, memberId }, end, limit, withStatus) =>
    connection.query(find.words, realmId, word, memberId, end, limit, withStatus),
  members: (...wanted) => namedMembers(connection, ...wanted),
});
