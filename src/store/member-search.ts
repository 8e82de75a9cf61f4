import type { Member } from '../domain/model.ts';
import type { SearchPage, SearchParams } from '../domain/queries.ts';
import {
  endOfTerm,
  type IndexedWord,
  isShownAt,
  type SearchKey,
  walkedTerm,
} from '../domain/rules/search.ts';
import { BEFORE_FIRST_ID } from './member-list.ts';

/** The status of the member is null unless it was asked for. */
export type WordRow = IndexedWord & SearchKey & { status: string | null };

type Eventually<T> = T | Promise<T>;

/** The words of all members of a realm, by which searches find them. */
export interface WordIndex {
  /** How many words begin with each term, counted up to the limit. */
  counts(realmId: string, terms: readonly string[], limit: number): Eventually<number[]>;
  /** The words after the key and before `end`, in the order of words and member ids. */
  words(
    realmId: string,
    after: SearchKey,
    end: string,
    limit: number,
    withStatus: boolean,
  ): Eventually<WordRow[]>;
  /** Those of the members that are present, in this order. */
  members(realmId: string, memberIds: readonly string[]): Eventually<Member[]>;
}

/** Enough to tell a rare term from a common one. */
const MAX_COUNT = 2_000;
/** Words read at a time. Other work runs in between. */
const MAX_WORDS = 1_000;
/**
 * Words read for a page, which then ends early. To find 500 of 1,000,000 members by the rarer of
 * two independent terms takes at most √(500 · 1,000,000) = 22,361 words.
 */
const MAX_WORDS_PER_PAGE = 25_000;
/** Members read at a time: one statement for an ordinary page and the row that follows it. */
const MAX_MEMBERS = 51;

/** Finds members by walking the words that begin with the rarest term of the search. */
export async function searchMembers(index: WordIndex, params: SearchParams): Promise<SearchPage> {
  const { realmId, terms, status, after, limit } = params;
  const term = after ? walkedTerm(terms, after) : await rarest(index, realmId, terms);
  if (term === undefined) return { members: [], next: null };
  const end = endOfTerm(term);
  const found: Found[] = [];
  let last: SearchKey = after ?? { word: term, memberId: BEFORE_FIRST_ID };
  for (let read = 0; read < MAX_WORDS_PER_PAGE; ) {
    if (read > 0) await new Promise((next) => setImmediate(next));
    // Most words of a search with one term are hits.
    const size = Math.min(limit + 1 + read, MAX_WORDS);
    const words = await index.words(realmId, last, end, size, status !== null);
    const hits = words.filter(
      (word) => (status === null || word.status === status) && isShownAt(word, term, terms),
    );
    while (hits.length > 0) {
      const some = hits.splice(0, Math.min(MAX_MEMBERS, limit + 1 - found.length));
      found.push(...(await membersAt(index, realmId, some)));
      if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.key);
    }
    if (words.length < size) return pageOf(found);
    last = words.at(-1) ?? last;
    read += size;
  }
  return pageOf(found, last);
}

/** By the term that the fewest words begin with; if all are common, by the longest. */
async function rarest(
  index: WordIndex,
  realmId: string,
  terms: readonly string[],
): Promise<string | undefined> {
  if (terms.length < 2) return terms[0];
  const counts = await index.counts(realmId, terms, MAX_COUNT);
  const counted = terms.map((term, at) => ({ term, count: counts[at] ?? 0 }));
  counted.sort((a, b) => a.count - b.count || b.term.length - a.term.length);
  return counted[0]?.term;
}

interface Found {
  member: Member;
  key: SearchKey;
}

async function membersAt(
  index: WordIndex,
  realmId: string,
  hits: readonly SearchKey[],
): Promise<Found[]> {
  const keys = new Map(hits.map((key) => [key.memberId, key]));
  const members = await index.members(realmId, [...keys.keys()]);
  return members.map((member) => ({ member, key: keys.get(member.id) as SearchKey }));
}

const pageOf = (found: readonly Found[], next: SearchKey | null = null): SearchPage => ({
  members: found.map(({ member }) => member),
  next: next && { word: next.word, memberId: next.memberId },
});
