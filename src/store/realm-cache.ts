import {
  type Balance,
  emptyFacts,
  type Needs,
  type RealmChanges,
  type RealmFacts,
} from '../domain/facts.ts';
import type { MemberStatus, PointKind, RealmRow } from '../domain/model.ts';

/**
 * So many batches in a row must have found the realm as it was left before one is decided without a
 * look: where several nodes write to one realm, that would be in vain most of the time.
 */
const STEADY = 8;
/**
 * Realms, kinds, members and balances, some 200 bytes each. With more of them it begins anew: who
 * is active comes back soon.
 */
const MAX_ROWS = 200_000;

interface Standing {
  status: MemberStatus;
  /** By the kind of points. */
  balances: Map<string, Balance>;
}

export interface KnownRealm {
  /** As this writer left it, what is still being written included. */
  realm: RealmRow;
  kinds: PointKind[];
  standings: Map<string, Standing>;
  /** How many batches that read found the realm as the one before had left it, in a row. */
  steady: number;
}

/**
 * What a writer has read of realms and written to them since. All of it changes only together with
 * a record of the journal. So a realm whose journal still ends as it is remembered is as it is
 * remembered: its row tells, once nobody else can write. Nothing is written by memory before that.
 */
export class RealmCache {
  readonly #realms = new Map<string, KnownRealm>();
  #rows = 0;

  /** What is known of the realm, if nobody else wrote to it since. */
  validFor({ id, seq, head }: RealmRow): KnownRealm | null {
    const known = this.#realms.get(id);
    return known && known.realm.seq === seq && known.realm.head === head ? known : null;
  }

  /** The facts as they should still be, if every one that is needed is known. */
  predict(needs: readonly Needs[]): RealmFacts[] | null {
    const all: RealmFacts[] = [];
    for (const one of needs) {
      const facts = isPlain(one) ? this.#predictRealm(one) : null;
      if (!facts) return null;
      all.push(facts);
    }
    return all;
  }

  /** Takes note of what was read under the lock. */
  store(facts: readonly RealmFacts[]): void {
    if (this.#rows > MAX_ROWS) this.#forgetAll();
    for (const one of facts) if (one.realm) this.#storeRealm(one, one.realm);
  }

  /** Takes note of what is being written. */
  apply(changes: readonly RealmChanges[]): void {
    for (const change of changes) {
      const known = this.#realms.get(change.realm.id);
      if (!known) continue;
      if (change.kinds.length > 0) {
        this.#forgetRealm(change.realm.id);
        continue;
      }
      known.realm = change.realm;
      for (const { row } of change.balances) if (row) this.#applyBalance(known, row);
      for (const { key } of change.members) this.#forgetMember(known, key);
    }
  }

  forget(realms: readonly { realmId: string }[]): void {
    for (const { realmId } of realms) this.#forgetRealm(realmId);
  }

  #predictRealm({ realmId, members }: Needs): RealmFacts | null {
    const known = this.#realms.get(realmId);
    if (!known || known.steady < STEADY) return null;
    const facts = { ...emptyFacts(realmId), realm: known.realm, kinds: known.kinds };
    for (const memberId of members) if (!predictMember(known, facts, memberId)) return null;
    return facts;
  }

  #storeRealm(facts: RealmFacts, realm: RealmRow): void {
    const before = this.validFor(realm);
    const known = before ?? this.#begin(facts, realm);
    if (before) known.steady += 1;
    for (const [memberId, standing] of standingsIn(facts)) {
      this.#forgetMember(known, memberId);
      known.standings.set(memberId, standing);
      this.#rows += rowsOf(standing);
    }
  }

  #begin({ kinds }: RealmFacts, realm: RealmRow): KnownRealm {
    this.#forgetRealm(realm.id);
    const known = { realm, kinds, standings: new Map<string, Standing>(), steady: 0 };
    this.#realms.set(realm.id, known);
    this.#rows += 1 + kinds.length;
    return known;
  }

  #applyBalance(known: KnownRealm, row: Balance): void {
    const standing = known.standings.get(row.memberId);
    if (!standing) return;
    // Open holds come with their balances, and are not kept here.
    if (row.openHolds > 0) return void this.#forgetMember(known, row.memberId);
    this.#rows -= rowsOf(standing);
    standing.balances.set(row.realmPointId, row);
    this.#rows += rowsOf(standing);
  }

  #forgetRealm(realmId: string): void {
    const known = this.#realms.get(realmId);
    if (!known) return;
    for (const memberId of known.standings.keys()) this.#forgetMember(known, memberId);
    this.#rows -= 1 + known.kinds.length;
    this.#realms.delete(realmId);
  }

  #forgetMember(known: KnownRealm, memberId: string): void {
    const standing = known.standings.get(memberId);
    if (!standing) return;
    this.#rows -= rowsOf(standing);
    known.standings.delete(memberId);
  }

  #forgetAll(): void {
    this.#realms.clear();
    this.#rows = 0;
  }
}

const rowsOf = ({ balances }: Standing): number => 1 + balances.size;

/** Adds how a member stood to the facts; answers whether that is known. */
export function predictMember(known: KnownRealm, facts: RealmFacts, memberId: string): boolean {
  const standing = known.standings.get(memberId);
  if (!standing) return false;
  facts.statuses.push({ memberId, status: standing.status });
  for (const balance of standing.balances.values()) facts.balances.push(balance);
  return true;
}

/** How members stood; not those with open holds, which come with their balances. */
function standingsIn({ statuses, balances }: RealmFacts): Map<string, Standing> {
  const standings = new Map(
    statuses.map(({ memberId, status }) => [memberId, { status, balances: new Map() }]),
  );
  for (const balance of balances) {
    const { memberId, realmPointId, openHolds } = balance;
    if (openHolds > 0) standings.delete(memberId);
    else standings.get(memberId)?.balances.set(realmPointId, balance);
  }
  return standings;
}

/** Whether the standing of members is all that its commands must know, besides their keys. */
function isPlain(needs: Needs): boolean {
  const { profiles, accounts, wallets, apiKeys, challenges, challengesOf, records, holds } = needs;
  const others = [profiles, accounts, wallets, apiKeys, challenges, challengesOf, records, holds];
  return !needs.assets && needs.idsToAssign === 0 && others.every(({ size }) => size === 0);
}
