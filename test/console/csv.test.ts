import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memberFile, readCsv, writeCsv } from '../../console/text/csv.ts';
import { decodeText } from '../../console/text/encoding.ts';
import { fingerprintOf } from '../../console/text/fingerprint.ts';
import { readRows } from '../../console/text/import.ts';
import { guessTargets } from '../../console/text/import-columns.ts';

const rowsOf = (text: string) => readCsv(text).map(({ line, fields }) => [line, ...fields]);

describe('CSV', () => {
  test('quotes, line breaks and delimiters inside cells; lines are those of the file', () => {
    assert.deepEqual(rowsOf('id,name\r\n1,"a, ""b""\nc"\r\n\r\n2,\r\n'), [
      [1, 'id', 'name'],
      [2, '1', 'a, "b"\nc'],
      [5, '2', ''],
    ]);
  });

  test('semicolons, tabs, and lines that end with a carriage return alone', () => {
    assert.deepEqual(rowsOf('id;name\n1;a'), [
      [1, 'id', 'name'],
      [2, '1', 'a'],
    ]);
    assert.deepEqual(rowsOf('a\tb\r1\t2\r'), [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
  });

  test('what is written can be read', () => {
    const rows = [['1', 'a,"b"\nc', '', '5']];
    assert.deepEqual(
      readCsv(writeCsv(rows)).map(({ fields }) => fields),
      rows,
    );
  });
});

test('an exported member is the same after an import', () => {
  const kinds = [
    { id: 'points', name: 'Points', isDefault: true },
    { id: '7', name: 'Gems', isDefault: false },
  ];
  const member = {
    id: '9007199254740993',
    username: '=HYPERLINK("x")',
    displayName: '\'-Zoë, "Z"\n',
    status: 'frozen',
    accounts: [
      { provider: 'discord', id: '9007199254740993', username: 'zoe' },
      { provider: 'x', id: '42', username: null },
    ],
    wallets: [
      '0x52908400098527886E0F7030069857D2E4169EE7',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ],
    tags: ['=1+1', 'Early bird'],
    note: '@SUM(A1)',
    metadata: { tier: 'gold', tags: ['a', 'b'] },
    balances: { points: -5, 7: 1250 },
    createdAt: '2026-11-14T09:30:00.000Z',
    updatedAt: '2026-11-14T09:30:00.000Z',
  };
  const { header, lineOf } = memberFile(kinds);
  const [first, ...records] = readCsv(header + lineOf(member));
  const [row] = readRows(records, guessTargets(first?.fields ?? [], kinds));
  const { createdAt, updatedAt, ...imported } = member;
  assert.deepEqual([row?.fault, row?.member], [null, imported]);
});

describe('encodings', () => {
  const text = 'id,name\n1,Zoë – “Ж”';
  const wide = (isLittle: boolean, mark: string): Uint8Array => {
    const bytes = Buffer.from(mark + text, 'utf16le');
    return isLittle ? bytes : bytes.swap16();
  };

  test('UTF-8 and UTF-16, with a byte order mark and without', () => {
    for (const mark of ['', '\ufeff']) {
      assert.deepEqual(decodeText(Buffer.from(mark + text)), { text, encoding: 'UTF-8' });
      for (const isLittle of [true, false]) {
        assert.deepEqual(decodeText(wide(isLittle, mark)), { text, encoding: 'UTF-16' });
      }
    }
    assert.equal(decodeText(new Uint8Array()).text, '');
  });

  test('what is not UTF-8 is read as spreadsheets on Windows write it', () => {
    const bytes = Buffer.from('id,name\n1,Zo\xeb \x96 \x80', 'latin1');
    assert.deepEqual(decodeText(bytes), {
      text: 'id,name\n1,Zoë – €',
      encoding: 'Windows-1252',
    });
  });
});

test('another text has another fingerprint', () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `[{"displayName":"Person ${index}"}]`);
  assert.equal(new Set(texts.map(fingerprintOf)).size, texts.length);
  assert.equal(fingerprintOf('ab'), fingerprintOf('ab'));
  assert.match(fingerprintOf(''), /^[0-9a-f]{16}$/);
});
