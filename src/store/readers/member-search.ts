import type { SearchPage, SearchParams } from '../../domain/queries.ts';
import {
  endOfTerm,
  type IndexedWord,
  isShownAt,
  type SearchKey,
  walkedTerm,
} from '../../domain/rules/search.ts';
import { all, ask, type Operation, query, together } from '../statement.ts';
import { pageOfMembers } from './members.ts';
import type { Readers } from './readers.ts';

/** The status of the member is null unless it was asked for. */
type WordRow = IndexedWord & SearchKey & { status: string | null };

interface Words {
  realmId: string;
  /** The words after the key and before `end`. */
  word: string;
  memberId: bigint;
  end: string;
  limit: number;
  withStatus: 0 | 1;
}

const find = {
  count: query<{ count: number }, { realmId: string; term: string; end: string; limit: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM member_words
       WHERE realm_id = :realmId AND word >= :term AND word < :end LIMIT :limit) counted`,
  ),
  words: query<WordRow, Words & Record<string, string | number | bigint>>(
    `SELECT w.word, CAST(w.member_id AS TEXT) AS "memberId", w.others,
       CASE WHEN :withStatus = 1 THEN (SELECT m.status FROM members m
         WHERE m.realm_id = :realmId AND m.member_id = w.member_id) END AS status
     FROM member_words w
     WHERE w.realm_id = :realmId AND (w.word, w.member_id) > (:word, :memberId) AND w.word < :end
     ORDER BY w.word, w.member_id LIMIT :limit`,
  ),
};

/** Enough to tell a rare term from a common one. */
const MAX_COUNT = 2_000;
/** Words read at a time. */
const MAX_WORDS = 1_000;
/**
 * Words read for a page, which then ends early. To find that many of 1,000,000 members, two
 * independent terms take no more: a rarer term has fewer words, a more common one more hits.
 */
const maxWordsFor = (limit: number): number => Math.sqrt(limit * 1_000_000);

/** Finds members by walking the words that begin with the rarest term of the search. */
function* searchMembers(params: SearchParams): Operation<SearchPage> {
  const { realmId, terms, status, after, limit } = params;
  const term = after ? walkedTerm(terms, after) : yield* rarest(realmId, terms);
  if (term === undefined) return { members: [], next: null };
  const hits: SearchKey[] = [];
  let last: SearchKey | null = after ?? { word: term, memberId: '0' };
  for (let read = 0; last && hits.length <= limit && read < maxWordsFor(limit); ) {
    // Most words of a search with one term are hits.
    const size = Math.min(limit + 1 + read, MAX_WORDS);
    const words: WordRow[] = yield* all(find.words, {
      realmId,
      word: last.word,
      memberId: BigInt(last.memberId),
      end: endOfTerm(term),
      limit: size,
      withStatus: status === null ? 0 : 1,
    });
    const isHit = (word: WordRow) =>
      (status === null || word.status === status) && isShownAt(word, term, terms);
    hits.push(...words.filter(isHit).map(keyOf));
    last = words.length < size ? null : keyOf(words.at(-1) as WordRow);
    read += size;
  }
  return yield* pageOfMembers(params, hits.slice(0, limit + 1), last);
}

const keyOf = ({ word, memberId }: SearchKey): SearchKey => ({ word, memberId });

/** The term that the fewest words begin with; if all are common, the longest. */
function* rarest(realmId: string, terms: readonly string[]): Operation<string | undefined> {
  if (terms.length < 2) return terms[0];
  const counts = yield* together(
    ...terms.map((term) =>
      ask(find.count, { realmId, term, end: endOfTerm(term), limit: MAX_COUNT }),
    ),
  );
  const counted = terms.map((term, at) => ({ term, count: counts[at]?.[0]?.count ?? 0 }));
  counted.sort((a, b) => a.count - b.count || b.term.length - a.term.length);
  return counted[0]?.term;
}

/** Answers searches of members by words of their names. */
export const searchReaders = { searchMembers } satisfies Partial<Readers>;
