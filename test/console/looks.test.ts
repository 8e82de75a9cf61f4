import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelledDays, placeOf, scaleOf, ticksOf } from '../../console/text/chart-scale.ts';
import { hueOf, isMark, shapeOf } from '../../console/text/marks.ts';
import { before, pastPeriods } from '../../console/text/periods.ts';
import { movesSince, rankMoves, standingsForDiscord } from '../../console/text/standings.ts';
import { initialsOf } from '../../console/text/visible.ts';

const row = (id: string, rank: number, earned: number | string) => ({ id, rank, earned });
const moves = (...boards: Parameters<typeof rankMoves>) => Object.fromEntries(rankMoves(...boards));

test('an id has the same colour and shape whenever it is shown', () => {
  assert.deepEqual([hueOf('points'), hueOf('gems')], [300, 135]);
  assert.equal(shapeOf('points'), shapeOf('points'));
  const hues = new Set(Array.from({ length: 200 }, (_, index) => hueOf(`member ${index}`)));
  assert.equal(hues.size, 10);
});

test('a symbol stands for its points if it is short', () => {
  assert.deepEqual(['◆', '👩🏽‍🚀', 'XP', 'PTS', '', null].map(isMark), [
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('initials are those of the first two words', () => {
  const names = ['Alice', 'alice walker', 'Jo de Vries', 'bob_7', '🐸 frog king', '', 'مريم'];
  assert.deepEqual(names.map(initialsOf), ['A', 'AW', 'JD', 'B7', 'FK', '?', 'م']);
});

test('a chart has zero, whatever it shows', () => {
  const scale = scaleOf([-50, 100]);
  assert.ok(placeOf(-50, scale) > 0 && placeOf(100, scale) < 100);
  assert.deepEqual(ticksOf(scaleOf([0, 240])), [0, 100, 200]);
  assert.deepEqual(ticksOf(scaleOf([])), [0, 1]);
  assert.equal(ticksOf(scale)[0], -54);
  assert.equal(placeOf(0, scaleOf([5])), 0);
});

test('the last day has a label, and labels are even', () => {
  assert.deepEqual(labelledDays(1), [0]);
  assert.deepEqual(labelledDays(30), [4, 9, 14, 19, 24, 29]);
  for (const count of [2, 8, 31, 90, 366, 700]) {
    const labelled = labelledDays(count);
    assert.equal(labelled.at(-1), count - 1);
    assert.ok(labelled.length <= 7, `${labelled}`);
  }
});

test('who has moved follows from the board and from that of today', () => {
  const board = [row('a', 1, 90), row('b', 2, 80), row('c', 3, 70), row('d', 4, 5)];
  const today = { rows: [row('a', 1, 30), row('d', 2, 5)], hasMore: false };
  assert.deepEqual(moves({ rows: board, hasMore: false }, today), { a: 2, b: -1, c: -1, d: null });
  const still = { rows: [], hasMore: false };
  assert.deepEqual(moves({ rows: board, hasMore: false }, still), { a: 0, b: 0, c: 0, d: 0 });
});

test('no place is told that depends on members who are not known', () => {
  const board = [row('a', 1, 90), row('b', 2, 80), row('c', 3, 70)];
  const today = { rows: [row('a', 1, 60), row('c', 2, -5)], hasMore: false };
  // Before, a had 30, and others with up to 70 may have been above.
  assert.deepEqual(moves({ rows: board, hasMore: true }, today), { b: -1, c: -1 });
  // Somebody below has lost 20 today: up to 90 may have been above.
  const lost = { rows: [...today.rows, row('z', 3, -20)], hasMore: false };
  assert.deepEqual(moves({ rows: board, hasMore: true }, lost), {});
  assert.deepEqual(moves({ rows: board, hasMore: false }, { ...today, hasMore: true }), {});
});

test('on the first day of a month nobody has moved', () => {
  const rows = [row('a', 1, 9), row('b', 2, 8)];
  assert.deepEqual(moves({ rows, hasMore: false }, { rows, hasMore: false }), {});
});

test('a leaderboard for Discord formats no name, and calls nobody', () => {
  const text = standingsForDiscord({
    title: 'Acme: who earned most',
    kind: { name: 'Points', symbol: null },
    at: Date.UTC(2026, 10, 19),
    rows: [
      { rank: 1, name: '@everyone', tokens: 1_250 },
      { rank: 1, name: '**bold** <@7>', tokens: 1_250 },
      { rank: 3, name: 'Ann', tokens: 7 },
      { rank: 4, name: 'a\u202eb', tokens: 1 },
    ],
  });
  assert.deepEqual(text.split('\n'), [
    '### 🏆 Acme: who earned most',
    '🥇 **@\u200beveryone** · 1,250 points',
    '🥇 **\\*\\*bold\\*\\* \\<@\u200b7\\>** · 1,250 points',
    '🥉 **Ann** · 7 points',
    '` 4` a\\[U+202E\\]b · 1 point',
    '-# As of <t:1795046400:f>',
  ]);
  const kind = { name: 'Points', symbol: null };
  const past = standingsForDiscord({ title: 'Acme: October', kind, at: null, rows: [] });
  assert.equal(past, '### 🏆 Acme: October\n-# Final');
});

test('a past leaderboard is compared with the one before it', () => {
  const rows = [row('a', 1, 9), row('b', 2, 8), row('c', 3, 1)];
  const last = { rows: [row('b', 1, 5), row('a', 4, 2)], hasMore: false };
  const moved = (hasMore: boolean) =>
    Object.fromEntries(movesSince({ rows }, { ...last, hasMore }));
  assert.deepEqual(moved(false), { a: 3, b: -1, c: null });
  assert.deepEqual(moved(true), { a: 3, b: -1 }, 'c may have been below');
  assert.equal(movesSince({ rows }, { rows: [], hasMore: false }).size, 0);
});

test('past weeks and months go back to the first one', () => {
  const [since, now] = [Date.UTC(2026, 8, 30), Date.UTC(2026, 10, 1)];
  const values = (span: 'week' | 'month', at = now) =>
    pastPeriods(span, since, at).map(({ value }) => value);
  assert.deepEqual(values('month'), ['2026-10-01', '2026-09-01']);
  assert.deepEqual(values('week'), ['2026-10-19', '2026-10-12', '2026-10-05', '2026-09-28']);
  assert.deepEqual(values('month', since), []);
  assert.equal(pastPeriods('week', 0, now).length, 60);
  assert.equal(before('2026-10-01'), '2026-09-30T23:59:59.999Z');
});
