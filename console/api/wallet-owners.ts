import type { RealmHandle, WalletCheck } from '@realmkeep/client';

/** Checked in one call, which takes 1 MiB: 128 characters of up to 3 bytes each. */
const AT_ONCE = 2_500;

/** Checks a list in as many calls as it takes. */
export async function checkWallets(
  api: RealmHandle,
  wallets: readonly string[],
  signal: AbortSignal,
  onProgress: (done: number) => void = () => {},
): Promise<WalletCheck['results']> {
  const found: WalletCheck['results'] = [];
  for (let start = 0; start < wallets.length; start += AT_ONCE) {
    const some = wallets.slice(start, start + AT_ONCE);
    found.push(...(await api.includes(some, { signal })).results);
    onProgress(found.length);
  }
  return found;
}
