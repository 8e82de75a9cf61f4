import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RealmEvent } from '@realmkeep/client';
import { listFile } from '../../console/text/csv.ts';
import { isBefore, passesFilters } from '../../console/text/event-filters.ts';
import { answeredOf, partKey, untouched, withResults } from '../../console/text/many.ts';
import { filterFields, filterWords } from '../../console/text/member-filters.ts';
import { between } from '../../console/text/ranges.ts';
import { readPasted } from '../../console/text/recognise.ts';
import { tagsAfter, tagsIn } from '../../console/text/tags.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const read = (text: string): string[] =>
  readPasted(text, 'en').map(({ by, value, tokens }) =>
    tokens === null ? `${by} ${value}` : `${by} ${value} = ${tokens}`,
  );

test('a pasted list is read as names, ids, mentions and wallets', () => {
  const cases: [text: string, read: string[]][] = [
    ['', []],
    ['Alice\n@bob\n\n  carol  ', ['name Alice', 'name bob', 'name carol']],
    ['alice, bob; carol\tdave', ['name alice', 'name bob', 'name carol', 'name dave']],
    ['<@80351110224678912> <@!42>', ['id 80351110224678912', 'id 42']],
    [`${WALLET}\n42`, [`wallet ${WALLET}`, 'id 42']],
    ['41, 42', ['id 41', 'id 42']],
    ['41, 42\n43, 44', ['id 41 = 42', 'id 43 = 44']],
    ['alice, 50', ['name alice = 50']],
    ['alice\t1,000\nbob\t-20', ['name alice = 1000', 'name bob = -20']],
    ['name;points\r\nalice;5\r\n42;6', ['name alice = 5', 'id 42 = 6']],
    ['alice, 50\nbob', ['name alice', 'id 50', 'name bob']],
    ['alice, bob, 5', ['name alice', 'name bob', 'id 5']],
    [
      '1, 80351110224678912\n2, 80351110224678913',
      ['id 1', 'id 80351110224678912', 'id 2', 'id 80351110224678913'],
    ],
    ['alice, 1.5', ['name alice', 'name 1.5']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(read(text), expected, text);
});

test('tags are added and removed, and what changes nothing is left out', () => {
  assert.deepEqual(tagsIn(' vip, vip ;Early bird|, '), ['vip', 'Early bird']);
  assert.deepEqual(tagsAfter(['a'], ['a', 'b'], 'add'), ['a', 'b']);
  assert.equal(tagsAfter(['a'], ['a'], 'add'), null);
  assert.deepEqual(tagsAfter(['a', 'b'], ['b', 'c'], 'remove'), ['a']);
  assert.equal(tagsAfter(['a'], ['b'], 'remove'), null);
});

test('the parts of a change are answered one by one, under keys as the client has them', () => {
  const targets = ['1', '2', '3'].map((id) => ({ id, name: `Member ${id}` }));
  const undo = async (): Promise<void> => {};
  const results = [{ undo }, { reason: 'Frozen.' }];
  const first = withResults(untouched(3), targets.slice(0, 2), results);
  assert.equal(answeredOf(first), 2);
  assert.deepEqual(first.refused, [{ id: '2', name: 'Member 2', reason: 'Frozen.' }]);
  const all = withResults(first, targets.slice(2), [{ undo }]);
  assert.deepEqual(
    all.done.map(({ id }) => id),
    ['1', '3'],
  );
  assert.deepEqual(
    [0, 1, 2].map((part) => partKey('base', part)),
    ['base', 'base:2', 'base:3'],
  );
});

test('a range of rows goes from the last one in either direction', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const ids = (from: string | null, to: string): string =>
    between(rows, from, { id: to })
      .map(({ id }) => id)
      .join('');
  assert.deepEqual(
    [ids('a', 'c'), ids('d', 'b'), ids('gone', 'b'), ids(null, 'c')],
    ['abc', 'bcd', 'b', 'c'],
  );
});

test('filters of the address are those of the service, and are said in words', () => {
  const query = {
    least: '1,000',
    tags: 'a,b',
    wallet: 'no',
    joinedFrom: '2026-01-01',
    joinedTo: '2026-01-31',
  };
  assert.deepEqual(filterFields(query, 'gems'), {
    tags: 'a,b',
    hasWallet: false,
    minimumBalance: 1000,
    createdFrom: '2026-01-01T00:00:00.000Z',
    createdTo: '2026-02-01T00:00:00.000Z',
    realmPointId: 'gems',
  });
  assert.deepEqual(
    filterWords(query, 'Gems').map(({ text }) => text),
    [
      'Tags a, b',
      'Without a wallet',
      'Gems from 1,000',
      'Joined from 2026-01-01',
      'Joined up to 2026-01-31',
    ],
  );
  assert.deepEqual(filterFields({ least: 'x', joinedFrom: 'soon', status: 'gone' }, 'gems'), {});
});

test('events pass by member, actor, reason, amount and day', () => {
  const event = {
    seq: 7,
    type: 'points.transferred',
    at: '2026-11-14T23:59:59.999Z',
    actor: 'person:pabc/session:1',
    data: { memberId: '1', recipientId: '2', tokens: -50, description: 'Quest reward' },
  } as unknown as RealmEvent;
  const passing = [
    {},
    { member: '2' },
    { actor: 'person:pabc' },
    { text: 'quest' },
    { least: '50' },
    { from: '2026-11-14', to: '2026-11-14' },
  ];
  const failing = [
    { member: '3' },
    { actor: 'person:p' },
    { text: 'raffle' },
    { least: '51' },
    { from: '2026-11-15' },
    { to: '2026-11-13' },
  ];
  for (const filters of passing) assert.ok(passesFilters(event, filters), JSON.stringify(filters));
  for (const filters of failing) assert.ok(!passesFilters(event, filters), JSON.stringify(filters));
  assert.deepEqual(
    [isBefore(event, { from: '2026-11-15' }), isBefore(event, { from: '2026-11-14' })],
    [true, false],
  );
});

test('in the file of a list, numbers are numbers and no text is a formula', () => {
  const file = listFile(['a', 'b', 'c'], [{ a: -5, b: '=1+1', c: null }]);
  assert.equal(file, "a,b,c\n-5,'=1+1,\n");
});
