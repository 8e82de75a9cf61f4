import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, parseRetryAfter, RETRY_SCHEDULE } from '../../src/webhooks/retries.ts';

const NOW = Date.parse('2026-11-14T09:30:00.000Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const failure = (status: number | null, retryAfterMs: number | null = null) => ({
  status,
  retryAfterMs,
});

const fresh = { attempts: 0, failingSince: null };

const judged = (attempt: ReturnType<typeof failure>, state = fresh, now = NOW, random = 0) =>
  judge(attempt, state, RETRY_SCHEDULE, now, random);

test('2xx is success, and nothing else is', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.deepEqual(judged(failure(status)), { isDelivered: true });
  }
  for (const status of [null, 0, 100, 199, 300, 301, 304, 400, 404, 500, 503]) {
    assert.equal(judged(failure(status)).isDelivered, false, String(status));
  }
});

test('410 pauses at once', () => {
  assert.deepEqual(judged(failure(410)), { isDelivered: false, pause: 'gone' });
});

test('pauses grow for three days, and then the webhook is paused', () => {
  let [now, attempts] = [NOW, 0];
  let failingSince: number | null = null;
  const pauses: number[] = [];
  for (;;) {
    const state = { attempts, failingSince };
    const verdict = judge(failure(500), state, RETRY_SCHEDULE, now, 0.5);
    if (verdict.isDelivered || verdict.pause !== null) {
      assert.deepEqual(verdict, { isDelivered: false, pause: 'failing' });
      break;
    }
    const { progress } = verdict;
    assert.equal(progress.failingSince, NOW);
    pauses.push(progress.nextAt - now);
    now = progress.nextAt;
    ({ attempts, failingSince } = progress);
  }
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
  assert.equal(pauses[0], 5_500);
  assert.ok(pauses.length > 20, String(pauses.length));
  assert.ok(now - NOW >= 3 * DAY && now - NOW < 3.5 * DAY);
});

test('jitter spreads the attempts of several webhooks', () => {
  const at = (random: number) => {
    const verdict = judged(failure(null), fresh, NOW, random);
    return 'progress' in verdict ? verdict.progress.nextAt - NOW : 0;
  };
  assert.deepEqual([at(0), at(0.5), at(1)], [5_000, 5_500, 6_000]);
});

test('Retry-After is honoured within bounds', () => {
  const at = (retryAfterMs: number, attempts = 0) => {
    const verdict = judged(failure(503, retryAfterMs), { attempts, failingSince: null });
    return 'progress' in verdict ? verdict.progress.nextAt - NOW : 0;
  };
  assert.equal(at(90_000), 90_000);
  assert.equal(at(90_000, 7), 90_000, 'also if the usual pause is longer');
  assert.equal(at(0), 5_000);
  assert.equal(at(30 * DAY), 12 * HOUR);
});

test('Retry-After is seconds or a date', () => {
  assert.equal(parseRetryAfter(undefined, NOW), null);
  assert.equal(parseRetryAfter('120', NOW), 120_000);
  assert.equal(parseRetryAfter('Sat, 14 Nov 2026 09:31:00 GMT', NOW), 60_000);
  assert.equal(parseRetryAfter('Sat, 14 Nov 2026 09:29:00 GMT', NOW), 0);
  assert.equal(parseRetryAfter('soon', NOW), null);
  assert.equal(parseRetryAfter('', NOW), null);
});
