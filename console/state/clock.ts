import { computed, signal } from '@preact/signals';
import { aheadMs } from '../api/clock.ts';

const readersTime = signal(Date.now());

/** The service's time, which "2 min. ago" is counted from. One timer for all of them. */
export const now = computed(() => readersTime.value + aheadMs.value);

setInterval(() => {
  if (!document.hidden) readersTime.value = Date.now();
}, 10_000);
