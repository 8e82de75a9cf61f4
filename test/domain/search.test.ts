import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Member } from '../../src/domain/model.ts';
import {
  isShownAt,
  type Names,
  type NameWords,
  NO_WORDS,
  namesMatch,
  rename,
  type SearchKey,
  termsOf,
} from '../../src/domain/rules/search.ts';
import { searchMembers, type WordIndex } from '../../src/store/member-search.ts';
import { naiveMatch, nameText } from './names.ts';

/** The words that the index has for a member with these names. */
const indexedOf = (names: Names) => rename(NO_WORDS, names)?.indexed ?? [];

const wordsOf = (username: string | null, displayName: string | null = null): string[] =>
  indexedOf({ username, displayName }).map(({ word }) => word);

test('a name is found by the beginnings of its words', () => {
  const words: [names: [string | null, string?], words: string[]][] = [
    [[null], []],
    [[' \n '], []],
    [
      ['Alice', 'The Brave'],
      ['ALICE', 'BRAVE', 'THE'],
    ],
    [['alice', 'Alice'], ['ALICE']],
    [['ann99', 'Ann'], ['ANN99']],
    [['john.smith'], ['JOHN.SMITH', 'SMITH']],
    [['_dark_'], ['DARK_', '_DARK_']],
    [
      ['100%', '^_^'],
      ['100%', '^_^'],
    ],
    [['Élodie ÅNGSTRÖM'], ['ANGSTROM', 'ELODIE']],
    [
      ['Straße', 'ﬁn'],
      ['FIN', 'STRASSE'],
    ],
    [
      ['Οδυσσέας', 'ΟΔΥΣΣΕΥΣ'],
      ['ΟΔΥΣΣΕΑΣ', 'ΟΔΥΣΣΕΥΣ'],
    ],
    [['İıiI'], ['IIII']],
    [['अंकित'], ['अंकित']],
    [['🐸frog'], ['FROG', '🐸FROG']],
    // Each of its characters is four words.
    [['\u{fdfa}'.repeat(64)], ['الله', 'صلى', 'عليه', 'وسلمصلى']],
    [['no\u00a0break\u2003space'], ['BREAK', 'NO', 'SPACE']],
  ];
  for (const [names, expected] of words)
    assert.deepEqual(wordsOf(...names), expected, String(names));
});

test('a change of one name keeps the words of the other', () => {
  const renamed = (before: NameWords, names: Partial<Names>) => {
    const renaming = rename(before, names);
    assert.ok(renaming);
    return renaming;
  };
  const ann = renamed(NO_WORDS, { username: 'ann99', displayName: 'Ann Smith' });
  assert.deepEqual(ann.indexed, [
    { word: 'ANN99', others: 'SMITH' },
    { word: 'SMITH', others: 'ANN99' },
  ]);
  const bea = renamed(ann.words, { username: 'bea smith' });
  assert.deepEqual(bea.removed, ['ANN99']);
  assert.deepEqual(bea.indexed, [
    { word: 'ANN', others: 'BEA SMITH' },
    { word: 'BEA', others: 'ANN SMITH' },
    { word: 'SMITH', others: 'ANN BEA' },
  ]);
  assert.deepEqual(renamed(bea.words, { displayName: 'Smith, Ann' }).removed, ['SMITH']);
  assert.equal(rename(bea.words, { displayName: 'ANN smith' }), null);
  const gone = renamed(bea.words, { username: null, displayName: null });
  assert.deepEqual([gone.removed, gone.words], [['ANN', 'BEA', 'SMITH'], NO_WORDS]);
});

test('a search has terms, without those that another one covers', () => {
  assert.deepEqual(termsOf('  The\tbra  '), ['BRA', 'THE']);
  assert.deepEqual(termsOf('jo JOHN jö'), ['JOHN']);
  assert.deepEqual(termsOf('a\0b'), ['A', 'B']);
  for (const nothing of ['', ' \n', '\0', '\u0301', '\u{10ffff}']) {
    assert.deepEqual(termsOf(nothing), [], JSON.stringify(nothing));
    assert.equal(namesMatch({ username: 'ann', displayName: null }, termsOf(nothing)), false);
  }
});

test('long words and many words are cut, in names and terms alike', () => {
  const long = `${'x'.repeat(31)}🐸🐸`;
  const [word] = wordsOf(long);
  assert.ok(word && word.length <= 32 && word.isWellFormed());
  for (const term of [long, long.slice(0, 20), `${long}yz`]) {
    assert.ok(namesMatch({ username: long, displayName: null }, termsOf(term)), term);
  }
  const many = Array.from({ length: 60 }, (_, index) => `w${index + 10}`);
  assert.equal(wordsOf(many.slice(20).join('.'), many.join(' ')).length, 16);
  // The longest expansion of one character by NFKD.
  const ligatures = wordsOf('\ufdfa'.repeat(64), '\ufdfa'.repeat(128));
  assert.ok(ligatures.every((one) => Buffer.byteLength(one) <= 128));
});

test('a term matches at the start of a word, and a member is shown once', () => {
  const anyNames: fc.Arbitrary<Names> = fc.record({
    username: fc.option(nameText),
    displayName: fc.option(nameText),
  });
  fc.assert(
    fc.property(anyNames, nameText, (names, search) => {
      const indexed = indexedOf(names);
      const terms = termsOf(search);
      const isMatch = naiveMatch(Object.values(names), search);
      assert.equal(namesMatch(names, terms), isMatch);
      for (const term of terms) {
        const walked = indexed.filter(({ word }) => word.startsWith(term));
        const shown = walked.filter((word) => isShownAt(word, term, terms));
        assert.equal(shown.length, isMatch ? 1 : 0);
      }
    }),
    { numRuns: 5_000 },
  );
});

/** An index of members that have all of these words, in the order of their ids. */
class CountingIndex implements WordIndex {
  reads = 0;
  wordsRead = 0;
  readonly #members: string[][];

  constructor(members: string[][]) {
    this.#members = members;
  }

  counts(_: string, terms: readonly string[], limit: number): number[] {
    const having = (term: string) => this.#members.filter((words) => words.includes(term));
    return terms.map((term) => Math.min(limit, having(term).length));
  }

  words(_: string, after: SearchKey, end: string, limit: number) {
    const page = this.#members
      .map((words, index) => ({ words, memberId: String(index + 1) }))
      .slice(Number(after.memberId))
      .flatMap(({ words, memberId }) => {
        const word = words.find((each) => each >= after.word && each < end);
        const others = words.filter((each) => each !== word).join(' ');
        return word === undefined ? [] : [{ word, memberId, others, status: null }];
      })
      .slice(0, limit);
    this.reads += 1;
    this.wordsRead += page.length;
    return page;
  }

  members(_: string, memberIds: readonly string[]): Member[] {
    return memberIds.map((id) => ({ id, balances: {} }) as Member);
  }
}

const pageOf = (index: WordIndex, search: string, after: SearchKey | null = null, limit = 50) =>
  searchMembers(index, {
    ...{ realmId: 'acme', terms: termsOf(search), status: null, after, limit, now: 0 },
  });

test('a search with one term reads no more words than it shows, and one more', async () => {
  const index = new CountingIndex(Array.from({ length: 10_000 }, () => ['ANN']));
  const { members, next } = await pageOf(index, 'a');
  assert.deepEqual([members.length, next], [50, { word: 'ANN', memberId: '50' }]);
  assert.deepEqual([index.reads, index.wordsRead], [1, 51]);
});

test('a search walks the words of its rarest term', async () => {
  const members = Array.from({ length: 10_000 }, (_, index) =>
    index % 100 === 0 ? ['ANN', 'SMITH'] : ['ANN'],
  );
  const index = new CountingIndex(members);
  const found = await pageOf(index, 'ann smith', null, 500);
  assert.deepEqual([found.members.length, found.next], [100, null]);
  assert.equal(index.wordsRead, 100);
});

test('a search of common terms that never meet ends its page early and yields', async (t) => {
  const members = Array.from({ length: 60_000 }, (_, index) =>
    index % 2 === 0 ? ['ALPHA'] : ['BETA'],
  );
  const index = new CountingIndex(members);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  t.after(() => clearInterval(timer));
  const first = await pageOf(index, 'alpha beta');
  assert.deepEqual(first.members, []);
  assert.equal(first.next?.word, 'ALPHA');
  assert.ok(index.wordsRead <= 8_000 && index.reads >= 10, `${index.reads} ${index.wordsRead}`);
  assert.ok(turns >= 5, String(turns));
  let next: SearchKey | null = first.next;
  for (let pages = 1; next; pages++) {
    assert.ok(pages < 6);
    next = (await pageOf(index, 'alpha beta', next)).next;
  }
  assert.equal(index.wordsRead, 30_000);
});
