import type { ProfileColumns } from '../model.ts';

/**
 * Search of members by the words of their names. A member is found if every term of the search is
 * the beginning of one of its words. One word also finds ids and wallets that begin with it.
 */

/** Where a search continues. Ids and wallets come first, with a word in small letters. */
export interface SearchKey {
  word: string;
  memberId: string;
}

/** More is ignored, in names and terms alike: so a member adds at most 9 kB to the index. */
const MAX_WORD_LENGTH = 32;
const MAX_WORDS = 8;
/** Some characters are 18 in their compatibility form. The words that count come before this. */
const MAX_FOLDED = 256;

/** NUL separates as well: PostgreSQL cannot compare it. */
const BLANK = /[\s\0]+/u;

/** The beginning of "smith" in "john.smith", and of "dark" in "_dark_". */
const WORD_START = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]/gu;

/** Greater than any character that a folded text contains. */
const LAST_CHARACTER = '\u{10ffff}';
const IGNORED = /[\u0300-\u036f\u{10ffff}]/gu;

/** Most names have no other characters, and most words no other than the second ones. */
const ASCII = /^[\0-\x7f]*$/;
const PLAIN = /^[A-Z0-9]*$/;

/**
 * Folds case, accents and compatibility forms. To upper case, because a lower-case letter may
 * depend on its position in the word, as the Greek sigma does. Only the accents of European scripts
 * are dropped: in others, marks are vowels.
 */
const fold = (text: string): string =>
  ASCII.test(text)
    ? text.toUpperCase()
    : text.toWellFormed().normalize('NFKD').slice(0, MAX_FOLDED).replace(IGNORED, '').toUpperCase();

const chunksOf = (text: string): string[] =>
  fold(text)
    .split(BLANK)
    .filter((chunk) => chunk !== '');

const cut = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();

/** Sorted, without those that are the beginning of another: whatever matches them matches it. */
function distinct(words: readonly string[]): string[] {
  const sorted = [...new Set(words)].sort();
  return sorted.filter((word, index) => !sorted[index + 1]?.startsWith(word));
}

/** A word extends to the next blank: "john.smith" is found by "john", "john.s" and "smith". */
const wordsOf = (name: string | null): string[] =>
  distinct(name ? Array.from(eachWord(name).take(MAX_WORDS)) : []);

/** One by one: a name of 128 characters may have 400 words, since some characters are several. */
function* eachWord(name: string): Generator<string, void> {
  for (const chunk of chunksOf(name)) {
    yield cut(chunk);
    if (PLAIN.test(chunk)) continue;
    for (const { index } of chunk.matchAll(WORD_START))
      if (index > 0) yield cut(chunk.slice(index));
  }
}

/** The terms of a search. Without any, nothing matches. */
export const termsOf = (search: string): string[] => distinct(chunksOf(search).map(cut));

/** Of a wallet: fewer characters are a name that somebody is about to type. */
const BEGINNING = /^[0-9A-Za-z]{4,74}$/;
/** Wallets that can be written in either case. */
const IN_ANY_CASE = /^(0[xX]|BC1[0-9A-Z]*$)/;

/** The ids and the wallets that a search of one word may be the beginning of, each or null. */
export function beginningsOf(search: string) {
  const word = search.trim();
  const key = IN_ANY_CASE.test(word) ? word.toLowerCase() : word;
  return {
    id: /^[1-9][0-9]{0,18}$/.test(word) ? word : null,
    wallet: BEGINNING.test(word) ? key : null,
  };
}

const LARGEST_ID = 2n ** 63n - 1n;

/** The ranges of ids that begin with these digits and come after an id, in ascending order. */
export function idRanges(digits: string, after: string): { from: bigint; to: bigint }[] {
  const least = BigInt(after) + 1n;
  return Array.from({ length: 20 - digits.length }, (_, zeros) => {
    const unit = 10n ** BigInt(zeros);
    const first = BigInt(digits) * unit;
    const last = first + unit - 1n;
    return { from: first > least ? first : least, to: last < LARGEST_ID ? last : LARGEST_ID };
  }).filter(({ from, to }) => from <= to);
}

export const ID_WORD = 'id';
const WALLET_WORD = 'wallet:';

export const walletWord = (key: string): string => WALLET_WORD + key;

/** The key of a wallet that a search has reached; null if it is not among the wallets. */
export const walletReached = ({ word }: SearchKey): string | null =>
  word.startsWith(WALLET_WORD) ? word.slice(WALLET_WORD.length) : null;

/** Whether the search passes this place. */
export function passes(search: string, key: SearchKey): boolean {
  const { id, wallet } = beginningsOf(search);
  const reached = walletReached(key);
  if (key.word === ID_WORD) return id !== null;
  if (reached === null) return walkedTerm(termsOf(search), key) !== undefined;
  return wallet !== null && BEGINNING.test(reached) && reached.startsWith(wallet);
}

export interface Names {
  username: string | null;
  displayName: string | null;
}

/** In the index of words as well, in small letters, which no folded word has. */
export const tagWord = (tag: string): string => `tag:${tag}`;

/** A word of the index, and the member's other words, separated by spaces. */
export interface IndexedWord {
  word: string;
  others: string;
}

const BETWEEN_WORDS = ' ';

const joined = (words: readonly string[]): string => words.join(BETWEEN_WORDS);

const allWords = (names: Names | null): string[] =>
  names ? distinct([...wordsOf(names.username), ...wordsOf(names.displayName)]) : [];

type Indexed = Names & Partial<Pick<ProfileColumns, 'tags'>>;
type WordChange = { key: string; row: (SearchKey & IndexedWord) | null };

/** What a change of names and tags changes in the index; null for none. */
export function wordChanges(
  memberId: string,
  before: Indexed | null,
  after: Indexed | null,
): WordChange[] {
  const isTagged = (before?.tags ?? '[]') !== (after?.tags ?? '[]');
  return [
    ...changesOf(memberId, allWords(before), allWords(after), true),
    ...(isTagged ? changesOf(memberId, tagWords(before), tagWords(after), false) : []),
  ];
}

const tagWords = (member: Indexed | null): string[] =>
  member?.tags ? JSON.parse(member.tags).map(tagWord) : [];

function changesOf(
  memberId: string,
  old: readonly string[],
  current: readonly string[],
  hasOthers: boolean,
): WordChange[] {
  if (joined(old) === joined(current)) return [];
  const keyOf = (word: string): string => `${memberId}:${word}`;
  const removed = old.filter((word) => !current.includes(word));
  const othersOf = (word: string) => (hasOthers ? current.filter((each) => each !== word) : []);
  return [
    ...removed.map((word) => ({ key: keyOf(word), row: null })),
    ...current.map((word) => ({
      key: keyOf(word),
      row: { word, others: joined(othersOf(word)), memberId },
    })),
  ];
}

/** Whether every term is the beginning of a word of these names. */
export function namesMatch({ username, displayName }: Names, terms: readonly string[]): boolean {
  const words = [...wordsOf(username), ...wordsOf(displayName)];
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

/**
 * Whether a search that walks the words beginning with `walked` shows the member at this word. The
 * other terms are not the beginning of this word, since no term is the beginning of another. A
 * member that has several words beginning with `walked` is shown at the last of them only.
 */
export function isShownAt(
  { word, others }: IndexedWord,
  walked: string,
  terms: readonly string[],
): boolean {
  const text = BETWEEN_WORDS + others;
  const hasOther = (term: string) => text.includes(BETWEEN_WORDS + term);
  if (!terms.every((term) => term === walked || hasOther(term))) return false;
  const isLater = (each: string) => each > word && each.startsWith(walked);
  return !hasOther(walked) || !others.split(BETWEEN_WORDS).some(isLater);
}

/** What begins with the term is from the term up to but excluding this. */
export const endOfTerm = (term: string): string => `${term}${LAST_CHARACTER}`;

/** The term whose words a search walks that continues after the key; undefined if there is none. */
export const walkedTerm = (terms: readonly string[], { word }: SearchKey): string | undefined =>
  terms.find((term) => word.startsWith(term));
