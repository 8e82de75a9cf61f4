import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, localTime } from '../../console/text/local-time.ts';
import { amountsFault, offerForm, readOffer } from '../../console/text/offer-form.ts';
import { isEmoji, limitText, requirementText, streakText } from '../../console/text/offers.ts';

const KINDS = [
  { id: 'points', name: 'Points', symbol: null, isDefault: true },
  { id: 'gems', name: 'Gems', symbol: '◆', isDefault: false },
];
const BLANK = offerForm(null, KINDS);

test('terms are said in words', () => {
  assert.equal(limitText({ times: 1, period: 'day' }), 'Once a day');
  assert.equal(limitText({ times: 3, period: 'ever' }), '3 times per member');
  assert.equal(
    streakText({ bonus: [0, 5, 5, 10], graceDays: 1 }),
    'In a row, days 2–3: +5 · day 4 and later: +10 · 1 day may be missed',
  );
  assert.equal(streakText({ bonus: [7], graceDays: 0 }), 'In a row, day 1 and later: +7');
  assert.equal(streakText({ bonus: [0], graceDays: 0 }), null);
  const requires = { minimumBalance: { points: 5 }, claimed: 'intro' };
  assert.equal(
    requirementText(
      requires,
      ({ points }) => `${points} points`,
      () => 'Intro',
    ),
    'For members who have at least 5 points and have claimed “Intro”',
  );
});

test('an emoji is shown, and the name of one is not', () => {
  for (const emoji of ['🎁', '🏅', '👩‍💻', '❄️']) assert.ok(isEmoji(emoji), emoji);
  for (const text of [null, 'gift', '<:gem:1>', 'ab', '🎁🎁']) assert.ok(!isEmoji(text));
});

test('what a form says is what it was made of', () => {
  const typed = {
    ...BLANK,
    name: ' Hat ',
    gives: '1 gems',
    costs: '1,000 + 2 ◆',
    period: 'day' as const,
    times: '2',
    bonus: '0, 5 10',
    stock: '3',
    opensAt: '2026-11-18T20:30',
    minimumBalance: '5',
    claimed: 'intro',
    isManual: true,
  };
  const { terms, isComplete } = readOffer(typed, KINDS);
  assert.ok(isComplete);
  assert.deepEqual(terms, {
    name: 'Hat',
    description: null,
    emoji: null,
    gives: { gems: 1 },
    costs: { points: 1_000, gems: 2 },
    perMember: { times: 2, period: 'day' },
    stock: 3,
    opensAt: new Date('2026-11-18T20:30').toISOString(),
    closesAt: null,
    requires: { minimumBalance: { points: 5 }, claimed: 'intro' },
    delivery: 'manual',
    streak: { bonus: [0, 5, 10], graceDays: 0 },
    isListed: true,
  });
  assert.deepEqual(readOffer(offerForm(terms, KINDS), KINDS).terms, terms);
});

test('what is unclear, or too little, is not sent', () => {
  const isComplete = (typed: Partial<typeof BLANK>) =>
    readOffer({ ...BLANK, name: 'Hat', costs: '5', ...typed }, KINDS).isComplete;
  assert.ok(isComplete({}));
  const wrong = [
    { name: ' ' },
    { costs: '' },
    { costs: '5 shells' },
    { costs: '5 + 6' },
    { gives: '0' },
    { stock: '-1' },
    { period: 'day' as const, times: '0' },
    { period: 'day' as const, bonus: '5, x' },
  ];
  for (const typed of wrong) assert.ok(!isComplete(typed), JSON.stringify(typed));
  assert.equal(amountsFault('5 + 1 gems', KINDS), null);
  assert.match(amountsFault('five', KINDS) ?? '', /^It has to be a number/);
});

test('times are those of the reader', () => {
  const at = instantOf('2026-03-29T12:05');
  assert.equal(localTime(at), '2026-03-29T12:05');
  assert.equal(localTime(null), '');
  assert.equal(instantOf(''), null);
});
