import { signal } from '@preact/signals';
import type { Verification } from '@realmkeep/client';

/** The last check of each realm's journal, as long as the page is open. */
export const checks = signal<Record<string, Verification>>({});

export const keepCheck = (realm: string, check: Verification): void => {
  checks.value = { ...checks.value, [realm]: check };
};
