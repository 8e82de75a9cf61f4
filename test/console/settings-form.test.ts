import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clashesOf,
  edited,
  fieldsOf,
  formOf,
  isValid,
  NO_EDITS,
  rateFault,
  type SettingsForm,
} from '../../console/state/settings-form.ts';

const settings = {
  transfers: true,
  autoEnroll: false,
  maxTokensPerRequest: null,
  rateLimit: { perSecond: 5, burst: 20 },
  siteUrl: null,
  timeZone: 'UTC',
  unknownMembers: 'not-found' as const,
  discordPictures: false,
  discord: null,
};
const saved = formOf({ name: 'Acme', settings });

const sent = (changes: Partial<SettingsForm>) => fieldsOf({ ...saved, ...changes }, changes);

describe('the form of the settings', () => {
  test('what was not changed is not sent', () => {
    assert.deepEqual(sent({}), {});
    assert.deepEqual(sent({ name: ' Acme 2 ' }), { name: 'Acme 2' });
    assert.deepEqual(sent({ transfers: false }), { settings: { transfers: false } });
    const unknownMembers = 'zero';
    assert.deepEqual(sent({ unknownMembers }), { settings: { unknownMembers } });
    assert.deepEqual(sent({ most: '1,000' }), { settings: { maxTokensPerRequest: 1_000 } });
  });

  test('a rate limit is sent whole, whichever of its numbers changed', () => {
    const rateOf = (changes: Partial<SettingsForm>) => sent(changes).settings?.rateLimit;
    assert.deepEqual(rateOf({ perSecond: '8' }), { perSecond: 8, burst: 20 });
    assert.deepEqual(rateOf({ burst: '9' }), { perSecond: 5, burst: 9 });
    assert.deepEqual(rateOf({ burst: '' }), { perSecond: 5, burst: 10 }, 'of two seconds');
    assert.equal(rateOf({ perSecond: '600000', burst: '' })?.burst, 1_000_000, 'at most');
    assert.equal(rateOf({ perSecond: '', burst: '' }), null);
  });

  test('without a limit of its own a realm has empty fields', () => {
    const { perSecond, burst } = formOf({
      name: 'Acme',
      settings: { ...settings, rateLimit: null },
    });
    assert.deepEqual([perSecond, burst], ['', '']);
  });

  test('what is no rate cannot be saved', () => {
    for (const rate of ['0', '-1', '1.5', 'many']) {
      assert.equal(rateFault(rate), 'It has to be a whole number, at least 1.', rate);
      assert.ok(!isValid({ ...saved, perSecond: rate }), rate);
      assert.ok(!isValid({ ...saved, burst: rate }), rate);
    }
    for (const rate of ['', '1', '1000000'])
      assert.ok(isValid({ ...saved, perSecond: rate }), rate);
  });

  test('who changes what somebody else has changed meanwhile is told', () => {
    const edits = edited(saved, NO_EDITS, { name: 'Mine', burst: '9' });
    assert.deepEqual(edits, {
      typed: { name: 'Mine', burst: '9' },
      before: { name: 'Acme', burst: '20' },
    });
    assert.deepEqual(clashesOf(saved, edits), []);
    assert.deepEqual(clashesOf({ ...saved, transfers: false }, edits), [], 'another field');
    assert.deepEqual(clashesOf({ ...saved, name: 'Mine' }, edits), [], 'to the same');
    const theirs = { ...saved, name: 'Theirs' };
    assert.deepEqual(clashesOf(theirs, edits), ['name']);
    const more = edited(theirs, edits, { name: 'Mine 2' });
    assert.deepEqual(clashesOf(theirs, more), ['name'], 'to type on decides nothing');
    assert.deepEqual(edited(theirs, more, { name: 'Theirs' }).typed, { burst: '9' });
  });
});
