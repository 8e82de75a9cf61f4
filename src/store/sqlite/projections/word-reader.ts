import type { DatabaseSync } from 'node:sqlite';
import { endOfTerm } from '../../../domain/rules/search.ts';
import type { WordIndex } from '../../member-search.ts';
import { memberReader } from '../member-reader.ts';
import { statementsOn } from '../rows.ts';

const REALM_NO = '(SELECT realm_no FROM projection_positions WHERE realm_id = ?1)';

type Row = [word: string, memberId: string, others: string, status: string | null];

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    count: sql.value<number, [string, string, string, number]>(
      `SELECT count(*) FROM (SELECT 1 FROM member_words
         WHERE realm_no = ${REALM_NO} AND word >= ?2 AND word < ?3 LIMIT ?4)`,
    ),
    // A number as the parameter: with a CAST, the index is searched by the word alone.
    words: sql.page<Row, [string, string, bigint, string, number, number]>(
      `SELECT word, CAST(member_id AS TEXT), others, CASE WHEN ?6 THEN (SELECT status FROM members m
         WHERE m.realm_id = ?1 AND m.member_id = member_words.member_id) END
       FROM member_words WHERE realm_no = ${REALM_NO}
         AND (word, member_id) > (?2, ?3) AND word < ?4
       ORDER BY word, member_id LIMIT ?5`,
    ),
  };
}

export function wordReader(db: DatabaseSync) {
  const find = statements(db);
  const { member } = memberReader(db);
  return {
    counts: (realmId, terms, limit) =>
      terms.map((term) => find.count(realmId, term, endOfTerm(term), limit) ?? 0),
    words: (realmId, { word, memberId }, end, limit, withStatus) =>
      find
        .words(realmId, word, BigInt(memberId), end, limit, Number(withStatus))
        .map(([word, memberId, others, status]) => ({ word, memberId, others, status })),
    members: (realmId, memberIds, now) =>
      memberIds.map((memberId) => member({ realmId, memberId, now })).filter((one) => one !== null),
  } satisfies WordIndex;
}
