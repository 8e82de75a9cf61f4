import type { RealmFacts } from '../domain/facts.ts';
import type { Decision } from '../domain/rules/decide.ts';
import { findFreeIds } from '../domain/rules/member-ids.ts';
import {
  emptyFacts,
  type Needs,
  referredClaimants,
  referredMembers,
  referredOffers,
} from '../domain/rules/needs.ts';
import type { Batch } from '../ledger/store.ts';
import { addCached, type CachedRealm, type Position, type RealmCache } from './cache.ts';
import { find, type MemberBalance } from './fact-look-ups.ts';
import {
  type Ask,
  all,
  askRows,
  type LookUp,
  type OfRealm,
  type Operation,
  type Params,
} from './statement.ts';
import type { SqlValue } from './table.ts';

interface Loading {
  needs: Needs;
  facts: RealmFacts;
  /** What is known of it, until the lock shows that it has changed. */
  cached: CachedRealm | undefined;
  /** Members of whom something is read, offers and counts of claims. */
  missing: Set<string>;
  missingOffers: Set<string>;
  missingClaimants: Set<string>;
}

interface Load {
  asked: Ask;
  add: (loading: Loading, row: never) => void;
}

/** The first half of a commit: locks the realms of a batch, reads the facts and decides. */
export function* decideBatch(batch: Batch, cache: RealmCache): Operation<Decision> {
  const now = batch.clock();
  const facts = yield* loadFacts(batch.needs, now, cache);
  const decision = batch.decide(facts, now);
  cache.apply(decision.changes);
  return decision;
}

/**
 * Locks realms, in the order of their needs, and reads the facts that their commands need. The
 * locks come first, and each statement sees what was committed when it began, so nothing is older
 * than the locks. What a realm is cached with is true if its journal ends as cached.
 */
function* loadFacts(
  needs: readonly Needs[],
  now: number,
  cache: RealmCache,
): Operation<RealmFacts[]> {
  const loadings = needs.map((each) => loadingOf(each, cache.get(each.realmId)));
  const positions = new Map<string, Position>();
  const locks = load(
    loadings,
    find.position,
    ({ facts }) => [facts.realmId],
    ({ facts }, position) => positions.set(facts.realmId, position),
  );
  yield* read(loadings, [...locks, ...loadsOf(loadings)]);
  const isStale = ({ facts, cached }: Loading): boolean =>
    cached !== undefined && !isAt(positions.get(facts.realmId), cached.realm);
  const current: Loading[] = [];
  const stale: Loading[] = [];
  for (const loading of loadings) (isStale(loading) ? stale : current).push(loading);
  for (const { facts } of stale) cache.forget(facts.realmId);
  const reloaded = stale.map(({ needs: each }) => loadingOf(each, undefined));
  if (reloaded.length > 0) yield* read(reloaded, loadsOf(reloaded));
  const loaded = [...current, ...reloaded];
  yield* loadReferred(loaded, now);
  for (const { facts, missing, missingOffers, missingClaimants, cached } of loaded) {
    const read = missing.size + missingOffers.size + missingClaimants.size;
    if (read > 0 || !cached) cache.store(facts);
  }
  for (const one of loaded) if (one.needs.idsToAssign > 0) yield* loadFreeIds(one);
  return loaded.map(({ facts }) => facts);
}

const isAt = (position: Position | undefined, { seq, head }: Position): boolean =>
  position?.seq === seq && position.head === head;

function loadingOf(needs: Needs, cached: CachedRealm | undefined): Loading {
  const facts = emptyFacts(needs.realmId);
  const missing = new Set<string>();
  if (cached) {
    facts.realm = cached.realm;
    facts.kinds = cached.kinds;
  }
  for (const memberId of needs.members.union(needs.profiles)) {
    const needsScores = needs.scoresOf.has(memberId);
    if (!cached || !addCached(cached, facts, memberId, needsScores)) missing.add(memberId);
    if (needsScores) facts.scoresRead.add(memberId);
  }
  const missingOffers = addKnown(cached?.offers, facts.offers, needs.offers);
  const missingClaimants = addKnown(cached?.claimants, facts.claimants, needs.claimants);
  return { needs, facts, cached, missing, missingOffers, missingClaimants };
}

/** Adds the rows that are cached, and returns the keys of the others. */
function addKnown<Row>(
  cached: ReadonlyMap<string, Row> | undefined,
  rows: Row[],
  keys: ReadonlySet<string>,
): Set<string> {
  const missing = new Set<string>();
  for (const key of keys) {
    const row = cached?.get(key);
    if (row) rows.push(row);
    else missing.add(key);
  }
  return missing;
}

/** Asks for all of these at once, in this order. */
function* read(loadings: readonly Loading[], loads: readonly Load[]): Operation<void> {
  const byId = new Map(loadings.map((one) => [one.facts.realmId, one]));
  const results = (yield loads.map(({ asked }) => asked)) as OfRealm<never>[][];
  loads.forEach(({ add }, index) => {
    for (const { realmId, row } of results[index] ?? []) {
      const loading = byId.get(realmId);
      if (loading) add(loading, row);
    }
  });
}

/** Everything that needs can name, without that which has no keys. */
function loadsOf(loadings: readonly Loading[]): Load[] {
  const uncached = ({ cached, facts }: Loading) => (cached ? [] : [facts.realmId]);
  const ifNeeded = (name: 'assets' | 'webhooks' | 'memberCount') => (one: Loading) =>
    one.needs[name] ? [one.facts.realmId] : [];
  const keysIn = (name: KeysNeeded) => (one: Loading) => one.needs[name];
  const scoresOf = ({ needs, missing }: Loading) => needs.scoresOf.intersection(missing);
  const rows = rowsFor(loadings);
  return [
    load(loadings, find.realm, uncached, ({ facts }, realm) => {
      facts.realm = realm;
    }),
    rows(find.kinds, 'kinds', uncached),
    rows(find.assets, 'assets', ifNeeded('assets')),
    rows(find.webhooks, 'webhooks', ifNeeded('webhooks')),
    rows(find.idempotencyRecords, 'idempotencyRecords', keysIn('idempotencyKeys')),
    load(loadings, find.members, ({ missing }) => missing, addMember),
    rows(find.scores, 'scores', scoresOf),
    rows(find.profiles, 'members', keysIn('profiles')),
    rows(find.accountsOf, 'accounts', keysIn('profiles')),
    rows(find.walletsOf, 'wallets', keysIn('profiles')),
    rows(find.accounts, 'accounts', keysIn('accounts')),
    rows(find.wallets, 'wallets', keysIn('wallets')),
    rows(find.apiKeys, 'apiKeys', keysIn('apiKeys')),
    rows(find.people, 'people', keysIn('people')),
    rows(find.unusedChallenges, 'challenges', keysIn('challengesOf')),
    rows(find.challenges, 'challenges', keysIn('challenges')),
    rows(find.records, 'records', keysIn('records')),
    rows(find.reversals, 'reversals', keysIn('records')),
    rows(find.holds, 'holds', keysIn('holds')),
    rows(find.openHolds, 'holds', keysIn('openHoldsOf')),
    rows(find.offers, 'offers', ({ missingOffers }) => missingOffers),
    rows(find.claims, 'claims', keysIn('claims')),
    rows(find.claimants, 'claimants', ({ missingClaimants }) => missingClaimants),
    load(loadings, find.memberCount, ifNeeded('memberCount'), ({ facts }, count) => {
      facts.memberCount = count;
    }),
  ].flat();
}

/** Looks up whole rows. */
const rowsFor =
  (loadings: readonly Loading[]) =>
  <Name extends RowFact>(
    which: LookUp<RealmFacts[Name][number]>,
    fact: Name,
    keys: (loading: Loading) => Iterable<SqlValue>,
  ) =>
    load(loadings, which, keys, ({ facts }, row) => (facts[fact] as (typeof row)[]).push(row));

/** The facts that are whole rows of a table. */
type RowFact = {
  [Name in keyof RealmFacts]: RealmFacts[Name] extends object[] ? Name : never;
}[keyof RealmFacts];
type KeysNeeded = {
  [Name in keyof Needs]: Needs[Name] extends Set<SqlValue> ? Name : never;
}[keyof Needs];

/** None if there is nothing to look up. */
function load<Row>(
  loadings: readonly Loading[],
  which: LookUp<Row>,
  keysOf: (loading: Loading) => Iterable<SqlValue>,
  add: (loading: Loading, row: Row) => void,
  params: Params = {},
): Load[] {
  const realmIds: string[] = [];
  const keys: SqlValue[] = [];
  for (const loading of loadings) {
    for (const key of keysOf(loading)) {
      realmIds.push(loading.facts.realmId);
      keys.push(key);
    }
  }
  return keys.length === 0 ? [] : [{ asked: askRows(which, realmIds, keys, params), add }];
}

/** A member is found once for each of its balances; its state is added once. */
function addMember({ facts }: Loading, { state, balance }: MemberBalance): void {
  if (facts.states.at(-1)?.memberId !== state.memberId) facts.states.push(state);
  if (balance) facts.balances.push(balance);
}

/**
 * What the first facts refer to: the members of records and holds, the offers of claims and who
 * has claimed them, the records of answers, and the holds on balances that have expired without a
 * record of it.
 */
function* loadReferred(loadings: readonly Loading[], now: number): Operation<void> {
  for (const one of loadings) {
    const { cached, facts } = one;
    const missing = addKnown(cached?.offers, facts.offers, referredOffers(facts));
    for (const offerId of missing) one.missingOffers.add(offerId);
  }
  const rows = rowsFor(loadings);
  const more = [
    load(loadings, find.members, unknownReferred, addMember),
    rows(find.scores, 'scores', unscoredReferred),
    rows(find.records, 'records', answeringRecords),
    rows(find.offers, 'offers', ({ facts }) => referredOffers(facts)),
    rows(find.claimants, 'claimants', ({ facts, needs }) => referredClaimants(facts, needs)),
  ].flat();
  if (more.length > 0) yield* read(loadings, more);
  const held = load(loadings, find.expiredHolds, membersWithHolds, addHold, { now });
  if (held.length > 0) yield* read(loadings, held);
}

const referredIn = ({ needs, facts }: Loading): Set<string> =>
  new Set(needs.records.size + needs.holds.size === 0 ? [] : referredMembers(facts, needs));

const unknownReferred = (loading: Loading): Set<string> =>
  referredIn(loading).difference(new Set(loading.facts.states.map(({ memberId }) => memberId)));

/** A reversal may take back what they earned. */
function unscoredReferred(loading: Loading): Set<string> {
  const { scoresRead } = loading.facts;
  const unscored = referredIn(loading).difference(scoresRead);
  for (const memberId of unscored) scoresRead.add(memberId);
  return unscored;
}

const answeringRecords = ({ facts }: Loading): number[] =>
  facts.idempotencyRecords.flatMap(({ answer, seq }) => (answer === null ? [seq] : []));

const membersWithHolds = ({ facts }: Loading): Set<string> =>
  new Set(facts.balances.flatMap(({ openHolds, memberId }) => (openHolds > 0 ? [memberId] : [])));

/** A hold may have been asked for by its id, too. */
function addHold({ facts }: Loading, hold: RealmFacts['holds'][number]): void {
  if (facts.holds.every(({ id }) => id !== hold.id)) facts.holds.push(hold);
}

/** Ids enrolled in the same batch may be among those to assign, so as many more must be free. */
function* loadFreeIds({ needs, facts }: Loading): Operation<void> {
  if (!facts.realm) return;
  const { realmId, idsToAssign, idsToEnrol } = needs;
  const search = findFreeIds(facts.realm.nextMemberId, idsToAssign + idsToEnrol);
  let step = search.next();
  while (!step.done) {
    const used = yield* all(find.usedIds, { realmId, ids: step.value });
    step = search.next(new Set(used.map(({ id }) => id)));
  }
  facts.freeMemberIds = step.value;
}
