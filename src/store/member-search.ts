import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { Member } from '../domain/model.ts';
import type { SearchPage, SearchParams } from '../domain/queries.ts';
import { memberBytes, PageBuilder } from '../domain/rules/pages.ts';
import {
  endOfTerm,
  type IndexedWord,
  isShownAt,
  type SearchKey,
  walkedTerm,
} from '../domain/rules/search.ts';
import { addInSlices, BEFORE_FIRST_ID } from './member-list.ts';

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
  members(realmId: string, memberIds: readonly string[], now: number): Eventually<Iterable<Member>>;
}

/** Enough to tell a rare term from a common one. */
const MAX_COUNT = 2_000;
/** Words read at a time. Other work runs in between. */
const MAX_WORDS = 1_000;
/**
 * Words read for a page, which then ends early. To find that many of 1,000,000 members, two
 * independent terms take no more: a rarer term has fewer words, a more common one more hits.
 */
const maxWordsFor = (limit: number): number => Math.sqrt(limit * 1_000_000);
/** Members read at a time: one statement for an ordinary page and the row that follows it. */
const MAX_MEMBERS = 51;

/** Finds members by walking the words that begin with the rarest term of the search. */
export async function searchMembers(index: WordIndex, params: SearchParams): Promise<SearchPage> {
  const { realmId, terms, status, after, limit, now } = params;
  const term = after ? walkedTerm(terms, after) : await rarest(index, realmId, terms);
  if (term === undefined) return { members: [], next: null };
  const end = endOfTerm(term);
  const found = new FoundMembers(limit);
  let last: SearchKey = after ?? { word: term, memberId: BEFORE_FIRST_ID };
  for (let read = 0; read < maxWordsFor(limit); ) {
    if (read > 0) await eventLoopTurn();
    // Most words of a search with one term are hits.
    const size = Math.min(limit + 1 + read, MAX_WORDS);
    const words = await index.words(realmId, last, end, size, status !== null);
    const hits = words.filter(
      (word) => (status === null || word.status === status) && isShownAt(word, term, terms),
    );
    while (hits.length > 0) {
      const next = hits.splice(0, found.missing);
      const memberIds = next.map(({ memberId }) => memberId);
      await found.add(realmId, next, await index.members(realmId, memberIds, now));
      if (found.isFull) return found.pageUpTo(found.last);
    }
    if (words.length < size) return found.pageUpTo(null);
    last = words.at(-1) ?? last;
    read += size;
  }
  return found.pageUpTo(last);
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

/** The members of a page, and the words they were found by. */
class FoundMembers {
  readonly #builder: PageBuilder<Member>;
  readonly #limit: number;
  readonly #words = new Map<string, string>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#builder = new PageBuilder<Member>(limit, memberBytes);
  }

  get #rows(): Member[] {
    return this.#builder.page.rows;
  }

  /** How many to read next: one more than the page has room for tells whether there is more. */
  get missing(): number {
    return Math.min(this.#limit + 1 - this.#rows.length, MAX_MEMBERS);
  }

  get isFull(): boolean {
    return this.#builder.page.hasMore;
  }

  get last(): SearchKey | null {
    const member = this.#rows.at(-1);
    return member ? { word: this.#words.get(member.id) ?? '', memberId: member.id } : null;
  }

  add(realmId: string, hits: readonly SearchKey[], members: Iterable<Member>): Promise<void> {
    for (const { word, memberId } of hits) this.#words.set(memberId, word);
    return addInSlices(realmId, this.#builder, members);
  }

  pageUpTo(key: SearchKey | null): SearchPage {
    const next = key && { word: key.word, memberId: key.memberId };
    return { members: this.#rows, next };
  }
}
