import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountFault, parseAmount, readWhole } from '../../console/text/amounts.ts';

const LOCALES = [
  'en',
  'de',
  'de-CH',
  'fr',
  'es',
  'pl',
  'en-IN',
  'sv',
  'ar-EG',
  'fa',
  'hi-u-nu-deva',
];

test('what a language shows can be typed in it', () => {
  for (const locale of LOCALES) {
    const format = new Intl.NumberFormat(locale);
    for (const value of [1, 999, 1250, 12_500, 1_234_567, Number.MAX_SAFE_INTEGER]) {
      assert.equal(parseAmount(format.format(value), locale), value, `${locale} ${value}`);
      assert.equal(parseAmount(String(value), locale), value, `${locale} ${value}`);
    }
  }
});

test('separators that mean the same everywhere are understood everywhere', () => {
  for (const locale of LOCALES) {
    const spaced = [' 1 250 000 ', '1\u202f250\u202f000'];
    for (const typed of [...spaced, "1'250'000", '1.250.000', '1,250,000', '1_250_000']) {
      assert.equal(parseAmount(typed, locale), 1_250_000, `${locale} ${typed}`);
    }
  }
});

test('a point or a comma of another language may begin a fraction, and is refused', () => {
  assert.equal(parseAmount('1,250', 'en'), 1250);
  assert.equal(parseAmount('1.250', 'de'), 1250);
  assert.equal(parseAmount('1.250', 'es'), 1250);
  assert.equal(
    amountFault('1.250', 'en'),
    '“1.250” could be 1250 or 1.25. Leave out the separator.',
  );
  assert.equal(
    amountFault('1,250', 'de'),
    '“1,250” could be 1250 or 1.25. Leave out the separator.',
  );
  assert.match(amountFault('1,250', 'fr') ?? '', /could be 1250 or 1\.25/);
});

test('a fraction never becomes a larger number', () => {
  for (const locale of LOCALES) {
    for (const typed of ['1.5', '1,5', '1.50', '1,50', '.5', '0.500', '0,500', '12.3456']) {
      assert.equal(parseAmount(typed, locale), null, `${locale} ${typed}`);
    }
  }
  assert.equal(amountFault('1.5', 'en'), '“1.5” is not whole: points have no fractions.');
});

test('what is no amount is not guessed at', () => {
  for (const typed of [
    '0',
    '-5',
    'ten',
    '9007199254740993',
    '1e3',
    '1,2,3',
    '1 5',
    '12,34',
    '5 €',
  ]) {
    assert.equal(parseAmount(typed, 'en'), null, typed);
    assert.notEqual(amountFault(typed, 'en'), null, typed);
  }
  assert.equal(amountFault('', 'en'), null, 'nothing was typed yet');
  assert.equal(amountFault('50', 'en'), null);
});

test('a whole number may be negative', () => {
  assert.deepEqual(readWhole('-1,250', 'en'), { value: -1250 });
  assert.deepEqual(readWhole('−500', 'en'), { value: -500 });
  assert.deepEqual(readWhole('+7', 'en'), { value: 7 });
  for (const typed of ['-', '', '--5', '-0.5']) assert.ok('fault' in readWhole(typed, 'en'), typed);
});
