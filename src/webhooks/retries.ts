import { DAY_MS, HOUR_MS } from '../domain/rules/time.ts';
import { isAccepted } from '../domain/rules/webhooks.ts';
import type { PauseReason, WebhookProgress } from '../domain/webhook.ts';

/** When failed deliveries are tried again. */
export interface RetrySchedule {
  /** The pause after each failure in a row; the last one after all further ones. */
  pausesMs: readonly number[];
  /** A webhook that has failed for this long is paused. */
  giveUpMs: number;
}

const MINUTE_MS = 60_000;

export const RETRY_SCHEDULE: RetrySchedule = {
  pausesMs: [
    5_000,
    30_000,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
  ],
  giveUpMs: 3 * DAY_MS,
};

/** Receivers that failed together are not tried again together. */
const JITTER = 0.2;

/** A receiver that wants a longer pause is tried again all the same. */
const MAX_RETRY_AFTER_MS = 12 * HOUR_MS;

const GONE = 410;

type Verdict =
  | { isDelivered: true }
  | { isDelivered: false; pause: Exclude<PauseReason, 'requested'> }
  | { isDelivered: false; pause: null; progress: Omit<WebhookProgress, 'position'> };

/** What follows from an attempt that ended at `now`. `random` is from 0 to 1. */
export function judge(
  { status, retryAfterMs }: { status: number | null; retryAfterMs: number | null },
  { attempts, failingSince }: Pick<WebhookProgress, 'attempts' | 'failingSince'>,
  schedule: RetrySchedule,
  now: number,
  random: number,
): Verdict {
  if (isAccepted(status)) return { isDelivered: true };
  if (status === GONE) return { isDelivered: false, pause: 'gone' };
  const since = failingSince ?? now;
  if (now - since >= schedule.giveUpMs) return { isDelivered: false, pause: 'failing' };
  const { pausesMs } = schedule;
  const usual = pausesMs[Math.min(attempts, pausesMs.length - 1)] ?? 0;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const pause = retryAfterMs === null ? usual : Math.max(asked, pausesMs[0] ?? 0);
  const jitter = 1 + JITTER * random;
  const nextAt = now + Math.round(pause * jitter);
  return {
    isDelivered: false,
    pause: null,
    progress: { attempts: attempts + 1, failingSince: since, nextAt },
  };
}

/** The milliseconds that a Retry-After header asks for: seconds, or a date. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
