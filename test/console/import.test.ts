import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../console/text/csv.ts';
import { isWorkbook } from '../../console/text/encoding.ts';
import { nextBatch, readRows, rowsAsFile } from '../../console/text/import.ts';
import {
  guessTargets,
  leftOut,
  newKindOf,
  openQuestion,
  repeatedTarget,
  targetChoices,
} from '../../console/text/import-columns.ts';

const WALLETS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
];

const KINDS = [
  { id: 'points', name: 'Points', isDefault: true, minimumBalance: -5, maximumBalance: 2_000 },
  { id: 'gems', name: 'Shiny gems', isDefault: false, minimumBalance: 0, maximumBalance: 10 },
];

/** The rows of a file without its header. */
const rowsOf = (lines: string[], targets: string[]) =>
  readRows(readCsv(['header', ...lines].join('\n')).slice(1), targets, KINDS);

const faultOf = (cell: string, target: string) => rowsOf([cell], [target])[0]?.fault ?? null;

test('columns are recognised by their headers', () => {
  const headers = [
    'Discord ID',
    'Name',
    'Handle',
    'Wallet',
    'SHINY GEMS',
    'Balance',
    'Notes',
    'Rank',
  ];
  assert.deepEqual(guessTargets(headers, KINDS), [
    'id',
    'displayName',
    'username',
    'wallets',
    'balances.gems',
    'balances.points',
    'note',
    '',
  ]);
});

test('a column named after a kind of points that the realm lacks is left out', () => {
  assert.deepEqual(guessTargets(['balances.gold', 'balances', 'balances.gems'], KINDS), [
    '',
    '',
    'balances.gems',
  ]);
});

test('two columns are not given the same meaning, and cannot have it', () => {
  assert.deepEqual(guessTargets(['id', 'user id'], KINDS), ['id', '']);
  assert.equal(repeatedTarget(['id', 'wallets', 'wallets', '', '', 'username']), null);
  assert.equal(repeatedTarget(['id', 'username', 'username']), 'username');
});

test('every guess can be chosen, and any column can become metadata', () => {
  const headers = ['accounts.x', 'metadata.tier', 'vip', 'discord', 'status', 'balances.gems'];
  for (const [index, target] of guessTargets(headers, KINDS).entries()) {
    const values = targetChoices(headers[index] ?? '', KINDS).map(({ value }) => value);
    assert.ok(values.includes(target), `${headers[index]} is ${target}`);
    assert.equal(new Set(values).size, values.length, 'no choice is there twice');
  }
  assert.ok(targetChoices('vip', KINDS).some(({ value }) => value === 'metadata.vip'));
  assert.ok(targetChoices('', KINDS).every(({ value }) => value !== 'metadata.'));
});

test('a row becomes a member, its id to the digit', () => {
  const [row] = rowsOf(
    [`9007199254740993,'=Alice,"1,250",${WALLETS.join(' ')},7,gold`],
    ['id', 'displayName', 'balances.points', 'wallets', 'accounts.discord', 'metadata.tier'],
  );
  assert.equal(row?.fault, null);
  assert.deepEqual(row?.member, {
    id: '9007199254740993',
    displayName: '=Alice',
    balances: { points: 1250 },
    wallets: WALLETS,
    accounts: [{ provider: 'discord', id: '7' }],
    metadata: { tier: 'gold' },
  });
});

test('metadata is read from one column and from several, whichever is first', () => {
  const [row] = rowsOf(['gold,"{""level"":3}"'], ['metadata.tier', 'metadata']);
  assert.deepEqual(row?.member, { metadata: { tier: 'gold', level: 3 } });
});

test('faults name what is wrong, and the line of the file', () => {
  const rows = rowsOf(
    ['12,a', 'x,"two', 'lines"', '', '12,b', '1,2,3', ' ,'],
    ['id', 'displayName'],
  );
  assert.deepEqual(
    rows.map(({ line, fault }) => [line, fault]),
    [
      [2, null],
      [3, '“x” is not an id: digits only, as in Discord'],
      [6, 'the id is also in line 2'],
      [7, 'it has 3 cells instead of 2'],
    ],
  );
});

test('points are whole numbers', () => {
  for (const cell of ['-5', '1250.0', '+7', '0', '"1,250"']) {
    assert.equal(faultOf(cell, 'balances.points'), null, cell);
  }
  for (const cell of ['5.5', '"1,5"', 'many', '9007199254740993', '1e3', '1.250', '1.000']) {
    assert.notEqual(faultOf(cell, 'balances.points'), null, cell);
  }
});

test('points beyond what their kind allows are found before', () => {
  assert.equal(faultOf('-5', 'balances.points'), null);
  assert.equal(faultOf('-1', 'balances.gems'), 'Shiny gems cannot be -1: the lowest is 0');
  assert.equal(faultOf('11', 'balances.gems'), 'Shiny gems cannot be 11: the highest is 10');
  assert.equal(faultOf('11.00', 'balances.gems'), 'Shiny gems cannot be 11.00: the highest is 10');
  // As the file has it, where a number would be another one.
  assert.equal(faultOf('9007199254740993', 'balances.gems'), '“9007199254740993” is too large');
});

test('rows have no faults before it is known what their columns mean', () => {
  const rows = rowsOf(['1,Ann,', '1,Ann,'], ['', '', '']);
  assert.deepEqual(
    rows.map(({ fault }) => fault),
    [null, null],
  );
  assert.deepEqual(leftOut(['', 'Punkte', 'Empty'], ['', '', ''], rows), ['Column 1', 'Punkte']);
  assert.deepEqual(leftOut(['id', 'Punkte', 'Empty'], ['id', '', ''], rows), ['Punkte']);
});

test('wallets are read as the service reads them', () => {
  const [evm = '', bitcoin = ''] = WALLETS;
  const wrong = evm.replace('E', 'e');
  assert.match(faultOf('0x12', 'wallets') ?? '', /“0x12” is not 0x followed by exactly 40/);
  assert.match(faultOf(`${bitcoin} ${wrong}`, 'wallets') ?? '', /wrong EIP-55 checksum/);
  assert.match(faultOf(bitcoin.replace('qar', 'qra'), 'wallets') ?? '', /bech32 checksum/);
  assert.match(faultOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'wallets') ?? '', /base58 checksum/);
  assert.equal(faultOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'wallets'), null);
  const rows = rowsOf(
    [`1,${evm}`, `x,${bitcoin}`, `2,${evm.toLowerCase()}`, `3,${bitcoin}`],
    ['id', 'wallets'],
  );
  assert.deepEqual(
    rows.map(({ fault }) => fault?.replace(/^“x”.*/, 'no id')),
    [undefined, 'no id', 'the wallet is also in line 2', undefined],
  );
});

test('a status is imported, however it is written', () => {
  assert.deepEqual(guessTargets(['ID', 'Status'], KINDS), ['id', 'status']);
  const [row] = rowsOf(['1, Frozen '], ['id', 'status']);
  assert.deepEqual([row?.fault, row?.member.status], [null, 'frozen']);
});

test('one is asked for the balance until a column is it, or none may be', () => {
  const headers = ['id', 'coins', 'xp'];
  assert.deepEqual(openQuestion(headers, guessTargets(headers, KINDS), KINDS), ['coins', 'xp']);
  assert.equal(openQuestion(headers, ['id', '', 'balances.points'], KINDS), null);
  assert.deepEqual(openQuestion(headers, ['id', '', 'balances.xp'], KINDS), ['coins']);
  assert.deepEqual(openQuestion(headers, ['id', 'metadata.coins', 'metadata.xp'], KINDS), []);
  assert.deepEqual(openQuestion(['id'], ['id'], KINDS), []);
});

test('a column of numbers can become a kind of points', () => {
  const headers = ['id', 'Café XP', 'level', 'gems', 'balances.gold', '7', 'refusedLine', 'none'];
  const cells = ['9007199254740993', '"1,250"', 'ten', '3', '5.0', '1', '1', ''];
  const rows = rowsOf([cells.join(',')], headers);
  const kinds = headers.map((_, index) => newKindOf(index, headers, rows, KINDS)?.id ?? null);
  assert.deepEqual(kinds, [null, 'cafe-xp', null, null, 'gold', null, null, null]);
  const idsOf = (...texts: string[]) =>
    newKindOf(0, ['xp2'], rowsOf(texts, ['xp2']), KINDS)?.id ?? null;
  assert.equal(idsOf('5', '1.5', '7'), 'xp2', 'one wrong cell costs its row only');
  assert.equal(idsOf('5', '1.5'), null);
  const choices = targetChoices('Café XP', KINDS, { id: 'cafe-xp', name: 'Café XP' });
  assert.ok(choices.some(({ value }) => value === 'balances.cafe-xp'));
});

test('a workbook is told from a list', () => {
  assert.ok(isWorkbook(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14])));
  assert.ok(!isWorkbook(new TextEncoder().encode('PK,name')) && !isWorkbook(new Uint8Array()));
});

test('what the service would refuse in any case is found before', () => {
  assert.match(faultOf('asleep', 'status') ?? '', /neither active nor frozen/);
  assert.match(faultOf('discord:', 'accounts') ?? '', /not an account/);
  assert.match(faultOf('"[{""provider"":1', 'accounts') ?? '', /quote without its end/);
  assert.match(faultOf('[1]', 'accounts') ?? '', /not an account/);
  assert.match(faultOf('[1]', 'metadata') ?? '', /no JSON object/);
  assert.match(faultOf('{"n":9007199254740993}', 'metadata') ?? '', /beyond 2\^53/);
  assert.match(faultOf('u'.repeat(65), 'username') ?? '', /64/);
  assert.equal(faultOf('😀'.repeat(64), 'username'), null);
});

test('rows are sent in the same batches wherever one begins after another', () => {
  const line = (index: number) => `${'n'.repeat(index % 7 === 0 ? 8_000 : 100)}${index}`;
  const rows = rowsOf(
    Array.from({ length: 1_700 }, (_, index) => line(index)),
    ['metadata.note'],
  );
  const first = nextBatch(rows, 0);
  assert.ok(first.length < 500, 'long rows make a batch shorter');
  const rest = rows.slice(first.length);
  assert.deepEqual(nextBatch(rows, first.length), nextBatch(rest, 0));
  let sent = 0;
  for (let batch = first; batch.length > 0; batch = nextBatch(rows, sent)) sent += batch.length;
  assert.equal(sent, rows.length);
});

test('refused rows are a file that can be corrected and refused again', () => {
  const headers = ['refusedLine', 'refusedReason', 'id'];
  assert.deepEqual(guessTargets(headers, KINDS), ['', '', 'id']);
  const rows = rowsOf(['7,=wrong,x'], ['', '', 'id']);
  const refused = rows.map((row) => ({ ...row, reason: '=1' }));
  assert.deepEqual(rowsAsFile(headers, refused), [
    ['refusedLine', 'refusedReason', 'id'],
    ['2', "'=1", 'x'],
  ]);
});
