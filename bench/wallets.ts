import { createHash } from 'node:crypto';

/** The realm whose wallets are checked, and the checks. */
export const walletRealm = { realmId: 'wallets', members: 10_000, wallets: 1_000_000 };
/** The maximum of the API. */
export const CHECK_SIZE = 10_000;
/** Several different checks: a single one would soon be in the processor's cache. */
export const CHECKS = 10;

/** The key of a wallet by its number. Numbers beyond those of the realm are linked to nobody. */
export const walletAt = (index: number): string =>
  `0x${createHash('sha256').update(`wallet ${index}`).digest('hex').slice(0, 40)}`;

/** The wallets of a check: from all over the realm, every other one linked to nobody. */
export function walletsOf(check: number): string[] {
  const step = walletRealm.wallets / CHECK_SIZE;
  return Array.from({ length: CHECK_SIZE }, (_, place) => {
    const index = Math.floor(place * step) + check;
    return walletAt(place % 2 === 0 ? index : index + walletRealm.wallets);
  });
}
