import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_PERSONAL_PART, type PersonalPart } from '../../src/domain/records.ts';
import { eventText } from '../../src/ledger/feeds/event-page.ts';

/** Streams and webhooks send this text. */
const whom = 'discord:42"\\';
const salt = '"salt":"0123456789abcdefghijkl"';
const member = { memberId: '1', tokens: 5 };
const personal = (fields: string): PersonalPart => ({
  personal: `{${salt},${fields}}`,
  personalHash: 'a'.repeat(64),
});

const records: [what: string, data: object, part: PersonalPart, shown: object][] = [
  ['nobody', member, personal('"reference":"7"'), { data: { ...member, reference: '7' } }],
  [
    'somebody, in the personal part',
    member,
    personal(`"reference":"7","onBehalfOf":${JSON.stringify(whom)}`),
    { onBehalfOf: whom, data: { ...member, reference: '7' } },
  ],
  ['somebody, of a realm', { onBehalfOf: whom }, NO_PERSONAL_PART, { onBehalfOf: whom, data: {} }],
  [
    'somebody who was erased',
    member,
    { personal: null, personalHash: 'a'.repeat(64) },
    { data: { ...member, erased: true } },
  ],
  [
    'nobody, but a text that speaks of it',
    member,
    personal('"description":"\\"onBehalfOf\\": me"'),
    { data: { ...member, description: '"onBehalfOf": me' } },
  ],
];

for (const [what, data, part, shown] of records) {
  test(`an event on behalf of ${what}`, () => {
    const record = { seq: 1, type: 'points.added', at: 0, actor: 'root' };
    const text = eventText({ ...record, data: JSON.stringify(data), ...part });
    const at = '1970-01-01T00:00:00.000Z';
    assert.deepEqual(JSON.parse(text), { ...record, at, ...shown });
    assert.equal(text.endsWith('}}'), true);
  });
}
