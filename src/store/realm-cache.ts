import type { Balance, Needs, RealmChanges, RealmFacts } from '../domain/facts.ts';
import type { MemberStatus, PointKind, RealmRow } from '../domain/model.ts';
import { emptyFacts, needsOnly } from '../domain/rules/needs.ts';

/**
 * Facts of a realm are predicted only after this many batches in a row found it unchanged. Where
 * several nodes write to one realm, most predictions would be wrong.
 */
const MIN_HITS = 8;
/** Realms, kinds, members and balances, about 200 bytes each. Beyond this the cache is cleared. */
const MAX_ROWS = 200_000;

interface CachedMember {
  status: MemberStatus;
  /** By `realmPointId`. */
  balances: Map<string, Balance>;
}

interface CachedRealm {
  /** As of this writer's last batch, which may still be in flight. */
  realm: RealmRow;
  kinds: PointKind[];
  members: Map<string, CachedMember>;
  /** How many reads in a row found the realm as this writer had left it. */
  hits: number;
}

/**
 * What a writer knows of realms: the facts it has read, updated with the changes it has written.
 * It is safe to decide by it, since
 *
 * 1. everything in it changes only together with a record of the realm's journal, so a realm whose
 *    `seq` and `head` are the cached ones is as it is cached;
 * 2. both are compared under the realm's lock before anything decided by it is written;
 * 3. facts that it does not hold are never predicted, and idempotency keys are always looked up.
 */
export class RealmCache {
  readonly #realms = new Map<string, CachedRealm>();
  #rows = 0;

  /** The cached realm, unless another writer has changed it since. */
  validFor({ id, seq, head }: Pick<RealmRow, 'id' | 'seq' | 'head'>): CachedRealm | null {
    const cached = this.#realms.get(id);
    return cached && cached.realm.seq === seq && cached.realm.head === head ? cached : null;
  }

  /** The facts as they are if no other writer intervened; null unless all of them are cached. */
  predict(needs: readonly Needs[]): RealmFacts[] | null {
    const predicted: RealmFacts[] = [];
    for (const each of needs) {
      const facts = this.#predictRealm(each);
      if (!facts) return null;
      predicted.push(facts);
    }
    return predicted;
  }

  /** Caches facts that were read under the realm's lock. */
  store(facts: readonly RealmFacts[]): void {
    if (this.#rows > MAX_ROWS) {
      this.#realms.clear();
      this.#rows = 0;
    }
    for (const each of facts) if (each.realm) this.#storeRealm(each, each.realm);
  }

  /** Updates cached facts with changes that are being written. */
  apply(changes: readonly RealmChanges[]): void {
    for (const { realm, kinds, balances, members } of changes) {
      const cached = this.#realms.get(realm.id);
      if (!cached) continue;
      if (kinds.length > 0) {
        this.#forgetRealm(realm.id);
        continue;
      }
      cached.realm = realm;
      for (const { row } of balances) if (row) this.#applyBalance(cached, row);
      for (const { key } of members) this.#forgetMember(cached, key);
    }
  }

  forget(realms: readonly { realmId: string }[]): void {
    for (const { realmId } of realms) this.#forgetRealm(realmId);
  }

  #predictRealm(needs: Needs): RealmFacts | null {
    const { realmId, members } = needs;
    const cached = this.#realms.get(realmId);
    if (!cached || cached.hits < MIN_HITS || !needsOnly(CACHEABLE_NEEDS, needs)) return null;
    const facts = { ...emptyFacts(realmId), realm: cached.realm, kinds: cached.kinds };
    for (const memberId of members) if (!predictMember(cached, facts, memberId)) return null;
    return facts;
  }

  #storeRealm(facts: RealmFacts, realm: RealmRow): void {
    let cached = this.validFor(realm);
    if (cached) cached.hits += 1;
    else {
      this.#forgetRealm(realm.id);
      cached = { realm, kinds: facts.kinds, members: new Map(), hits: 0 };
      this.#realms.set(realm.id, cached);
      this.#rows += 1 + facts.kinds.length;
    }
    for (const [memberId, member] of cacheableMembers(facts)) {
      this.#forgetMember(cached, memberId);
      cached.members.set(memberId, member);
      this.#rows += rowsOf(member);
    }
  }

  #applyBalance(cached: CachedRealm, row: Balance): void {
    const { memberId, realmPointId, openHolds } = row;
    if (openHolds > 0) this.#forgetMember(cached, memberId);
    const balances = cached.members.get(memberId)?.balances;
    if (!balances) return;
    if (!balances.has(realmPointId)) this.#rows += 1;
    balances.set(realmPointId, row);
  }

  #forgetRealm(realmId: string): void {
    const cached = this.#realms.get(realmId);
    if (!cached) return;
    for (const memberId of cached.members.keys()) this.#forgetMember(cached, memberId);
    this.#rows -= 1 + cached.kinds.length;
    this.#realms.delete(realmId);
  }

  #forgetMember(cached: CachedRealm, memberId: string): void {
    const member = cached.members.get(memberId);
    if (!member) return;
    this.#rows -= rowsOf(member);
    cached.members.delete(memberId);
  }
}

const rowsOf = ({ balances }: CachedMember): number => 1 + balances.size;

/** Adds a member's status and balances to the facts, if they are cached. */
export function predictMember(cached: CachedRealm, facts: RealmFacts, memberId: string): boolean {
  const member = cached.members.get(memberId);
  if (!member) return false;
  facts.statuses.push({ memberId, status: member.status });
  for (const balance of member.balances.values()) facts.balances.push(balance);
  return true;
}

/** Members without open holds: holds belong to the facts of a balance, and are not cached. */
function cacheableMembers({ statuses, balances }: RealmFacts): Map<string, CachedMember> {
  const members = new Map(
    statuses.map(({ memberId, status }) => [memberId, { status, balances: new Map() }]),
  );
  for (const balance of balances) {
    const { memberId, realmPointId, openHolds } = balance;
    if (openHolds > 0) members.delete(memberId);
    else members.get(memberId)?.balances.set(realmPointId, balance);
  }
  return members;
}

/**
 * The needs that do not prevent a prediction. Idempotency keys are looked up under the lock,
 * fingerprints matter only where a key was used, and `idsToEnrol` only where ids are assigned.
 */
const CACHEABLE_NEEDS: ReadonlySet<keyof Needs> = new Set([
  'realmId',
  'members',
  'idempotencyKeys',
  'fingerprints',
  'idsToEnrol',
]);
