import type {
  Balance,
  IdempotencyRecord,
  OwnedAccount,
  OwnedWallet,
  RealmChanges,
  RealmFacts,
  Reversal,
  StoredAnswer,
} from '../facts.ts';
import type {
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  Member,
  MemberRow,
  MemberStatus,
  PointKind,
  RealmRow,
  Wallet,
} from '../model.ts';
import { isMovement, type Movement, type Records, type RecordType } from '../records.ts';
import { Refused } from '../refusal.ts';
import { GENESIS, type JournalRecord, seal, type UnsealedRecord } from './journal.ts';
import { movementOf } from './postings.ts';
import { Table, UndoLog } from './table.ts';

const byId = (row: { id: string }): string => row.id;
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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
  readonly undo = new UndoLog();
  readonly kinds: Table<PointKind>;
  readonly assets: Table<Asset>;
  readonly members: Table<MemberRow>;
  readonly accounts: Table<OwnedAccount>;
  readonly wallets: Table<OwnedWallet>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly challenges: Table<Challenge>;
  readonly holds: Table<Hold>;
  readonly reversals: Table<Reversal>;
  readonly #balances: Table<Balance>;
  readonly #idempotency: Table<IdempotencyRecord>;
  readonly #records: Map<number, JournalRecord>;
  readonly #statuses: Map<string, MemberStatus>;
  readonly #facts: RealmFacts;
  readonly #unsealed: UnsealedRecord[] = [];
  #realm: RealmRow | null;

  constructor(facts: RealmFacts, now: number) {
    this.#facts = facts;
    this.realmId = facts.realmId;
    this.at = Math.max(now, facts.realm?.lastAt ?? 0);
    this.#realm = facts.realm;
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
    this.#idempotency = new Table(this.undo, facts.idempotencyRecords, (r) => r.key);
    this.holds = new Table(this.undo, facts.holds, (hold) => String(hold.id));
    this.reversals = new Table(this.undo, facts.reversals, (one) => String(one.seq));
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
    return (this.#facts.realm?.seq ?? 0) + this.#unsealed.length;
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
    return [...this.kinds.values()].sort((a, b) => compare(a.id, b.id));
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

  /** The row of a present member, for a rule that changes it. */
  memberRow(memberId: string): MemberRow {
    const member = this.members.get(memberId);
    if (!member || member.status === 'removed') throw new Refused('member-not-found', { memberId });
    return member;
  }

  accountsOf(memberId: string): OwnedAccount[] {
    return [...this.accounts.values()]
      .filter((account) => account.memberId === memberId)
      .sort((a, b) => compare(accountKey(a), accountKey(b)));
  }

  walletsOf(memberId: string): OwnedWallet[] {
    return [...this.wallets.values()]
      .filter((wallet) => wallet.memberId === memberId)
      .sort(
        (a, b) =>
          Number(b.primary) - Number(a.primary) || a.linkedAt - b.linkedAt || compare(a.key, b.key),
      );
  }

  /** The member as a query would return it at this point of the batch. */
  memberView(member: MemberRow): Member {
    const balances: Record<string, number> = {};
    for (const kind of this.sortedKinds()) balances[kind.id] = this.balance(member.id, kind.id);
    return {
      ...member,
      realmId: this.realmId,
      defaultRealmPointId: this.kind(null).id,
      balances,
      accounts: this.accountsOf(member.id).map(({ memberId: _, ...account }) => account),
      wallets: this.walletsOf(member.id).map(walletView),
    };
  }

  /** Assigns a member id that was never used. */
  assignMemberId(): string {
    const free = this.#facts.freeMemberIds.find((id) => this.status(id) === undefined);
    if (free === undefined) throw new Refused('member-ids-exhausted');
    this.realm = { ...this.realm, nextMemberId: String(BigInt(free) + 1n) };
    return free;
  }

  idempotencyRecord(key: string): IdempotencyRecord | undefined {
    return this.#idempotency.get(key);
  }

  recordIdempotency(key: string, fingerprint: string, answer: StoredAnswer): void {
    this.#idempotency.set(key, { key, fingerprint, at: this.at, ...answer });
  }

  /** A record of the facts or of this batch, if it moves points. */
  movementAt(seq: number): Movement | null {
    const unsealed = this.#unsealed[seq - (this.#facts.realm?.seq ?? 0) - 1];
    if (unsealed) return isMovement(unsealed) ? unsealed : null;
    const stored = this.#records.get(seq);
    return stored ? movementOf(stored) : null;
  }

  /** The changes of the whole batch, with its records sealed; null if there are none. */
  changes(): RealmChanges | null {
    const idempotencyRecords = this.#idempotency.changes().flatMap(({ row }) => (row ? [row] : []));
    const challenges = this.challenges.changes();
    const isEmpty = this.#unsealed.length + idempotencyRecords.length + challenges.length === 0;
    if (this.#realm === null || isEmpty) return null;
    const end = { seq: this.#facts.realm?.seq ?? 0, head: this.#facts.realm?.head ?? GENESIS };
    const records = seal(this.realmId, end.head, this.at, this.#unsealed);
    const last = records.at(-1);
    return {
      realm: {
        ...this.#realm,
        seq: last?.seq ?? end.seq,
        head: last?.hash ?? end.head,
        lastAt: last?.at ?? this.#realm.lastAt,
      },
      isNewRealm: this.#facts.realm === null,
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

export function walletView({ memberId: _, ...wallet }: OwnedWallet): Wallet {
  return wallet;
}
