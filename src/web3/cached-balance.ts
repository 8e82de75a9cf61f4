import type { Holding } from '../domain/model.ts';

/**
 * The balance of one wallet in one asset. It is unreadable until the contract first returns one;
 * from then on it is known, and stale while the last read failed or came from a lagging node. From
 * `dueAt` on it has to be read again.
 */
export type CachedBalance =
  | { state: 'unreadable'; dueAt: number }
  | {
      state: 'known';
      balance: bigint;
      block: number;
      asOf: number;
      isStale: boolean;
      dueAt: number;
    };

/** The state after a read; `highest` is the highest block that the chain has reported. */
export function afterRead(
  before: CachedBalance | undefined,
  read: CachedBalance,
  highest: number,
): CachedBalance {
  if (before?.state !== 'known') return read;
  const { dueAt } = read;
  if (read.state === 'unreadable') return { ...before, dueAt, isStale: true };
  // An earlier block does not replace a later one, unless the chain has been reset.
  const isEarlier = read.block < before.block && before.block <= highest;
  return isEarlier ? { ...before, dueAt, isStale: read.isStale } : read;
}

/** The balances of all wallets of a member; undefined where none was ever read. */
type CachedBalances = readonly (CachedBalance | undefined)[];

const knownOf = (balances: CachedBalances) => balances.filter((one) => one?.state === 'known');

/** Whether none was read after this time, at different blocks: a token may be counted twice. */
export function isInconsistentSince(time: number, balances: CachedBalances): boolean {
  const known = knownOf(balances);
  const blocks = new Set(known.map(({ block }) => block));
  return blocks.size > 1 && known.every(({ asOf }) => asOf <= time);
}

/** The sum, which is unknown if any balance is; stale if any was read before `oldAt`. */
export function sumOf(balances: CachedBalances, oldAt: number): Omit<Holding, 'symbol'> {
  // Without wallets nothing has to be read, and nothing can be out of date.
  if (balances.length === 0) return { balance: '0', block: null, asOf: Date.now(), stale: false };
  const known = knownOf(balances);
  if (known.length < balances.length) {
    return { balance: null, block: null, asOf: null, stale: true };
  }
  return {
    balance: String(known.reduce((sum, { balance }) => sum + balance, 0n)),
    block: Math.min(...known.map(({ block }) => block)),
    asOf: Math.min(...known.map(({ asOf }) => asOf)),
    stale: known.some(({ isStale, asOf }) => isStale || asOf < oldAt),
  };
}
