import type { Command } from './commands.ts';
import {
  accountKey,
  type Balance,
  balanceKey,
  type HeldAccount,
  type HeldWallet,
  type RealmChanges,
  type RealmFacts,
  type Receipt,
  type Remembered,
} from './facts.ts';
import { GENESIS, type Happening, type JournalRecord, seal } from './journal.rules.ts';
import type { ApiKeyRow, Member, MemberRow, PointKind, RealmRow, Wallet } from './model.ts';
import { Refused } from './refusal.ts';
import { Table, UndoLog } from './table.rules.ts';

const byId = (row: { id: string }): string => row.id;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One realm while a batch is decided: the facts, overlaid with what the batch did so far. */
export class Books {
  readonly realmId: string;
  /** The instant of everything this batch records. Never before the journal's last record. */
  readonly at: number;
  readonly undo = new UndoLog();
  readonly kinds: Table<PointKind>;
  readonly members: Table<MemberRow>;
  readonly accounts: Table<HeldAccount>;
  readonly wallets: Table<HeldWallet>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly #balances: Table<Balance>;
  readonly #remembered: Table<Remembered>;
  readonly #receipts: Map<number, JournalRecord>;
  readonly #facts: RealmFacts;
  readonly #happenings: Happening[] = [];
  #realm: RealmRow | null;
  #actor = '';

  constructor(facts: RealmFacts, now: number) {
    this.#facts = facts;
    this.realmId = facts.realmId;
    this.at = Math.max(now, facts.realm?.lastAt ?? 0);
    this.#realm = facts.realm;
    this.kinds = new Table(this.undo, facts.kinds, byId);
    this.members = new Table(this.undo, facts.members, byId);
    this.accounts = new Table(this.undo, facts.accounts, accountKey);
    this.wallets = new Table(this.undo, facts.wallets, (wallet) => wallet.key);
    this.apiKeys = new Table(this.undo, facts.apiKeys, byId);
    this.#balances = new Table(this.undo, facts.balances, (b) => balanceKey(b.memberId, b.pointId));
    this.#remembered = new Table(this.undo, facts.remembered, (r) => r.key);
    this.#receipts = new Map(facts.receipts.map((record) => [record.seq, record]));
  }

  /** From here on, what is recorded is this actor's doing. */
  openFor(command: Command): void {
    this.#actor = command.actor;
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

  /** Writes one record at the journal's end and returns its `seq`. */
  record(type: string, data: Record<string, unknown>): number {
    this.undo.push(() => this.#happenings.pop());
    this.#happenings.push({ type, actor: this.#actor, data });
    return (this.#facts.realm?.seq ?? 0) + this.#happenings.length;
  }

  /** The kind of points that a request means; null means the realm's default. */
  kind(pointId: string | null): PointKind {
    for (const kind of this.kinds.values()) {
      if (pointId === null ? kind.isDefault : kind.id === pointId) return kind;
    }
    throw new Refused('realm-point-not-found', { realmPointId: pointId });
  }

  balance(memberId: string, pointId: string): number {
    return this.#balances.get(balanceKey(memberId, pointId))?.balance ?? 0;
  }

  setBalance(memberId: string, pointId: string, balance: number): void {
    this.#balances.set(balanceKey(memberId, pointId), { memberId, pointId, balance });
  }

  /** The member, unless it is unknown or removed. */
  presentMember(memberId: string): MemberRow | undefined {
    const member = this.members.get(memberId);
    return member?.status === 'removed' ? undefined : member;
  }

  accountsOf(memberId: string): HeldAccount[] {
    return [...this.accounts.values()]
      .filter((account) => account.memberId === memberId)
      .sort((a, b) => compare(accountKey(a), accountKey(b)));
  }

  walletsOf(memberId: string): HeldWallet[] {
    return [...this.wallets.values()]
      .filter((wallet) => wallet.memberId === memberId)
      .sort(
        (a, b) =>
          Number(b.primary) - Number(a.primary) || a.linkedAt - b.linkedAt || compare(a.key, b.key),
      );
  }

  /** The member as a reader would see it at this point of the batch. */
  memberView(member: MemberRow): Member {
    const balances: Record<string, number> = {};
    for (const kind of this.kinds.values()) balances[kind.id] = this.balance(member.id, kind.id);
    return {
      ...member,
      realmId: this.realmId,
      defaultPointId: this.kind(null).id,
      balances,
      accounts: this.accountsOf(member.id).map(({ memberId: _, ...account }) => account),
      wallets: this.walletsOf(member.id).map(walletView),
    };
  }

  /** Hands out a member id that nobody has or had. */
  assignMemberId(): string {
    const free = this.#facts.freeMemberIds.find((id) => !this.members.get(id));
    if (free === undefined) throw new Refused('member-ids-exhausted');
    this.realm = { ...this.realm, nextMemberId: String(BigInt(free) + 1n) };
    return free;
  }

  remembered(key: string): Remembered | undefined {
    return this.#remembered.get(key);
  }

  remember(key: string, fingerprint: string, receipt: Receipt): void {
    this.#remembered.set(key, { key, fingerprint, at: this.at, ...receipt });
  }

  /** The data of a record written before, or earlier in this batch, with its `seq`. */
  receipt(seq: number): { seq: number; data: Record<string, unknown> } {
    const fresh = this.#happenings[seq - (this.#facts.realm?.seq ?? 0) - 1];
    if (fresh) return { seq, data: fresh.data };
    const record = this.#receipts.get(seq);
    if (!record) throw new Error(`record ${seq} of realm ${this.realmId} was not loaded`);
    return { seq, data: JSON.parse(record.data) };
  }

  /** What the whole batch did, sealed into the journal; null when it did nothing. */
  changes(): RealmChanges | null {
    const remembered = this.#remembered.changes().flatMap(({ row }) => (row ? [row] : []));
    if (this.#realm === null || (this.#happenings.length === 0 && remembered.length === 0)) {
      return null;
    }
    const end = { seq: this.#facts.realm?.seq ?? 0, head: this.#facts.realm?.head ?? GENESIS };
    const records = seal(this.realmId, end, this.at, this.#happenings);
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
      kinds: this.kinds.changes(),
      members: this.members.changes(),
      balances: this.#balances.changes(),
      accounts: this.accounts.changes(),
      wallets: this.wallets.changes(),
      apiKeys: this.apiKeys.changes(),
      remembered,
    };
  }
}

export function walletView(held: HeldWallet): Wallet {
  const { memberId: _, ...wallet } = held;
  return wallet;
}
