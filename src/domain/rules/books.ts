import type {
  Erasure,
  IdempotencyRecord,
  KindEnrolment,
  MemberState,
  OwnedAccount,
  OwnedWallet,
  RealmChanges,
  RealmFacts,
  Reversal,
} from '../facts.ts';
import type {
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  MemberRow,
  MemberStatus,
  PointKind,
  RealmRow,
} from '../model.ts';
import { isMovement, type Movement, movementOf } from '../movements.ts';
import type { Claimant, ClaimRow, Offer } from '../offer.ts';
import type { PersonRow } from '../person.ts';
import type { Records, RecordType } from '../records.ts';
import { Refused } from '../refusal.ts';
import type { WebhookRow } from '../webhook.ts';
import { claimantKey } from './claimants.ts';
import {
  clockAfter,
  hasPersonalPart,
  type JournalRecord,
  NEW_JOURNAL,
  type Salts,
  seal,
  type UnsealedRecord,
} from './journal.ts';
import { derive } from './projections.ts';
import { Balances, Table, type UndoLog } from './tables.ts';
import { iso } from './time.ts';

const byId = (row: { id: string }): string => row.id;
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const accountKey = (account: { provider: string; id: string }): string =>
  `${account.provider}:${account.id}`;

/** The fields that a change leaves other than they were. */
export function changedFields<Row extends object>(before: Row, after: Row): Partial<Row> {
  const changed: Partial<Row> = { ...after };
  for (const name of Object.keys(after) as (keyof Row)[]) {
    if (JSON.stringify(after[name]) === JSON.stringify(before[name])) delete changed[name];
  }
  return changed;
}

/** One realm during a batch: the facts, overlaid with the batch's changes so far. */
export class Books {
  readonly realmId: string;
  /** The current instant, which every rule decides by. Only records may have a later instant. */
  readonly now: number;
  /** The instant of the batch's records. */
  readonly at: number;
  actor = '';
  onBehalfOf: string | undefined;
  readonly undo: UndoLog = [];
  readonly kinds: Table<PointKind>;
  readonly assets: Table<Asset>;
  readonly webhooks: Table<WebhookRow>;
  readonly members: Table<MemberRow>;
  readonly accounts: Table<OwnedAccount>;
  readonly wallets: Table<OwnedWallet>;
  readonly apiKeys: Table<ApiKeyRow>;
  readonly people: Table<PersonRow>;
  readonly challenges: Table<Challenge>;
  readonly holds: Table<Hold>;
  readonly balances: Balances;
  readonly reversals: Table<Reversal>;
  readonly offers: Table<Offer>;
  readonly claims: Table<ClaimRow>;
  readonly claimants: Table<Claimant>;
  readonly erasures: Table<Erasure>;
  readonly enrolments: Table<KindEnrolment>;
  readonly idempotencyRecords: Table<IdempotencyRecord>;
  /** What was known before this batch, and of members by their ids. */
  readonly facts: RealmFacts;
  readonly states: ReadonlyMap<string, MemberState>;
  readonly #salts: Salts;
  readonly #records: Map<number, JournalRecord>;
  /** The journal's end before this batch. Only that of a new realm has a `seq` of 0. */
  readonly #end: typeof NEW_JOURNAL;
  readonly #clock: ReturnType<typeof clockAfter>;
  /** The current instant, where records have to state it besides their instant. */
  readonly #occurredAt: string | null;
  readonly #unsealed: UnsealedRecord[] = [];
  #realm: RealmRow | null;
  #defaultKindId = '';
  /** The place in `freeMemberIds` of the next one to assign. */
  #nextFree = 0;

  constructor(facts: RealmFacts, now: number, salts: Salts) {
    this.realmId = facts.realmId;
    this.facts = facts;
    this.#salts = salts;
    this.#realm = facts.realm;
    this.now = now;
    this.#end = facts.realm ?? NEW_JOURNAL;
    this.#clock = clockAfter(this.#end, now);
    const { clockAt, lastAt } = this.#clock;
    this.at = clockAt;
    this.#occurredAt = clockAt < lastAt ? iso(clockAt) : null;
    this.kinds = new Table(this.undo, facts.kinds, byId);
    this.assets = new Table(this.undo, facts.assets, byId);
    this.webhooks = new Table(this.undo, facts.webhooks, byId);
    this.members = new Table(this.undo, facts.members, byId);
    this.accounts = new Table(this.undo, facts.accounts, accountKey);
    this.wallets = new Table(this.undo, facts.wallets, (wallet) => wallet.key);
    this.apiKeys = new Table(this.undo, facts.apiKeys, byId);
    this.people = new Table(this.undo, facts.people, byId);
    this.challenges = new Table(this.undo, facts.challenges, (one) => one.nonce);
    this.holds = new Table(this.undo, facts.holds, (hold) => String(hold.id));
    this.balances = new Balances(this.undo, facts.balances, this.holds, { now, at: clockAt });
    this.reversals = new Table(this.undo, facts.reversals, (one) => String(one.seq));
    this.offers = new Table(this.undo, facts.offers, byId);
    this.claims = new Table(this.undo, facts.claims, (one) => String(one.id));
    this.claimants = new Table(this.undo, facts.claimants, claimantKey);
    this.erasures = new Table<Erasure>(this.undo, [], (one) => String(one.seq));
    this.enrolments = new Table<KindEnrolment>(this.undo, [], (one) => one.realmPointId);
    this.idempotencyRecords = new Table(this.undo, facts.idempotencyRecords, (one) => one.key);
    this.states = new Map(facts.states.map((one) => [one.memberId, one]));
    this.#records = new Map(facts.records.map((record) => [record.seq, record]));
  }

  /** The row of this id: of a realm, or of a deleted one whose rows are being removed. */
  get row(): RealmRow | null {
    return this.#realm;
  }

  get isDeleted(): boolean {
    return this.#realm !== null && this.#realm.deletedAt !== null;
  }

  get realm(): RealmRow {
    if (this.#realm === null || this.isDeleted) {
      throw new Refused('realm-not-found', { realmId: this.realmId });
    }
    return this.#realm;
  }

  set realm(next: RealmRow) {
    const before = this.#realm;
    this.undo.push(() => {
      this.#realm = before;
    });
    this.#realm = next;
  }

  record<T extends RecordType>(type: T, data: Records[T]): number {
    this.undo.push(() => this.#unsealed.pop());
    const seq = this.seq + 1;
    let payload: object = data;
    if (this.#occurredAt !== null) payload = { ...data, occurredAt: this.#occurredAt };
    if (this.onBehalfOf !== undefined) payload = { ...payload, onBehalfOf: this.onBehalfOf };
    // TypeScript cannot tell that a generic pair of type and payload is a member of the union.
    const record = { seq, type, data: payload, actor: this.actor, salt: null } as UnsealedRecord;
    if (hasPersonalPart(payload)) record.salt = this.#salts(this.realmId, seq);
    this.#unsealed.push(record);
    return seq;
  }

  /** The `seq` of the journal's last record, this batch included. */
  get seq(): number {
    return this.#end.seq + this.#unsealed.length;
  }

  /** A kind of points; null stands for the realm's default kind. */
  kind(realmPointId: string | null): PointKind {
    const kind = this.kinds.get(realmPointId ?? this.#defaultKindId);
    if (realmPointId === null) return kind?.isDefault ? kind : this.#findDefaultKind();
    if (!kind) throw new Refused('realm-point-not-found', { realmPointId });
    return kind;
  }

  movableKind(realmPointId: string | null): PointKind {
    const kind = this.kind(realmPointId);
    if (!kind.archived) return kind;
    throw new Refused('realm-point-archived', { realmPointId: kind.id, kind: kind.name });
  }

  #findDefaultKind(): PointKind {
    const kind = this.kinds.values().find(({ isDefault }) => isDefault);
    if (!kind) throw new Error(`realm ${this.realmId} has no default kind of points`);
    this.#defaultKindId = kind.id;
    return kind;
  }

  /** Sorted, because kinds created in this batch come last in the table. */
  sortedKinds(): PointKind[] {
    return [...this.kinds.values()].sort((a, b) => compareText(a.id, b.id));
  }

  /** Undefined for an id that was never a member's. */
  status(memberId: string): MemberStatus | undefined {
    return this.members.get(memberId)?.status ?? this.states.get(memberId)?.status;
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

  /** Assigns a member id that was never used. */
  assignMemberId(): string {
    const ids = this.facts.freeMemberIds;
    const before = this.#nextFree;
    let next = before;
    while (ids[next] !== undefined && this.status(ids[next] ?? '') !== undefined) next += 1;
    // Ids in use before what is undone are skipped for good; those used since are free again.
    const start = this.undo.length;
    this.undo.push((savepoint) => {
      this.#nextFree = start === savepoint ? next : before;
    });
    this.#nextFree = next + 1;
    const free = ids[next];
    if (free === undefined) throw new Refused('member-ids-exhausted');
    this.realm = { ...this.realm, nextMemberId: String(BigInt(free) + 1n) };
    return free;
  }

  recordAt(seq: number): JournalRecord | UnsealedRecord | undefined {
    return this.#records.get(seq) ?? this.#unsealed[seq - this.#end.seq - 1];
  }

  movementAt(seq: number): Movement | null {
    const record = this.recordAt(seq);
    if (record && 'hash' in record) return movementOf(record);
    return record && isMovement(record) ? record : null;
  }

  /** The changes of the whole batch, with its records sealed; null if there are none. */
  changes(): RealmChanges | null {
    const idempotencyRecords = this.idempotencyRecords.changes().flatMap(({ row }) => row ?? []);
    const challenges = this.challenges.changes();
    const isEmpty = this.#unsealed.length + idempotencyRecords.length + challenges.length === 0;
    if (this.#realm === null || isEmpty) return null;
    const records = seal(this.realmId, this.#end.head, this.#clock.lastAt, this.#unsealed);
    const last = records.at(-1);
    return {
      realm: last
        ? { ...this.#realm, seq: last.seq, head: last.hash, ...this.#clock }
        : this.#realm,
      isNewRealm: this.#end.seq === 0,
      records,
      reversals: this.reversals.changes(),
      holds: this.holds.changes(),
      offers: this.offers.changes(),
      claims: this.claims.changes(),
      claimants: this.claimants.changes(),
      erasures: this.erasures.changes(),
      enrolments: this.enrolments.changes(),
      kinds: this.kinds.changes(),
      assets: this.assets.changes(),
      webhooks: this.webhooks.changes(),
      members: this.members.changes(),
      accounts: this.accounts.changes(),
      wallets: this.wallets.changes(),
      apiKeys: this.apiKeys.changes(),
      people: this.people.changes(),
      challenges,
      idempotencyRecords,
      ...derive({
        facts: this.facts,
        at: this.#clock.lastAt,
        records: this.#unsealed,
        kinds: [...this.kinds.values()],
        members: this.members.changes(),
        balances: this.balances.changes(),
      }),
    };
  }
}
