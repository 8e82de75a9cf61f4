import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvReader, csvLine, delimiterOf, guarded, unguarded } from '../../src/csv/csv.ts';
import { ImportTrace } from '../../src/csv/import-trace.ts';
import {
  type Body,
  balanceQuestion,
  cellValue,
  findColumns,
  memberColumns,
  put,
} from '../../src/csv/members.ts';

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
          rows.filter((row) => row.some((text) => text.trim() !== '')),
        );
      },
    ),
  );
});

test('lines may end in three ways, and an empty one is none', () => {
  assert.deepEqual(recordsOf(['a,b\r\n\r\n , \nc,"d\ne"\nf,g']), [
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
      fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', ' ', '\n', ';', 'a') }),
      (text) => {
        // Some spreadsheets begin a cell at a semicolon, a tab or a line break.
        assert.doesNotMatch(guarded(text), /(?:^|[;\t\r\n])[=+\-@\t\r]/);
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

const KINDS = [
  { id: 'gold', name: 'Gold', isDefault: false },
  { id: 'points', name: 'Points', isDefault: true },
  { id: 'cash', name: 'Pocket money', isDefault: false },
];

test('the balance is found by what programs call it', () => {
  for (const name of ['Coins', 'XP', ' points', 'Bal_ance', 'gems', 'CREDITS', 'token balance']) {
    const { sources, undecided } = findColumns(['id', name], KINDS);
    assert.deepEqual([sources.get('balances.points'), undecided], [name, []]);
  }
});

test('a column that is named after a kind of points is its balance', () => {
  const { sources } = findColumns(['id', 'cash', 'xp', 'Gold'], KINDS);
  assert.deepEqual(
    ['points', 'cash', 'gold'].map((kind) => sources.get(`balances.${kind}`)),
    ['xp', 'cash', 'Gold'],
  );
});

test('of several columns that may be the balance none is taken: it has to be asked', () => {
  const asked = (names: string[], mapping = new Map<string, string>()) => {
    const { sources, undecided } = findColumns(names, KINDS, mapping);
    return balanceQuestion([...sources.keys()], undecided);
  };
  assert.deepEqual(asked(['id', 'coins', 'xp']), ['coins', 'xp']);
  assert.deepEqual(asked(['id', 'gold', 'coins', 'xp']), ['coins', 'xp']);
  assert.deepEqual(asked(['id', 'name']), []);
  assert.equal(asked(['id', 'coins', 'xp'], new Map([['balances.points', 'xp']])), null);
  assert.equal(asked(['id', 'points', 'xp']), null);
  assert.equal(asked(['id', 'balances', 'coins', 'xp']), null);
  // Older programs have both, and mean the same.
  assert.equal(asked(['id', 'balance', 'tokens']), null);
});

test('a field that is not wanted is not guessed', () => {
  const { sources, ignored } = findColumns(['id', 'Status'], KINDS, new Map(), (field) => {
    return field !== 'status';
  });
  assert.deepEqual([[...sources.keys()], ignored], [['id'], ['Status']]);
});

/** What is left to undo after these records, whose actor is this import if they begin with "!". */
function traced(...records: [type: string, data: object][]) {
  const trace = new ImportTrace();
  for (const [index, [type, data]] of records.entries()) {
    trace.add({ seq: index + 1, type: type.replace('!', ''), data }, type.startsWith('!'));
  }
  return trace.undoings().map((one) => {
    const { memberId, unfreeze, reverse, remove } = one;
    const steps = [
      unfreeze && 'unfreeze',
      ...reverse,
      remove && 'remove',
      trace.isSpent(one) && '!',
    ];
    return [memberId, ...steps.filter(Boolean)].join(' ');
  });
}

test('what an import has made is undone, unless something of it was spent', () => {
  const made: [string, object][] = [
    ['member.created', { memberId: '9' }],
    ['!member.created', { memberId: '1' }],
    ['!points.opened', { memberId: '1', tokens: 5 }],
    ['!points.opened', { memberId: '1', tokens: -3 }],
    ['!member.frozen', { memberId: '1' }],
    ['!points.opened', { memberId: '9', tokens: 7 }],
    ['!member.created', { memberId: '2' }],
  ];
  assert.deepEqual(traced(...made), ['1 unfreeze 3 4 remove', '9 6', '2 remove']);
  const more = (...records: [string, object][]) => traced(...made, ...records);
  const undone: [string, object][] = [
    ['points.reversed', { memberId: '1', tokens: 2, reversalOf: 3 }],
    ['points.reversed', { memberId: '1', tokens: -3, reversalOf: 4 }],
    ['points.reversed', { memberId: '9', tokens: 7, reversalOf: 6 }],
    ['member.removed', { memberId: '2' }],
  ];
  assert.deepEqual(more(...undone), ['1 unfreeze 3 remove']);
  const again: [string, object] = ['member.created', { memberId: '2' }];
  assert.deepEqual(more(...undone, again), ['1 unfreeze 3 remove'], 'by somebody else');
  const [first, , last] = more(
    ['points.transferred', { memberId: '7', recipientId: '2', tokens: 1 }],
    ['points.held', { memberId: '1', tokens: 1 }],
  );
  assert.deepEqual([first, last], ['1 unfreeze 3 4 remove !', '2 remove !']);
  assert.deepEqual(more(['member.frozen', { memberId: '9' }])[1], '9 6 !');
});

test('no cell of a member is run as a formula where a semicolon separates cells', () => {
  const member = {
    id: '1',
    username: 'a;=1+1',
    displayName: '-1',
    status: 'active',
    accounts: [{ provider: 'discord', id: '5;=1+1', username: null }],
    wallets: [],
    tags: ['=1+1', '-x'],
    note: '=1+1',
    metadata: { note: ';=1+1', 'a;@b': [] },
    balances: { points: -5 },
    createdAt: '2026-11-18T00:00:00.000Z',
    updatedAt: '2026-11-18T00:00:00.000Z',
  };
  const columns = memberColumns([{ id: 'points', isDefault: true }]);
  const cells = new Map(columns.map(({ name, cell }) => [name, cell(member)]));
  for (const [name, cell] of cells) {
    if (name !== 'balances.points') assert.doesNotMatch(cell, /(?:^|;)[=+@-]/, name);
  }
  const read = (field: string) => cellValue(field, cells.get(field) ?? '', JSON.parse);
  for (const field of [
    'username',
    'displayName',
    'accounts',
    'tags',
    'note',
    'metadata',
  ] as const) {
    assert.deepEqual(read(field), member[field]);
  }
});
