import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessTargets, readRows } from '../../console/text/import.ts';

const KINDS = [
  { id: 'points', name: 'Points' },
  { id: 'gems', name: 'Gems' },
];

test('columns are recognised by their headers', () => {
  assert.deepEqual(
    guessTargets(['Discord ID', 'Name', 'Handle', 'Wallet', 'GEMS', 'Balance', 'Notes'], KINDS),
    ['id', 'displayName', 'username', 'wallet', 'points:gems', 'points:points', 'ignore'],
  );
});

test('two columns are not given the same meaning', () => {
  assert.deepEqual(guessTargets(['id', 'user id'], KINDS), ['id', 'ignore']);
});

test('a row becomes a member, its id to the digit', () => {
  const [row] = readRows(
    [['9007199254740993', 'Alice', '1,250', '0xabc']],
    ['id', 'displayName', 'points:points', 'wallet'],
  );
  assert.equal(row?.fault, null);
  assert.deepEqual(row?.member, {
    id: '9007199254740993',
    displayName: 'Alice',
    balances: { points: 1250 },
    wallets: ['0xabc'],
  });
});

test('faults name what is wrong, and the line', () => {
  const rows = readRows([['12'], ['x'], ['12'], ['1', '2'], ['']], ['id']);
  assert.deepEqual(
    rows.map(({ line, fault }) => [line, fault]),
    [
      [2, null],
      [3, '“x” is not an id: digits only, as in Discord'],
      [4, 'the id is also in line 2'],
      [5, 'it has 2 cells instead of 1'],
      [6, 'it is empty'],
    ],
  );
});

test('points are whole numbers', () => {
  const faultOf = (text: string) => readRows([[text]], ['points:points'])[0]?.fault ?? null;
  assert.equal(faultOf('-5'), null, 'a debt can be brought along');
  for (const text of ['5.5', 'many', '9007199254740993', '1e3']) {
    assert.match(faultOf(text) ?? '', /is not a whole number/);
  }
});
