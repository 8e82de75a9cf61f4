import type { Balance } from '../facts.ts';
import { type Hold, MAX_POINTS } from '../model.ts';
import { Table, type UndoLog } from './table.ts';

export const balanceKey = (memberId: string, realmPointId: string): string =>
  `${memberId}:${realmPointId}`;

export const noPoints = (memberId: string, realmPointId: string): Balance => {
  return { memberId, realmPointId, balance: 0, held: '0', openHolds: 0, movedAt: null };
};

const isOpen = (hold: Hold | undefined): boolean => hold?.status === 'open';

/** The balance of an open hold. */
const openOn = (hold: Hold): string | null =>
  isOpen(hold) ? balanceKey(hold.memberId, hold.realmPointId) : null;

/** What a hold sets aside. */
const heldBy = (hold: Hold | undefined): bigint =>
  hold?.status === 'open' ? BigInt(hold.tokens - hold.captured) : 0n;

/** The most that a debit may take of a balance now. */
export const spendable = (balance: number, held: number, minimumBalance: number): number =>
  Math.min(Math.max(balance - held - minimumBalance, 0), MAX_POINTS);

/** The balances of a realm's members during a batch, and what holds set aside of them. */
export class Balances {
  readonly #rows: Table<Balance>;
  readonly #holds: Table<Hold>;
  readonly #now: number;
  /** The instant of the batch's records. */
  readonly #at: number;

  constructor(
    undo: UndoLog,
    rows: readonly Balance[],
    holds: Table<Hold>,
    { now, at }: { now: number; at: number },
  ) {
    this.#rows = new Table(undo, rows, (row) => balanceKey(row.memberId, row.realmPointId));
    this.#holds = holds;
    this.#now = now;
    this.#at = at;
  }

  of(memberId: string, realmPointId: string): number {
    return this.#rows.get(balanceKey(memberId, realmPointId))?.balance ?? 0;
  }

  /** The part of the balance that is not held: an expired hold is over, recorded or not. */
  available(memberId: string, realmPointId: string): number {
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key);
    if (!row?.openHolds) return row?.balance ?? 0;
    let available = BigInt(row.balance) - BigInt(row.held);
    for (const hold of this.#expiredHolds(key).values()) available += heldBy(hold);
    return Number(available);
  }

  /** What is held of the balance. */
  held(memberId: string, realmPointId: string): number {
    return this.of(memberId, realmPointId) - this.available(memberId, realmPointId);
  }

  set(memberId: string, realmPointId: string, balance: number): void {
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key);
    const held = row?.held ?? '0';
    const openHolds = row?.openHolds ?? 0;
    this.#rows.set(key, { memberId, realmPointId, balance, held, openHolds, movedAt: this.#at });
  }

  /** Of a member that leaves: if it is enrolled again, its points have never moved. */
  remove(memberId: string, realmPointId: string): void {
    this.#rows.set(balanceKey(memberId, realmPointId), null);
  }

  /** Counts holds whose end is not recorded, too: a limit on them bounds what is stored. */
  openHoldCount(memberId: string, realmPointId: string): number {
    return this.#rows.get(balanceKey(memberId, realmPointId))?.openHolds ?? 0;
  }

  /** The holds whose end is not recorded. All of them are known only if they were needed. */
  openHolds(memberId: string, realmPointId: string): Hold[] {
    const open = this.#holds.group(openOn, balanceKey(memberId, realmPointId));
    return [...open.values()].sort((a, b) => a.id - b.id);
  }

  /** Writes a hold, and updates what is held of its balance. */
  setHold(hold: Hold): void {
    const { memberId, realmPointId } = hold;
    const before = this.#holds.get(String(hold.id));
    this.#holds.set(String(hold.id), hold);
    const key = balanceKey(memberId, realmPointId);
    const row = this.#rows.get(key);
    this.#rows.set(key, {
      memberId,
      realmPointId,
      balance: row?.balance ?? 0,
      held: String(BigInt(row?.held ?? 0) + heldBy(hold) - heldBy(before)),
      openHolds: (row?.openHolds ?? 0) + Number(isOpen(hold)) - Number(isOpen(before)),
      movedAt: row?.movedAt ?? null,
    });
  }

  changes() {
    return this.#rows.changes();
  }

  /** Holds that are over although no record says so yet. */
  #expiredHolds(key: string): ReadonlyMap<string, Hold> {
    return this.#holds.group(this.#expiredOn, key);
  }

  readonly #expiredOn = (hold: Hold): string | null =>
    hold.expiresAt <= this.#now ? openOn(hold) : null;
}
