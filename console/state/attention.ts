import { effect, signal } from '@preact/signals';
import type { Attention, RealmHandle } from '@realmkeep/client';
import { useEffect } from 'preact/hooks';
import { fingerprintOf } from '../text/fingerprint.ts';
import { useAnswer } from './answers.ts';
import { useEvery } from './every.ts';
import { useArrivals } from './live.ts';

export type AttentionItem = Attention['items'][number];

/** What needs attention in the open realm; undefined until it is known. */
const found = signal<{ realm: string; items: AttentionItem[] } | undefined>(undefined);

export const forgetAttention = (): void => {
  found.value = undefined;
};

const STORED = 'realmkeep-dismissed';
const MAX_DISMISSED = 200;

/** Items as they were when they were dismissed: one that has changed since is shown again. */
const dismissed = signal<readonly string[]>(
  (localStorage.getItem(STORED) ?? '').split(' ').filter((key) => key !== ''),
);

effect(() => localStorage.setItem(STORED, dismissed.value.join(' ')));

/** Without what it says, which may be a secret, such as the URL of a webhook. */
const keyOf = (realm: string, item: AttentionItem): string =>
  fingerprintOf(JSON.stringify([realm, item]));

export const dismiss = (realm: string, item: AttentionItem): void => {
  dismissed.value = [...dismissed.value, keyOf(realm, item)].slice(-MAX_DISMISSED);
};

/** What needs attention, without what was dismissed in this browser. */
export const attentionIn = (realm: string): AttentionItem[] | undefined =>
  found.value?.realm === realm
    ? found.value.items.filter((item) => !dismissed.value.includes(keyOf(realm, item)))
    : undefined;

/** Failed attempts and days that pass are no events. */
const LOOK_EVERY_MS = 15_000;

/** Keeps it true while the realm is open. */
export function useAttention(realm: RealmHandle): void {
  const { value, reload } = useAnswer(`attention ${realm.id}`, (signal) =>
    realm.attention({ signal }),
  );
  useArrivals(({ type }) => /^(webhook\.|key\.|claim\.|points\.reversed)/.test(type), reload);
  useEvery(LOOK_EVERY_MS, true, reload);
  useEffect(() => {
    if (value) found.value = { realm: realm.id, items: value.items };
  }, [value, realm.id]);
}
