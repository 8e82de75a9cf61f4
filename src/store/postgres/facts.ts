import {
  emptyFacts,
  type IdempotencyRecord,
  type Needs,
  type RealmFacts,
} from '../../domain/facts.ts';
import { compare } from '../../domain/rules/books.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { membersOf } from '../../domain/rules/postings.ts';
import type { Connection } from './connection.ts';
import { Asking, type Take } from './fact-queries.ts';
import { find, type IdempotencySqlRow, type StandingSqlRow } from './fact-statements.ts';
import * as rows from './rows.ts';

/**
 * Locks realms and loads what their commands must know. All of it is asked at once, for one round
 * of the connection; the locks come first, and each statement sees what was committed when it
 * began, so nothing is older than the locks. Only records and holds that commands speak of cost
 * another round: they name their members.
 */
export async function loadFacts(connection: Connection, needs: Needs[]): Promise<RealmFacts[]> {
  const inOrder = needs.toSorted((a, b) => byRealm(a.realmId, b.realmId));
  const facts = new Map(needs.map(({ realmId }) => [realmId, emptyFacts(realmId)]));
  const asking = new Asking(connection, inOrder, facts);
  const members = new Map(needs.map((one) => [one, new Set([...one.members, ...one.profiles])]));
  await Promise.all([
    asking.ofRealms(find.lock, inOrder, (fact, row) => {
      fact.realm = rows.realmRowOf(row);
    }),
    asking.ofRealms(find.kinds, inOrder, (fact, row) => fact.kinds.push(rows.kindOf(row))),
    asking.ofRealms(
      find.assets,
      inOrder.filter(({ assets }) => assets),
      (fact, row) => fact.assets.push(rows.assetOf(row)),
    ),
    asking.for(
      find.idempotencyRecords,
      ({ idempotencyKeys }) => idempotencyKeys,
      takeIdempotencyKey,
    ),
    asking.for(find.standings, (one) => members.get(one) ?? [], standingTaker()),
    ...profiles(asking),
    ...holders(asking),
    // An id enrolled meanwhile may be one that we would assign, so that many more must be free.
    asking.for(
      find.freeIds,
      ({ idsToAssign, idsToEnrol }) => (idsToAssign > 0 ? [idsToAssign + idsToEnrol] : []),
      (fact, { id }) => fact.freeMemberIds.push(id),
    ),
    asking.for(find.records, ({ records }) => records, takeRecord),
    asking.for(
      find.reversed,
      ({ records }) => records,
      (fact, { seq, tokens, by }) => fact.reversed.push({ seq, tokens, by }),
    ),
    asking.for(
      find.holds,
      ({ holds }) => holds,
      (fact, row) => fact.holds.push(rows.holdOf(row)),
    ),
  ]);
  const spokenOf = (one: Needs) => {
    const known = members.get(one);
    const named = membersSpokenOf(facts.get(one.realmId) as RealmFacts, one);
    return new Set(named.filter((id) => !known?.has(id)));
  };
  await asking.for(find.standings, spokenOf, standingTaker());
  return needs.map(({ realmId }) => facts.get(realmId) as RealmFacts);
}

/** A member comes once for each of its balances; its status counts once. */
function standingTaker(): Take<StandingSqlRow> {
  let last: RealmFacts | null = null;
  let lastMember = '';
  return (
    facts,
    { member_id: memberId, status, realm_point_id: realmPointId, balance, open_holds, holds },
  ) => {
    if (memberId !== lastMember || facts !== last) facts.statuses.push({ memberId, status });
    [last, lastMember] = [facts, memberId];
    if (realmPointId === null) return;
    facts.balances.push({ memberId, realmPointId, balance, openHolds: open_holds });
    for (const hold of holds ?? []) facts.holds.push(rows.holdOf(hold));
  };
}

function takeIdempotencyKey(facts: RealmFacts, row: IdempotencySqlRow): void {
  const { key, fingerprint, at, seq, answer, record } = row;
  facts.idempotencyRecords.push({ key, fingerprint, at, seq, answer } as IdempotencyRecord);
  if (record) facts.records.push(record);
}

function takeRecord(facts: RealmFacts, { seq, type, at, actor, data, hash }: JournalRecord): void {
  facts.records.push({ seq, type, at, actor, data, hash });
}

function profiles(asking: Asking): Promise<void>[] {
  const ids = ({ profiles }: Needs) => profiles;
  return [
    asking.for(find.members, ids, (facts, row) => facts.members.push(rows.memberOf(row))),
    asking.for(find.accountsOf, ids, (facts, row) => facts.accounts.push(rows.accountOf(row))),
    asking.for(find.walletsOf, ids, (facts, row) => facts.wallets.push(rows.walletOf(row))),
  ];
}

function holders(asking: Asking): Promise<void>[] {
  const takeAccount: Take<rows.AccountSqlRow> = (facts, row) =>
    facts.accounts.push(rows.accountOf(row));
  const takeWallet: Take<rows.WalletSqlRow> = (facts, row) =>
    facts.wallets.push(rows.walletOf(row));
  const takeKey: Take<rows.ApiKeySqlRow> = (facts, row) => facts.apiKeys.push(rows.apiKeyOf(row));
  return [
    asking.for(find.unusedChallenges, ({ challengesOf }) => challengesOf, takeChallenge),
    asking.for(find.challenges, ({ challenges }) => challenges, takeChallenge),
    asking.for(find.accounts, ({ accounts }) => accounts, takeAccount),
    asking.for(find.wallets, ({ wallets }) => wallets, takeWallet),
    asking.for(find.apiKeys, ({ apiKeys }) => apiKeys, takeKey),
  ];
}

function takeChallenge(
  facts: RealmFacts,
  { realm_id: _, ...challenge }: rows.ChallengeSqlRow & { realm_id: string },
): void {
  facts.challenges.push(challenge);
}

function membersSpokenOf({ records, holds }: RealmFacts, needs: Needs): string[] {
  const spokenOf = records.filter(({ seq }) => needs.records.has(seq));
  return [
    ...spokenOf.flatMap(membersOf),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}

/** The order in which realms are locked: any would do, if only all nodes take the same. */
export const byRealm = compare;
