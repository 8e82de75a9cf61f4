import type { Holding } from '../domain/model.ts';

/**
 * The balance of one wallet in one asset. It is unreadable until the contract first returns one;
 * from then on it is known, and stale while the last read failed or came from a lagging node. From
 * `dueAt` on it has to be read again.
 */
export type CachedBalance = { state: 'unreadable'; dueAt: number } | KnownBalance;

interface KnownBalance {
  state: 'known';
  balance: bigint;
  block: number;
  asOf: number;
  isStale: boolean;
  dueAt: number;
}

type BalanceRead = Omit<KnownBalance, 'state' | 'balance'> & {
  /** Null if the contract did not return a balance. */
  balance: bigint | null;
  /** The highest block that the chain has reported. */
  highest: number;
};

/** The state after a read. */
export function afterRead(
  before: CachedBalance | undefined,
  { balance, highest, ...read }: BalanceRead,
): CachedBalance {
  const { dueAt, isStale } = read;
  const known = before?.state === 'known' ? before : null;
  if (balance === null) {
    return known ? { ...known, dueAt, isStale: true } : { state: 'unreadable', dueAt };
  }
  // An earlier block does not replace a later one, unless the chain has been reset.
  if (known && known.block > read.block && known.block <= highest) {
    return { ...known, dueAt, isStale };
  }
  return { state: 'known', balance, ...read };
}

/** The state after a read failed as a whole. */
export const afterFailure = (before: CachedBalance, now: number): CachedBalance =>
  before.state === 'known' && before.dueAt <= now ? { ...before, isStale: true } : before;

/** The balances of all wallets of a member; undefined where none was ever read. */
export type CachedBalances = readonly (CachedBalance | undefined)[];

/** Whether a balance read after this time is known. */
export const isKnownSince = (time: number, one: CachedBalance | undefined): boolean =>
  one?.state === 'known' && one.asOf >= time;

/** Whether none was read after this time, at different blocks: a token may be counted twice. */
export function isInconsistentSince(time: number, balances: CachedBalances): boolean {
  const known = balances.filter((one) => one?.state === 'known');
  const blocks = new Set(known.map(({ block }) => block));
  return blocks.size > 1 && known.every(({ asOf }) => asOf <= time);
}

/** The sum, which is unknown if any balance is; stale if any was read before `oldAt`. */
export function sumOf(balances: CachedBalances, oldAt: number): Omit<Holding, 'symbol'> {
  // Without wallets nothing has to be read, and nothing can be out of date.
  if (balances.length === 0) return { balance: '0', block: null, asOf: Date.now(), stale: false };
  const known = balances.filter((one) => one?.state === 'known');
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
