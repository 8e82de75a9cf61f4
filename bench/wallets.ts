import { createHash } from 'node:crypto';

/** The realm whose wallets are checked, and what is asked about them. */
export const walletRealm = { realmId: 'wallets', members: 10_000, wallets: 1_000_000 };
/** No check may ask for more. */
export const ASKED_AT_ONCE = 10_000;
/** Not always the same ones: those would soon lie in the processor's own cache. */
export const CHECKS = 10;

/** A wallet by its number, in the form of its key. Those past the realm's number are nobody's. */
export const walletAt = (index: number): string =>
  `0x${createHash('sha256').update(`wallet ${index}`).digest('hex').slice(0, 40)}`;

/** What one check asks for: from all over the realm, every other one linked to nobody. */
export function askedIn(check: number): string[] {
  const step = walletRealm.wallets / ASKED_AT_ONCE;
  return Array.from({ length: ASKED_AT_ONCE }, (_, place) => {
    const index = Math.floor(place * step) + check;
    return walletAt(place % 2 === 0 ? index : index + walletRealm.wallets);
  });
}
