import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvReader, csvLine, delimiterOf, guarded, unguarded } from '../../src/csv/csv.ts';
import { type Body, cellValue, put } from '../../src/csv/members.ts';

/** The records of a text that arrives in pieces. */
function recordsOf(pieces: readonly string[], delimiter = ',') {
  const reader = new CsvReader(delimiter);
  const records = pieces.flatMap((piece) => [...reader.read(piece, false)]);
  return [...records, ...reader.read('', true)];
}

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', 'é') });

test('what is written is read, wherever the text is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      fc.nat(200),
      (rows, delimiter, cut) => {
        const text = rows.map((row) => csvLine(row, delimiter)).join('');
        const read = recordsOf([text.slice(0, cut), text.slice(cut)], delimiter);
        assert.deepEqual(
          read.map(({ fields, fault }) => fault ?? fields),
          rows,
        );
      },
    ),
  );
});

test('lines may end in three ways, and an empty one is none', () => {
  assert.deepEqual(recordsOf(['a,b\r\n\r\n\nc,"d\ne"\nf,g']), [
    { line: 1, fields: ['a', 'b'], fault: null },
    { line: 4, fields: ['c', 'd\ne'], fault: null },
    { line: 6, fields: ['f', 'g'], fault: null },
  ]);
});

test('a wrong quote costs its own line only', () => {
  const faults = recordsOf(['1,"a\n2,b\n3,"c" d\n4,5" x\n5,"e\n6,f\n']).map(
    ({ line, fields, fault }) => [line, fault ?? fields[1]],
  );
  assert.deepEqual(faults, [
    [1, 'has text after the end of a quote'],
    [2, 'b'],
    [3, 'has text after the end of a quote'],
    [4, '5" x'],
    [5, 'has a quote without its end'],
    [6, 'f'],
  ]);
});

test('a faulty record keeps the text of its line', () => {
  const [open, text] = recordsOf(['1,"a,b\r\n2,"c" d\n']);
  assert.deepEqual(open?.fields, ['1', '"a', 'b']);
  assert.deepEqual(text?.fields, ['2', '"c" d']);
  assert.deepEqual(recordsOf(['1,"a'])[0]?.fields, ['1', '"a']);
});

test('an unclosed quote does not hold back a long file', () => {
  const rest = Array.from({ length: 100_000 }, (_, index) => `${index},name\n`);
  const read = recordsOf(['0,"open\n', rest.join('')]);
  assert.equal(read.length, 100_001);
  assert.equal(read[0]?.fault, 'has a quote without its end');
});

test('the header tells what separates fields', () => {
  assert.equal(delimiterOf('id,name'), ',');
  assert.equal(delimiterOf('id;"last, first, middle"'), ';');
  assert.equal(delimiterOf('id\tname'), '\t');
  assert.equal(delimiterOf('id'), ',');
});

test('no text is run as a formula or blank, and each is itself after a round trip', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', ' ', '\n', 'a') }),
      (text) => {
        assert.doesNotMatch(guarded(text), /^[=+\-@\t\r]/);
        assert.equal(guarded(text).trim() === '', text === '');
        assert.equal(unguarded(guarded(text)), text);
      },
    ),
  );
});

test('a number of points that may have been meant otherwise is left as text', () => {
  const read = (cell: string) => cellValue('balances.points', cell, JSON.parse);
  assert.deepEqual(['1250', ' -5 ', '1250.0', '5.00'].map(read), [1250, -5, 1250, 5]);
  assert.deepEqual(['1.250', '1.000', '1,250', '5.5'].map(read), [
    '1.250',
    '1.000',
    '1,250',
    '5.5',
  ]);
});

test('parts of a field and the whole of it are merged, in any order', () => {
  const bodyOf = (cells: [string, unknown][]): Body => {
    const body: Body = {};
    for (const [field, value] of cells) put(body, field, value);
    return body;
  };
  const parts: [string, unknown][] = [
    ['metadata.tier', 'gold'],
    ['metadata', { level: 3 }],
    ['accounts.discord', '7'],
    ['accounts', [{ provider: 'x', id: '8' }]],
  ];
  for (const cells of [parts, parts.toReversed()]) {
    const { metadata, accounts } = bodyOf(cells);
    assert.deepEqual(metadata, { tier: 'gold', level: 3 });
    assert.equal((accounts as unknown[]).length, 2);
  }
  for (const wrong of ['text', null, [1]]) {
    const cells: [string, unknown][] = [
      ['metadata', wrong],
      ['metadata.tier', 'gold'],
    ];
    assert.deepEqual(bodyOf(cells), { metadata: wrong }, 'the check finds it');
    assert.deepEqual(bodyOf(cells.toReversed()), { metadata: wrong });
  }
});
