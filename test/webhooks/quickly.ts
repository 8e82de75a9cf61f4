import { RETRY_SCHEDULE } from '../../src/webhooks/retries.ts';
import type { WebhookOptions } from '../../src/webhooks/webhooks.ts';

/**
 * Pauses that a test can wait for. Leases and deadlines are long: an attempt that they interrupt,
 * because the machine is busy, is made again, and tests count attempts.
 */
export const QUICKLY = {
  schedule: { ...RETRY_SCHEDULE, pausesMs: [20] },
  times: { leaseMs: 60_000, renewMs: 200, reportMs: 10, graceMs: 200 },
} satisfies WebhookOptions;
