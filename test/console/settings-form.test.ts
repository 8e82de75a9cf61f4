import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  fieldsOf,
  formOf,
  isValid,
  rateFault,
  type SettingsForm,
} from '../../console/state/settings-form.ts';

const settings = {
  transfers: true,
  autoEnroll: false,
  maxTokensPerRequest: null,
  rateLimit: { perSecond: 5, burst: 20 },
  siteUrl: null,
  unknownMembers: 'not-found' as const,
};
const saved = formOf({ name: 'Acme', settings });

const sent = (changes: Partial<SettingsForm>) => fieldsOf({ ...saved, ...changes }, changes);

describe('the form of the settings', () => {
  test('what was not changed is not sent', () => {
    assert.deepEqual(sent({}), {});
    assert.deepEqual(sent({ name: ' Acme 2 ' }), { name: 'Acme 2' });
    assert.deepEqual(sent({ transfers: false }), { settings: { transfers: false } });
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
});
