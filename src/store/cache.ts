import type { Balance, MemberState, RealmChanges, RealmFacts, Scores } from '../domain/facts.ts';
import type { PointKind, RealmRow } from '../domain/model.ts';
import type { Claimant, Offer } from '../domain/offer.ts';
import { claimantKey } from '../domain/rules/claimants.ts';

/** Of realms and all that is known of them: some 200 bytes each. Then it is cleared. */
const MAX_ROWS = 200_000;

interface CachedMember {
  state: MemberState;
  /** By `realmPointId`. */
  balances: Map<string, Balance>;
  /** By `realmPointId`; null if they were not read. */
  scores: Map<string, Scores> | null;
}

export interface CachedRealm {
  /** As of this writer's last batch, which may still be in flight. */
  realm: RealmRow;
  kinds: PointKind[];
  offers: Map<string, Offer>;
  /** By `claimantKey`. */
  claimants: Map<string, Claimant>;
  members: Map<string, CachedMember>;
}

/** Where a journal ends. */
export type Position = Pick<RealmRow, 'seq' | 'head'>;

/**
 * What a writer knows of realms: the facts it has read, updated with the changes it has written.
 * It is safe to decide by it: everything in it changes only together with a record of the realm's
 * journal, and the position of the journal is compared under the realm's lock. Facts that it does
 * not hold are read, and idempotency keys always are.
 */
export class RealmCache {
  readonly #realms = new Map<string, CachedRealm>();
  #rows = 0;

  get(realmId: string): CachedRealm | undefined {
    return this.#realms.get(realmId);
  }

  /** Caches facts that were read under the realm's lock. */
  store(facts: RealmFacts): void {
    const { realm } = facts;
    if (!realm) return;
    if (this.#rows > MAX_ROWS) {
      this.#realms.clear();
      this.#rows = 0;
    }
    let cached = this.#realms.get(realm.id);
    if (!cached) {
      const unknown = { offers: new Map(), claimants: new Map(), members: new Map() };
      cached = { realm, kinds: facts.kinds, ...unknown };
      this.#realms.set(realm.id, cached);
      this.#rows += 1 + facts.kinds.length;
    }
    for (const row of facts.offers) this.#put(cached.offers, row.id, row);
    for (const row of facts.claimants) this.#put(cached.claimants, claimantKey(row), row);
    for (const [memberId, member] of cacheableMembers(facts)) {
      this.#forgetMember(cached, memberId);
      cached.members.set(memberId, member);
      this.#rows += rowsOf(member);
    }
  }

  /** Updates cached facts with changes that are being written. */
  apply(changes: readonly RealmChanges[]): void {
    for (const { realm, kinds, offers, claimants, balances, members, scores } of changes) {
      const cached = this.#realms.get(realm.id);
      if (!cached) continue;
      if (kinds.length > 0) {
        this.forget(realm.id);
        continue;
      }
      cached.realm = realm;
      for (const { key, row } of offers) if (row) this.#put(cached.offers, key, row);
      for (const { key, row } of claimants) if (row) this.#put(cached.claimants, key, row);
      for (const { row } of balances) if (row) this.#applyBalance(cached, row);
      for (const { row } of scores) if (row) this.#applyScores(cached, row);
      for (const { key } of members) this.#forgetMember(cached, key);
    }
  }

  forget(realmId: string): void {
    const cached = this.#realms.get(realmId);
    if (!cached) return;
    for (const memberId of cached.members.keys()) this.#forgetMember(cached, memberId);
    const { kinds, offers, claimants } = cached;
    this.#rows -= 1 + kinds.length + offers.size + claimants.size;
    this.#realms.delete(realmId);
  }

  #put<Row>(rows: Map<string, Row>, key: string, row: Row): void {
    if (!rows.has(key)) this.#rows += 1;
    rows.set(key, row);
  }

  #applyBalance(cached: CachedRealm, row: Balance): void {
    const { memberId, realmPointId, openHolds } = row;
    if (openHolds > 0) this.#forgetMember(cached, memberId);
    const balances = cached.members.get(memberId)?.balances;
    if (balances) this.#put(balances, realmPointId, row);
  }

  #applyScores(cached: CachedRealm, row: Scores): void {
    const scores = cached.members.get(row.memberId)?.scores;
    if (scores) this.#put(scores, row.realmPointId, row);
  }

  #forgetMember(cached: CachedRealm, memberId: string): void {
    const member = cached.members.get(memberId);
    if (!member) return;
    this.#rows -= rowsOf(member);
    cached.members.delete(memberId);
  }
}

const rowsOf = ({ balances, scores }: CachedMember): number =>
  1 + balances.size + (scores?.size ?? 0);

/** Adds what is cached of a member to the facts; false if that is not all that is needed. */
export function addCached(
  cached: CachedRealm,
  facts: RealmFacts,
  memberId: string,
  needsScores: boolean,
): boolean {
  const member = cached.members.get(memberId);
  if (!member || (needsScores && !member.scores)) return false;
  facts.states.push(member.state);
  for (const balance of member.balances.values()) facts.balances.push(balance);
  if (!needsScores) return true;
  for (const row of member.scores?.values() ?? []) facts.scores.push(row);
  return true;
}

/** Members without open holds: holds belong to the facts of a balance, and are not cached. */
function cacheableMembers(facts: RealmFacts): Map<string, CachedMember> {
  const { states, balances, scores, scoresRead } = facts;
  const members = new Map<string, CachedMember>();
  for (const state of states) {
    const own = scoresRead.has(state.memberId) ? new Map<string, Scores>() : null;
    members.set(state.memberId, { state, balances: new Map(), scores: own });
  }
  for (const row of scores) members.get(row.memberId)?.scores?.set(row.realmPointId, row);
  for (const balance of balances) {
    const { memberId, realmPointId, openHolds } = balance;
    if (openHolds > 0) members.delete(memberId);
    else members.get(memberId)?.balances.set(realmPointId, balance);
  }
  return members;
}
