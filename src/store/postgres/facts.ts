import { emptyFacts, type Needs, type RealmFacts } from '../../domain/facts.ts';
import { compare } from '../../domain/rules/books.ts';
import { referredMembers } from '../referred-members.ts';
import { decode } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import { type AddRow, FactQueries } from './fact-queries.ts';
import { find, type IdempotencyRow, type StandingRow } from './fact-statements.ts';

/**
 * Locks realms and loads the facts that their commands need, in one round trip. The locks come
 * first, and each statement sees what was committed when it began, so nothing is older than the
 * locks. Only records and holds that commands refer to cost a second round trip: they name members.
 */
export async function loadFacts(connection: Connection, needs: Needs[]): Promise<RealmFacts[]> {
  const inOrder = needs.toSorted((a, b) => byRealm(a.realmId, b.realmId));
  const facts = new Map(needs.map(({ realmId }) => [realmId, emptyFacts(realmId)]));
  const queries = new FactQueries(connection, inOrder, facts);
  const members = new Map(needs.map((one) => [one, new Set([...one.members, ...one.profiles])]));
  await Promise.all([
    queries.ofRealms(find.lock, inOrder, (one, realm) => {
      one.realm = realm;
    }),
    queries.ofRealms(find.kinds, inOrder, (one, kind) => one.kinds.push(kind)),
    queries.ofRealms(
      find.assets,
      inOrder.filter(({ assets }) => assets),
      (one, asset) => one.assets.push(asset),
    ),
    queries.lookUp(
      find.idempotencyRecords,
      ({ idempotencyKeys }) => idempotencyKeys,
      addIdempotencyRecord,
    ),
    queries.lookUp(find.standings, (one) => members.get(one) ?? [], standingAdder()),
    ...loadRows(queries),
    // Ids enrolled in the same batch may be among those to assign, so that many more must be free.
    queries.lookUp(
      find.freeIds,
      ({ idsToAssign, idsToEnrol }) => (idsToAssign > 0 ? [idsToAssign + idsToEnrol] : []),
      (one, { id }) => one.freeMemberIds.push(id),
    ),
  ]);
  const referred = (one: Needs) => {
    const loaded = members.get(one);
    const found = referredMembers(facts.get(one.realmId) as RealmFacts, one);
    return new Set(found.filter((id) => !loaded?.has(id)));
  };
  await queries.lookUp(find.standings, referred, standingAdder());
  return needs.map(({ realmId }) => facts.get(realmId) as RealmFacts);
}

/** A member is found once for each of its balances; its status is added once. */
function standingAdder(): AddRow<StandingRow> {
  let last: RealmFacts | null = null;
  let lastMember = '';
  return (facts, { memberId, status, realmPointId, balance, openHolds, holds }) => {
    if (memberId !== lastMember || facts !== last) facts.statuses.push({ memberId, status });
    [last, lastMember] = [facts, memberId];
    if (realmPointId === null) return;
    facts.balances.push({ memberId, realmPointId, balance, openHolds });
    for (const hold of holds ?? []) facts.holds.push(decode(tables.holds, hold));
  };
}

function addIdempotencyRecord(facts: RealmFacts, row: IdempotencyRow): void {
  facts.idempotencyRecords.push(decode(tables.idempotencyRecords, row));
  if (row.record) facts.records.push(decode(tables.records, row.record));
}

/** Facts that are whole rows of a table, each found by the keys of one of the needs. */
const loadRows = (queries: FactQueries): Promise<void>[] => [
  queries.rows(find.members, 'profiles', 'members'),
  queries.rows(find.accountsOf, 'profiles', 'accounts'),
  queries.rows(find.walletsOf, 'profiles', 'wallets'),
  queries.rows(find.accounts, 'accounts', 'accounts'),
  queries.rows(find.wallets, 'wallets', 'wallets'),
  queries.rows(find.apiKeys, 'apiKeys', 'apiKeys'),
  queries.rows(find.unusedChallengesOf, 'challengesOf', 'challenges'),
  queries.rows(find.challenges, 'challenges', 'challenges'),
  queries.rows(find.records, 'records', 'records'),
  queries.rows(find.reversals, 'records', 'reversals'),
  queries.rows(find.holds, 'holds', 'holds'),
];

/** The order in which realms are locked: any will do, as long as all nodes use the same. */
export const byRealm = compare;
