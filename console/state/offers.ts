import { type Signal, signal } from '@preact/signals';
import type { Offer, RealmHandle } from '@realmkeep/client';
import { MAX_PAGE } from '../api/limits.ts';
import { useArrivals } from './live.ts';

/** What claims and events name: the first offers of each realm, by id. */
const known = new Map<string, Signal<ReadonlyMap<string, Offer>>>();

/** Those of a realm; asked for once, however many rows name them. */
export function offersOf(realm: RealmHandle): Signal<ReadonlyMap<string, Offer>> {
  const offers = known.get(realm.id) ?? signal(new Map());
  if (!known.has(realm.id)) {
    known.set(realm.id, offers);
    void renew(realm);
  }
  return offers;
}

/** If it fails, ids are shown until offers change. */
async function renew(realm: RealmHandle): Promise<void> {
  const page = await realm.offers({ limit: MAX_PAGE }).catch(() => null);
  const offers = known.get(realm.id);
  if (page && offers) offers.value = new Map(page.items.map((offer) => [offer.id, offer]));
}

/** Keeps what is said of offers true while one looks. */
export const useFreshOffers = (realm: RealmHandle): void =>
  useArrivals(
    ({ type }) => /^offer\.(created|updated|drawn)$/.test(type),
    () => void renew(realm),
  );

export const forgetOffers = (): void => known.clear();
