import { RETRY_SCHEDULE } from '../../src/webhooks/retries.ts';
import type { WebhookOptions } from '../../src/webhooks/webhooks.ts';

/** Pauses and deadlines that a test can wait for. */
export const QUICKLY = {
  deadlineMs: 500,
  schedule: { ...RETRY_SCHEDULE, pausesMs: [20] },
  times: { leaseMs: 1_500, renewMs: 200, reportMs: 10, graceMs: 1_000 },
} satisfies WebhookOptions;

/** Asks again until the answer is as expected. */
export async function until<T>(ask: () => Promise<T>, isExpected: (answer: T) => boolean) {
  for (;;) {
    const answer = await ask();
    if (isExpected(answer)) return answer;
  }
}
