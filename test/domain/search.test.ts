import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  beginningsOf,
  idRanges,
  isShownAt,
  type Names,
  namesMatch,
  passes,
  termsOf,
  wordChanges,
} from '../../src/domain/rules/search.ts';
import { naiveMatch, nameText } from './names.ts';

/** The words that the index has for a member with these names. */
const indexedOf = (names: Names) => wordChanges('1', null, names).flatMap(({ row }) => row ?? []);

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

test('a change of names changes the words that differ, and each has the others beside it', () => {
  const ann = { username: 'ann99', displayName: 'Ann Smith' };
  const bea = { username: 'bea smith', displayName: 'Ann Smith' };
  const changed = (before: Names | null, after: Names | null) =>
    wordChanges('7', before, after).map(({ key, row }) => [key, row?.others ?? null]);
  assert.deepEqual(changed(null, ann), [
    ['7:ANN99', 'SMITH'],
    ['7:SMITH', 'ANN99'],
  ]);
  assert.deepEqual(changed(ann, bea), [
    ['7:ANN99', null],
    ['7:ANN', 'BEA SMITH'],
    ['7:BEA', 'ANN SMITH'],
    ['7:SMITH', 'ANN BEA'],
  ]);
  assert.deepEqual(changed(bea, { ...bea, displayName: 'ANN smith' }), []);
  assert.deepEqual(changed(ann, null), [
    ['7:ANN99', null],
    ['7:SMITH', null],
  ]);
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

test('a change of names leaves the index as the new names alone would make it', () => {
  const anyNames = fc.option(
    fc.record({ username: fc.option(nameText), displayName: fc.option(nameText) }),
  );
  fc.assert(
    fc.property(anyNames, anyNames, (before, after) => {
      const rowsOf = (names: Names | null) =>
        new Map(wordChanges('1', null, names).map(({ key, row }) => [key, row]));
      const index = rowsOf(before);
      for (const { key, row } of wordChanges('1', before, after)) {
        if (row === null) assert.ok(index.delete(key), key);
        else index.set(key, row);
      }
      assert.deepEqual(index, rowsOf(after));
    }),
    { numRuns: 2_000 },
  );
});

test('one word may be the beginning of an id or of a wallet, as wallets are stored', () => {
  assert.deepEqual(beginningsOf(' 8035 '), { id: '8035', wallet: '8035' });
  assert.deepEqual(beginningsOf('80'), { id: '80', wallet: null });
  assert.deepEqual(beginningsOf('0XAb'), { id: null, wallet: '0xab' });
  assert.deepEqual(beginningsOf('BC1Q'), { id: null, wallet: 'bc1q' });
  assert.deepEqual(beginningsOf('So11'), { id: null, wallet: 'So11' });
  for (const search of ['jo smi', 'é123', '0x\0ab', '', '9'.repeat(75)]) {
    assert.deepEqual(beginningsOf(search), { id: null, wallet: null }, search);
  }
});

test('the ids that begin with some digits are in ranges, each of one length', () => {
  const within = (digits: string, after: string, id: bigint) =>
    idRanges(digits, after).some(({ from, to }) => from <= id && id <= to);
  const digits = fc.integer({ min: 1, max: 99_999 }).map(String);
  const ids = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(digits, ids, ids, (begin, after, id) => {
      const isIn = String(id).startsWith(begin) && id > after;
      assert.equal(within(begin, String(after), id), isIn);
    }),
  );
  const ends = idRanges('9223372036854775807', '0');
  assert.deepEqual(ends, [{ from: 2n ** 63n - 1n, to: 2n ** 63n - 1n }]);
  assert.deepEqual(idRanges('9223372036854775808', '0'), []);
});

test('a search continues only where it passes', () => {
  const at = (search: string, word: string) => passes(search, { word, memberId: '1' });
  assert.deepEqual([at('80', 'id'), at('ann', 'id')], [true, false]);
  assert.deepEqual([at('0xab', 'wallet:0xabc1'), at('0xab', 'wallet:0xac11')], [true, false]);
  assert.ok(!at('0xab', 'wallet:0xab\0'));
  assert.deepEqual([at('ann', 'ANNA'), at('ann', 'BEN')], [true, false]);
});
