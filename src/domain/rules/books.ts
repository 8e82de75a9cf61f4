import type {
  Balance,
  IdempotencyRecord,
  OwnedAccount,
  OwnedWallet,
  RealmChanges,
  RealmFacts,
  Reversal,
} from '../facts.ts';
import type {
  Address,
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  Member,
  MemberRow,
  MemberStatus,
  PointKind,
  RealmRow,
} from '../model.ts';
import { isMovement, type Movement, type Records, type RecordType } from '../records.ts';
import { Refused } from '../refusal.ts';
import { GENESIS, type JournalRecord, seal, type UnsealedRecord } from './journal.ts';
import { movementOf } from './postings.ts';
import { Table, type UndoLog } from './table.ts';
import { memberView } from './views.ts';

const byId = (row: { id: string }): string => row.id;
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const accountKey = (account: { provider: string; id: string }): string =>
  `${account.provider}:${account.id}`;

export const balanceKey = (memberId: string, realmPointId: string): string =>
  `${memberId}:${realmPointId}`;

/** One realm during a batch: the facts, overlaid with the batch's changes so far. */
export class Books {
  readonly realmId: string;
  /** The instant of the batch's records: never before that of the journal's last record. */
  readonly at: number;
  /** The caller of the current command, for its records. */
  actor = '';
  readonly undo: UndoLog = [];
  readonly kinds: Table<PointKind>;
  readonly assets: Table<Asset>;
  readonly members: Table<MemberRow>;
  readonly accounts: Table<OwnedAccount>;
  readonly wallets: Table<OwnedWallet>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly challenges: Table<Challenge>;
  readonly holds: Table<Hold>;
  readonly reversals: Table<Reversal>;
  readonly idempotencyRecords: Table<IdempotencyRecord>;
  readonly #balances: Table<Balance>;
  readonly #records: Map<number, JournalRecord>;
  readonly #statuses: Map<string, MemberStatus>;
  readonly #freeMemberIds: readonly string[];
  /** The journal's end before this batch. Only that of a new realm has a `seq` of 0. */
  readonly #end: Pick<RealmRow, 'seq' | 'head' | 'lastAt'>;
  readonly #unsealed: UnsealedRecord[] = [];
  #realm: RealmRow | null;

  constructor(facts: RealmFacts, now: number) {
    this.realmId = facts.realmId;
    this.#realm = facts.realm;
    this.#end = facts.realm ?? { seq: 0, head: GENESIS, lastAt: 0 };
    this.at = Math.max(now, this.#end.lastAt);
    this.#freeMemberIds = facts.freeMemberIds;
    this.kinds = new Table(this.undo, facts.kinds, byId);
    this.assets = new Table(this.undo, facts.assets, byId);
    this.members = new Table(this.undo, facts.members, byId);
    this.accounts = new Table(this.undo, facts.accounts, accountKey);
    this.wallets = new Table(this.undo, facts.wallets, (wallet) => wallet.key);
    this.apiKeys = new Table(this.undo, facts.apiKeys, byId);
    this.challenges = new Table(this.undo, facts.challenges, (one) => one.nonce);
    this.#balances = new Table(this.undo, facts.balances, (b) =>
      balanceKey(b.memberId, b.realmPointId),
    );
    this.holds = new Table(this.undo, facts.holds, (hold) => String(hold.id));
    this.reversals = new Table(this.undo, facts.reversals, (one) => String(one.seq));
    this.idempotencyRecords = new Table(this.undo, facts.idempotencyRecords, (one) => one.key);
    this.#statuses = new Map(facts.statuses.map((one) => [one.memberId, one.status]));
    this.#records = new Map(facts.records.map((record) => [record.seq, record]));
  }

  get exists(): boolean {
    return this.#realm !== null;
  }

  get realm(): RealmRow {
    if (this.#realm === null) throw new Refused('realm-not-found', { realmId: this.realmId });
    return this.#realm;
  }

  set realm(next: RealmRow) {
    const before = this.#realm;
    this.undo.push(() => {
      this.#realm = before;
    });
    this.#realm = next;
  }

  /** Appends a record to the journal and returns its `seq`. */
  record<T extends RecordType>(type: T, data: Records[T]): number {
    this.undo.push(() => this.#unsealed.pop());
    const seq = this.seq + 1;
    // TypeScript cannot tell that a generic pair of type and payload is a member of the union.
    this.#unsealed.push({ seq, type, data, actor: this.actor } as UnsealedRecord);
    return seq;
  }

  /** The `seq` of the journal's last record, this batch included. */
  get seq(): number {
    return this.#end.seq + this.#unsealed.length;
  }

  /** A kind of points; null stands for the realm's default kind. */
  kind(realmPointId: string | null): PointKind {
    for (const kind of this.kinds.values()) {
      if (realmPointId === null ? kind.isDefault : kind.id === realmPointId) return kind;
    }
    throw new Refused('realm-point-not-found', { realmPointId });
  }

  /** Sorted, because kinds created in this batch come last in the table. */
  sortedKinds(): PointKind[] {
    return [...this.kinds.values()].sort((a, b) => compareText(a.id, b.id));
  }

  balance(memberId: string, realmPointId: string): number {
    return this.#balances.get(balanceKey(memberId, realmPointId))?.balance ?? 0;
  }

  /** The part of the balance that is not held. */
  available(memberId: string, realmPointId: string): number {
    const row = this.#balances.get(balanceKey(memberId, realmPointId));
    if (!row?.openHolds) return row?.balance ?? 0;
    return this.openHolds(memberId, realmPointId)
      .filter((hold) => hold.expiresAt > this.at)
      .reduce((left, hold) => left - (hold.tokens - hold.captured), row.balance);
  }

  /** Sorted, because holds created in this batch come last in the table. */
  openHolds(memberId: string, realmPointId: string): Hold[] {
    return [...this.holds.values()]
      .filter(
        (hold) =>
          hold.status === 'open' &&
          hold.memberId === memberId &&
          hold.realmPointId === realmPointId,
      )
      .sort((a, b) => a.id - b.id);
  }

  setBalance(memberId: string, realmPointId: string, balance: number): void {
    const key = balanceKey(memberId, realmPointId);
    const openHolds = this.#balances.get(key)?.openHolds ?? 0;
    this.#balances.set(key, { memberId, realmPointId, balance, openHolds });
  }

  /** Writes a hold, and updates the number of open holds on its balance. */
  setHold(hold: Hold): void {
    const wasOpen = this.holds.get(String(hold.id))?.status === 'open';
    this.holds.set(String(hold.id), hold);
    const change = Number(hold.status === 'open') - Number(wasOpen);
    if (change === 0) return;
    const key = balanceKey(hold.memberId, hold.realmPointId);
    const { memberId, realmPointId } = hold;
    const row = this.#balances.get(key) ?? { memberId, realmPointId, balance: 0, openHolds: 0 };
    this.#balances.set(key, { ...row, openHolds: row.openHolds + change });
  }

  /** Undefined for an id that was never a member's. */
  status(memberId: string): MemberStatus | undefined {
    return this.members.get(memberId)?.status ?? this.#statuses.get(memberId);
  }

  isPresent(memberId: string): boolean {
    const status = this.status(memberId);
    return status !== undefined && status !== 'removed';
  }

  requireMember(memberId: string): void {
    if (!this.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  }

  requireRecipient(recipientId: string): void {
    if (!this.isPresent(recipientId)) throw new Refused('recipient-not-found', { recipientId });
  }

  /** A wallet has one owner in a realm. Not even a proof moves it: it has to be unlinked first. */
  refuseTakenWallet(memberId: string, wallet: Address): void {
    const owner = this.wallets.get(wallet.key)?.memberId;
    if (owner !== undefined && owner !== memberId) {
      throw new Refused('wallet-taken', { wallet: wallet.address, memberId: owner });
    }
  }

  /** The row of a present member, for a rule that changes it. */
  memberRow(memberId: string): MemberRow {
    const member = this.members.get(memberId);
    if (!member || member.status === 'removed') throw new Refused('member-not-found', { memberId });
    return member;
  }

  accountsOf(memberId: string): OwnedAccount[] {
    return [...this.accounts.values()]
      .filter((account) => account.memberId === memberId)
      .sort((a, b) => compareText(accountKey(a), accountKey(b)));
  }

  walletsOf(memberId: string): OwnedWallet[] {
    return [...this.wallets.values()]
      .filter((wallet) => wallet.memberId === memberId)
      .sort(
        (a, b) =>
          Number(b.primary) - Number(a.primary) ||
          a.linkedAt - b.linkedAt ||
          compareText(a.key, b.key),
      );
  }

  /** The member as a query would return it at this point of the batch. */
  memberView(member: MemberRow): Member {
    return memberView(this.realmId, member, {
      kinds: this.sortedKinds().map(({ id, isDefault }) => ({
        realmPointId: id,
        isDefault,
        balance: this.balance(member.id, id),
      })),
      accounts: this.accountsOf(member.id),
      wallets: this.walletsOf(member.id),
    });
  }

  /** Assigns a member id that was never used. */
  assignMemberId(): string {
    const free = this.#freeMemberIds.find((id) => this.status(id) === undefined);
    if (free === undefined) throw new Refused('member-ids-exhausted');
    this.realm = { ...this.realm, nextMemberId: String(BigInt(free) + 1n) };
    return free;
  }

  /** A record of the facts or of this batch, if it moves points. */
  movementAt(seq: number): Movement | null {
    const unsealed = this.#unsealed[seq - this.#end.seq - 1];
    if (unsealed) return isMovement(unsealed) ? unsealed : null;
    const stored = this.#records.get(seq);
    return stored ? movementOf(stored) : null;
  }

  /** The changes of the whole batch, with its records sealed; null if there are none. */
  changes(): RealmChanges | null {
    const idempotencyRecords = this.idempotencyRecords.changes().flatMap(({ row }) => row ?? []);
    const challenges = this.challenges.changes();
    const isEmpty = this.#unsealed.length + idempotencyRecords.length + challenges.length === 0;
    if (this.#realm === null || isEmpty) return null;
    const records = seal(this.realmId, this.#end.head, this.at, this.#unsealed);
    const last = records.at(-1);
    return {
      realm: last
        ? { ...this.#realm, seq: last.seq, head: last.hash, lastAt: last.at }
        : this.#realm,
      isNewRealm: this.#end.seq === 0,
      records,
      reversals: this.reversals.changes(),
      holds: this.holds.changes(),
      kinds: this.kinds.changes(),
      assets: this.assets.changes(),
      members: this.members.changes(),
      balances: this.#balances.changes(),
      accounts: this.accounts.changes(),
      wallets: this.wallets.changes(),
      apiKeys: this.apiKeys.changes(),
      challenges,
      idempotencyRecords,
    };
  }
}
