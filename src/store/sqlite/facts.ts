import type { DatabaseSync } from 'node:sqlite';
import type { Needs, RealmFacts, Reversal } from '../../domain/facts.ts';
import type { Hold, MemberStatus, RealmRow } from '../../domain/model.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { findFreeIds } from '../../domain/rules/member-ids.ts';
import { emptyFacts } from '../../domain/rules/needs.ts';
import { referredMembers } from '../../domain/rules/postings.ts';
import { predictMember, type RealmCache } from '../realm-cache.ts';
import type { SqlValue, Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { type RowStatement, rowByKey, rowsOf, statementsOn } from './rows.ts';

/** A member with one of its balances, or with none. */
type MemberBalanceRow = [
  status: MemberStatus,
  realmPointId: string | null,
  balance: number,
  held: string,
  openHolds: number,
];

/** The statements that load facts: each looks rows up by a primary key or an index. */
function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  const ofRealm = <Row>(table: Table<Row>, order: string) =>
    rowsOf(db, table).select<[string]>(`WHERE realm_id = ? ORDER BY ${order}`);
  const ofMember = <Row>(table: Table<Row>, index: string, condition = '') =>
    rowsOf(db, table).select<[string, string]>(
      `INDEXED BY ${index} WHERE ${condition} realm_id = ? AND member_id = ?`,
    );
  return {
    // Enough to tell whether the realm is as it is cached.
    position: sql.get<Pick<RealmRow, 'id' | 'seq' | 'head'>, [string]>(
      'SELECT realm_id AS id, seq, lower(hex(head)) AS head FROM realms WHERE realm_id = ?',
    ),
    realm: rowsOf(db, tables.realms).select<[string]>('WHERE realm_id = ?'),
    kinds: ofRealm(tables.kinds, 'realm_point_id'),
    assets: ofRealm(tables.assets, 'asset_id'),
    webhooks: ofRealm(tables.webhooks, 'webhook_id'),
    // One statement for both: every movement of points needs them, and a look-up costs 3 us.
    memberBalances: sql.page<MemberBalanceRow, [string, string]>(
      `SELECT status, realm_point_id, balance, CAST(held AS TEXT), open_holds
       FROM members m LEFT JOIN balances b ON b.realm_id = m.realm_id AND b.member_id = m.member_id
       WHERE m.realm_id = ? AND m.member_id = ?`,
    ),
    member: rowByKey(db, tables.members),
    account: rowByKey(db, tables.accounts),
    wallet: rowByKey(db, tables.wallets),
    challenge: rowByKey(db, tables.challenges),
    apiKey: rowByKey(db, tables.apiKeys),
    // Without the answer, which may be megabytes long and is seldom needed.
    idempotencyRecord: rowsOf(db, tables.idempotencyRecords).select<[string, string]>(
      'WHERE realm_id = ? AND idempotency_key = ?',
      `(SELECT realm_id, idempotency_key, fingerprint, at, seq,
          CASE WHEN answer IS NOT NULL THEN '' END AS answer FROM idempotency_keys)`,
    ),
    answer: sql.value<string, [string, string]>(
      'SELECT answer FROM idempotency_keys WHERE realm_id = ? AND idempotency_key = ?',
    ),
    record: rowByKey<JournalRecord, number>(db, tables.records),
    reversal: rowByKey<Reversal, number>(db, tables.reversals),
    hold: rowByKey<Hold, number>(db, tables.holds),
    accountsOf: ofMember(tables.accounts, 'accounts_by_member'),
    walletsOf: ofMember(tables.wallets, 'wallets_by_member'),
    openHoldsOf: ofMember(tables.holds, 'holds_open', "status = 'open' AND"),
    expiredHolds: rowsOf(db, tables.holds).select<[string, string, string, number]>(
      `INDEXED BY holds_open WHERE status = 'open'
         AND realm_id = ? AND member_id = ? AND realm_point_id = ? AND expires_at <= ?`,
    ),
    unusedChallengesOf: ofMember(tables.challenges, 'challenges_unused', 'used_at IS NULL AND'),
    isMember: sql.value<1, [string, string]>(
      'SELECT 1 FROM members WHERE realm_id = ? AND member_id = ?',
    ),
  };
}

type Find = ReturnType<typeof statements>;

export function factLoader(
  db: DatabaseSync,
  cache: RealmCache,
): (needs: Needs, now: number) => RealmFacts {
  const find = statements(db);
  return (needs, now) => {
    const { realmId } = needs;
    const facts = emptyFacts(realmId);
    const position = find.position(realmId);
    const known = position ? cache.validFor(position) : null;
    const realm = known?.realm ?? find.realm.get(realmId);
    if (!realm) return facts;
    facts.realm = realm;
    facts.kinds = known?.kinds ?? find.kinds.all(realmId);
    if (needs.assets) facts.assets = find.assets.all(realmId);
    if (needs.webhooks) facts.webhooks = find.webhooks.all(realmId);
    for (const key of needs.idempotencyKeys) loadIdempotencyRecord(find, facts, needs, key);
    loadRows(find, facts, needs);
    const members = needs.members.union(needs.profiles);
    if (needs.records.size + needs.holds.size > 0) {
      for (const memberId of referredMembers(facts, needs)) members.add(memberId);
    }
    let isCached = known !== null;
    for (const memberId of members) {
      if (known && predictMember(known, facts, memberId)) continue;
      loadMemberBalances(find, facts, memberId, now);
      isCached = false;
    }
    if (!isCached) cache.store([facts]);
    if (needs.idsToAssign > 0) {
      // Ids enrolled in this batch may be among those to assign, so as many more must be free.
      facts.freeMemberIds = freeMemberIds(find, realm, needs.idsToAssign + needs.idsToEnrol);
    }
    return facts;
  };
}

function loadIdempotencyRecord(
  find: Find,
  facts: RealmFacts,
  { realmId, fingerprints }: Needs,
  key: string,
): void {
  const found = find.idempotencyRecord.get(realmId, key);
  if (!found) return;
  facts.idempotencyRecords.push(found);
  // The record is needed in any case: its salt may be part of the fingerprint.
  if (found.answer === null) facts.records.push(...find.record.all(realmId, found.seq));
  else if (fingerprints.has(found.fingerprint)) found.answer = find.answer(realmId, key) ?? '';
}

/** Facts that are whole rows of a table, each found by the keys of one of the needs. */
function loadRows(find: Find, facts: RealmFacts, needs: Needs): void {
  const load = <Row, Key extends SqlValue>(
    keys: ReadonlySet<Key>,
    by: RowStatement<Row, [string, Key]>,
    rows: Row[],
  ): void => {
    for (const key of keys) rows.push(...by.all(facts.realmId, key));
  };
  load(needs.profiles, find.member, facts.members);
  load(needs.profiles, find.accountsOf, facts.accounts);
  load(needs.profiles, find.walletsOf, facts.wallets);
  load(needs.accounts, find.account, facts.accounts);
  load(needs.wallets, find.wallet, facts.wallets);
  load(needs.apiKeys, find.apiKey, facts.apiKeys);
  load(needs.challengesOf, find.unusedChallengesOf, facts.challenges);
  load(needs.challenges, find.challenge, facts.challenges);
  load(needs.records, find.record, facts.records);
  load(needs.records, find.reversal, facts.reversals);
  load(needs.holds, find.hold, facts.holds);
  load(needs.openHoldsOf, find.openHoldsOf, facts.holds);
}

function loadMemberBalances(find: Find, facts: RealmFacts, memberId: string, now: number): void {
  const { realmId } = facts;
  const found = find.memberBalances(realmId, memberId);
  if (!found[0]) return;
  facts.statuses.push({ memberId, status: found[0][0] });
  for (const [, realmPointId, balance, held, openHolds] of found) {
    if (realmPointId === null) continue;
    facts.balances.push({ memberId, realmPointId, balance, held, openHolds });
    if (openHolds === 0) continue;
    facts.holds.push(...find.expiredHolds.all(realmId, memberId, realmPointId, now));
  }
}

function freeMemberIds(find: Find, realm: RealmRow, count: number): string[] {
  const search = findFreeIds(realm.nextMemberId, count);
  let step = search.next();
  while (!step.done) {
    step = search.next(new Set(step.value.filter((id) => find.isMember(realm.id, id))));
  }
  return step.value;
}
