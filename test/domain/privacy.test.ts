import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../src/contract/event-types.ts';
import type { MemberFields } from '../../src/domain/commands.ts';
import { type RecordType, wholeData } from '../../src/domain/records.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import {
  GENESIS,
  hasPersonalPart,
  type JournalRecord,
  seal,
  type UnsealedRecord,
} from '../../src/domain/rules/journal.ts';
import { emptyFacts } from '../../src/domain/rules/needs.ts';
import { fixedSalts } from '../support/salts.ts';
import { command, REALM } from './histories.ts';

const fieldsOf = (text: string | null): string[] => Object.keys(JSON.parse(text ?? '{}'));

test('a new field of the profile is personal, and gone after an erasure', () => {
  // A cast, because no such field is declared.
  const fields = { username: 'alice', pronouns: 'fr' } as MemberFields;
  const { outcomes, changes } = decide(
    [emptyFacts(REALM)],
    [
      command('realm.create', { name: 'Acme', settings: {} }),
      command('member.create', { memberId: '1', fields, wallets: [] }),
      command('member.update', { memberId: '1', fields: { pronouns: 'en' } as MemberFields }),
      command('member.remove', { memberId: '1', forfeit: false, erase: true }),
    ],
    1_000,
    fixedSalts,
  );
  assert.deepEqual(
    outcomes.filter((outcome) => !('answer' in outcome)),
    [],
  );
  const [{ records = [], members = [] } = {}] = changes;
  const told = records.filter(({ type }) => /^member\.(created|updated)$/.test(type));
  assert.deepEqual(
    told.map(({ data, personal }) => [fieldsOf(data), fieldsOf(personal)]),
    [
      [['memberId'], ['salt', 'username', 'pronouns']],
      [['memberId'], ['salt', 'pronouns']],
    ],
  );
  const erased = told.map((record) => wholeData({ ...record, personal: null }));
  assert.ok(
    erased.every((data) => data === '{"memberId":"1","erased":true}'),
    `${erased}`,
  );
  const row = members.find(({ key }) => key === '1')?.row;
  assert.equal(row?.status, 'removed');
  assert.doesNotMatch(JSON.stringify(row), /alice|pronouns/);
});

/** A record of the type as it is stored, with the fields of its example and perhaps others. */
function sealed(type: RecordType, others: object = {}): JournalRecord | undefined {
  const data = { ...eventTypes[type].example, ...others };
  const salt = hasPersonalPart(data) ? 'salt' : null;
  const unsealed = { seq: 1, type, actor: 'cli', data, salt } as UnsealedRecord;
  return seal(REALM, GENESIS, 0, [unsealed])[0];
}

const TYPES = Object.keys(eventTypes) as RecordType[];
const namesSomebody = (type: RecordType): boolean =>
  ['memberId', 'personId'].some((name) => name in eventTypes[type].example);

test('a new field of a record that names somebody is personal unless declared public', () => {
  assert.ok(TYPES.some(namesSomebody));
  for (const type of TYPES.filter(namesSomebody)) {
    const record = sealed(type, { madeUp: 'secret' });
    assert.ok(fieldsOf(record?.personal ?? null).includes('madeUp'), type);
    assert.ok(!record?.data.includes('secret'), type);
  }
});

test('what records say of a person is personal; ids, amounts and instants are not', () => {
  const personal = new Set(TYPES.flatMap((type) => fieldsOf(sealed(type)?.personal ?? null)));
  personal.delete('salt');
  assert.deepEqual([...personal].sort(), [
    'accounts',
    'address',
    'description',
    'displayName',
    'message',
    'metadata',
    'name',
    'newPrimary',
    'note',
    'originalDescription',
    'reference',
    'signature',
    'tags',
    'username',
    'wallets',
  ]);
  for (const type of TYPES) {
    if (!namesSomebody(type)) assert.equal(sealed(type)?.personalHash, null, type);
  }
});
