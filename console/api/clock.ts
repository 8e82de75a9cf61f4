import { signal } from '@preact/signals';
import { aheadBy } from '../text/clocks.ts';

/** How far the service's clock is ahead of the reader's, which may be wrong by minutes. */
export const aheadMs = signal(0);

/** The service's time: it decides what has expired, and dates all that is shown. */
export const serviceNow = (): number => Date.now() + aheadMs.value;

export function noteDate({ headers }: Response, sentAt: number): void {
  const date = Date.parse(headers.get('date') ?? '');
  aheadMs.value = aheadBy(aheadMs.value, { date, sentAt, answeredAt: Date.now() });
}
