import type { SearchPage, SearchParams } from '../../domain/member-queries.ts';
import {
  beginningsOf,
  endOfTerm,
  ID_WORD,
  type IndexedWord,
  idRanges,
  isShownAt,
  type SearchKey,
  termsOf,
  walkedTerm,
  walletReached,
  walletWord,
} from '../../domain/rules/search.ts';
import type { Dialect } from '../dialect.ts';
import { all, ask, type Operation, query, together } from '../statement.ts';
import { choose } from './chosen-members.ts';
import { pageOfMembers } from './members.ts';
import type { Readers } from './readers.ts';

/** `isElsewhere`: the search shows the member at another wallet, or at one instead of a word. */
type WalletRow = SearchKey & { status: string; isElsewhere: 0 | 1 };
/** The status of the member is null unless it was asked for. */
type WordRow = IndexedWord & SearchKey & { status: string | null; isElsewhere: 0 | 1 };

type InRealm = { realmId: string; limit: number };
type OfWallets = { wallet: string; walletEnd: string };
/** The words after the key and before `end`. */
type OfWords = { word: string; memberId: bigint; end: string; withStatus: 0 | 1 };

/** Whether the member has a wallet that begins like this, before `end`. */
const hasWallet = ({ using }: Dialect, end: string): string =>
  `EXISTS (SELECT 1 FROM wallets o ${using('wallets_by_member')} WHERE o.realm_id = :realmId
     AND o.member_id = w.member_id AND o.wallet_key >= :wallet AND o.wallet_key < ${end})`;

const statusOf = `(SELECT m.status FROM members m
  WHERE m.realm_id = :realmId AND m.member_id = w.member_id)`;

const find = {
  count: query<{ count: number }, InRealm & { term: string; end: string }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM member_words
       WHERE realm_id = :realmId AND word >= :term AND word < :end LIMIT :limit) counted`,
  ),
  ids: query<{ memberId: string; status: string }, InRealm & { from: bigint; to: bigint }>(
    `SELECT CAST(member_id AS TEXT) AS "memberId", status FROM members
     WHERE realm_id = :realmId AND member_id >= :from AND member_id <= :to
     ORDER BY member_id LIMIT :limit`,
  ),
  wallets: query<WalletRow, InRealm & OfWallets & { from: string }>(
    (dialect) =>
      `SELECT w.wallet_key AS word, CAST(w.member_id AS TEXT) AS "memberId", ${statusOf} AS status,
         CASE WHEN ${hasWallet(dialect, 'w.wallet_key')} THEN 1 ELSE 0 END AS "isElsewhere"
       FROM wallets w
       WHERE w.realm_id = :realmId AND w.wallet_key >= :from AND w.wallet_key < :walletEnd
       ORDER BY w.wallet_key LIMIT :limit`,
  ),
  words: query<WordRow, InRealm & OfWallets & OfWords>(
    (dialect) =>
      `SELECT w.word, CAST(w.member_id AS TEXT) AS "memberId", w.others,
         CASE WHEN :withStatus = 1 THEN ${statusOf} END AS status,
         CASE WHEN :wallet <> '' AND ${hasWallet(dialect, ':walletEnd')}
           THEN 1 ELSE 0 END AS "isElsewhere"
       FROM member_words w
       WHERE w.realm_id = :realmId AND (w.word, w.member_id) > (:word, :memberId) AND w.word < :end
       ORDER BY w.word, w.member_id LIMIT :limit`,
  ),
};

/** Enough to tell a rare term from a common one. */
const MAX_COUNT = 2_000;
/** Rows read at a time. */
const MAX_ROWS = 1_000;
/**
 * Rows read for a page, which then ends early. To find that many of 1,000,000 members, two
 * independent terms take no more: a rarer term has fewer words, a more common one more hits.
 */
const maxRowsFor = (limit: number): number => Math.sqrt(limit * 1_000_000);

interface Row {
  key: SearchKey;
  isHit: boolean;
}

/** Reads on after a key, or from the beginning, in the order of an index. */
type Walk = (after: SearchKey | null, limit: number) => Operation<Row[]>;

/** Those whose ids begin with the digits. */
const walkIds = ({ realmId, status }: SearchParams, digits: string): Walk =>
  function* (after, limit) {
    const ranges = idRanges(digits, after?.memberId ?? '0');
    const asks = ranges.map((range) => ask(find.ids, { realmId, ...range, limit }));
    const rows = (yield* together(...asks)).flat().slice(0, limit);
    return rows.map((row) => ({
      key: { word: ID_WORD, memberId: row.memberId },
      isHit: row.status !== 'removed' && (status ?? row.status) === row.status,
    }));
  };

/** Those who have a wallet that begins like this, at the first of such wallets. */
const walkWallets = ({ realmId, status }: SearchParams, wallet: string, isShown: IsShown): Walk =>
  function* (after, limit) {
    const reached = after && walletReached(after);
    // A space is before all that an address has.
    const from = reached === null ? wallet : `${reached} `;
    const range = { wallet, walletEnd: endOfTerm(wallet), from };
    const rows = yield* all(find.wallets, { realmId, ...range, limit });
    return rows.map((row) => ({
      key: { word: walletWord(row.word), memberId: row.memberId },
      isHit: !row.isElsewhere && (status ?? row.status) === row.status && !isShown(row),
    }));
  };

/** Those with a word that begins with the term, and words that begin with the others. */
const walkWords = (params: SearchParams, term: string, wallet: string, isShown: IsShown): Walk =>
  function* (after, limit) {
    const { realmId, status } = params;
    const terms = termsOf(params.search);
    const { word, memberId } = after ?? { word: term, memberId: '0' };
    const rows = yield* all(find.words, {
      realmId,
      wallet,
      walletEnd: endOfTerm(wallet),
      word,
      memberId: BigInt(memberId),
      end: endOfTerm(term),
      withStatus: status === null ? 0 : 1,
      limit,
    });
    return rows.map((row) => ({
      key: { word: row.word, memberId: row.memberId },
      isHit:
        !row.isElsewhere &&
        (status === null || row.status === status) &&
        isShownAt(row, term, terms) &&
        !isShown(row),
    }));
  };

/** Whether a search shows the member by its id. */
type IsShown = (row: { memberId: string }) => boolean;

/** The walks of a search, in their order, from the one on that it continues with. */
function* walksOf(params: SearchParams): Operation<Walk[]> {
  const { realmId, search, after } = params;
  const { id, wallet } = beginningsOf(search);
  const isShown: IsShown = ({ memberId }) => id !== null && memberId.startsWith(id);
  const terms = termsOf(search);
  const isAtWallets = after !== null && walletReached(after) !== null;
  const isAtWords = after !== null && after.word !== ID_WORD && !isAtWallets;
  const term = isAtWords ? walkedTerm(terms, after) : yield* rarest(realmId, terms);
  const words = term === undefined ? [] : [walkWords(params, term, wallet ?? '', isShown)];
  if (isAtWords) return words;
  const wallets = wallet === null ? [] : [walkWallets(params, wallet, isShown)];
  const ids = id === null || isAtWallets ? [] : [walkIds(params, id)];
  return [...ids, ...wallets, ...words];
}

/** Finds members by their ids, then by their wallets, then by the words of their names. */
function* searchMembers(params: SearchParams): Operation<SearchPage> {
  const { after, limit } = params;
  const hits: SearchKey[] = [];
  let last = after;
  let read = 0;
  for (const walk of yield* walksOf(params)) {
    do {
      // Most words of a search with one term are hits.
      const size = Math.min(limit + 1 + read, MAX_ROWS);
      const rows: Row[] = yield* walk(last, size);
      hits.push(...rows.filter(({ isHit }) => isHit).map(({ key }) => key));
      last = rows.length < size ? null : (rows.at(-1)?.key ?? null);
      read += size;
    } while (last && hits.length <= limit && read < maxRowsFor(limit));
    if (last || hits.length > limit) break;
  }
  if (!params.conditions) return yield* pageOfMembers(params, hits.slice(0, limit + 1), last);
  const found = hits.slice(0, limit);
  const ids = found.map(({ memberId }) => memberId);
  const chosen = yield* choose(params.realmId, params.conditions, ids);
  const shown = found.filter(({ memberId }) => chosen.has(memberId));
  const end = hits.length > limit ? (found.at(-1) ?? null) : last;
  return yield* pageOfMembers(params, shown, end);
}

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

export const searchReaders = { searchMembers } satisfies Partial<Readers>;
