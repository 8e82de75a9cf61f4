import type { DatabaseSync } from 'node:sqlite';
import {
  emptyFacts,
  type IdempotencyRecord,
  type Needs,
  type RealmFacts,
} from '../../domain/facts.ts';
import type { MemberStatus } from '../../domain/model.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { membersOf } from '../../domain/rules/postings.ts';
import { predictMember, type RealmCache } from '../realm-cache.ts';
import { prepare } from './database.ts';
import { preparePage } from './pages.ts';
import * as rows from './rows.ts';

interface IdempotencySqlRow {
  idempotency_key: string;
  fingerprint: string;
  at: number;
  seq: number | null;
  answer: string | null;
}

/** A member with one of its balances, or with none. */
type StandingSqlRow = [
  status: MemberStatus,
  realmPointId: string | null,
  balance: number,
  openHolds: number,
];

const finder =
  (db: DatabaseSync) =>
  <Row, Key extends string | number = string>(columns: string, from: string) =>
    prepare<Row, [string, Key]>(db, `SELECT ${columns} FROM ${from} = ?`);

/** The statements by which facts are found: each one a look-up by a whole primary key or index. */
function statements(db: DatabaseSync) {
  const find = finder(db);
  return {
    realm: prepare<rows.RealmSqlRow, [string]>(
      db,
      `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`,
    ),
    kinds: prepare<rows.PointKindSqlRow, [string]>(
      db,
      `SELECT ${rows.POINT_KIND_COLUMNS} FROM point_kinds
       WHERE realm_id = ? ORDER BY realm_point_id`,
    ),
    assets: prepare<rows.AssetSqlRow, [string]>(
      db,
      `SELECT ${rows.ASSET_COLUMNS} FROM assets WHERE realm_id = ? ORDER BY asset_id`,
    ),
    member: find<rows.MemberSqlRow>(rows.MEMBER_COLUMNS, by('members', 'member_id')),
    // One statement for both: every movement of points needs them, and a look-up costs 3 us.
    standing: preparePage<StandingSqlRow, [string, string]>(
      db,
      `SELECT status, realm_point_id, balance, open_holds
       FROM members m LEFT JOIN balances b ON b.realm_id = m.realm_id AND b.member_id = m.member_id
       WHERE m.realm_id = ? AND m.member_id = ?`,
    ),
    openHolds: find<rows.HoldSqlRow>(
      rows.HOLD_COLUMNS,
      `holds INDEXED BY holds_open WHERE status = 'open' AND realm_id = ? AND member_id`,
    ),
    hold: find<rows.HoldSqlRow, number>(rows.HOLD_COLUMNS, by('holds', 'hold_id')),
    accountsOf: find<rows.AccountSqlRow>(
      rows.ACCOUNT_COLUMNS,
      by('accounts INDEXED BY accounts_by_member', 'member_id'),
    ),
    account: find<rows.AccountSqlRow>(rows.ACCOUNT_COLUMNS, by('accounts', 'account_key')),
    ...walletStatements(db),
    apiKey: find<rows.ApiKeySqlRow>(rows.API_KEY_COLUMNS, by('api_keys', 'key_id')),
    idempotencyRecords: find<IdempotencySqlRow>(
      'idempotency_key, fingerprint, at, seq, answer',
      by('idempotency_keys', 'idempotency_key'),
    ),
    record: find<JournalRecord, number>(rows.JOURNAL_COLUMNS, by('journal', 'seq')),
    reversed: find<{ seq: number; tokens: number; by: number }, number>(
      'seq, tokens, by_seq AS by',
      by('reversed', 'seq'),
    ),
    isMember: find<{ found: number }>('1 AS found', by('members', 'member_id')),
  };
}

/** Wallets, and what members were asked to sign for them. */
function walletStatements(db: DatabaseSync) {
  const find = finder(db);
  return {
    walletsOf: find<rows.WalletSqlRow>(
      rows.WALLET_COLUMNS,
      by('wallets INDEXED BY wallets_by_member', 'member_id'),
    ),
    wallet: find<rows.WalletSqlRow>(rows.WALLET_COLUMNS, by('wallets', 'wallet_key')),
    challenge: find<rows.ChallengeSqlRow>(rows.CHALLENGE_COLUMNS, by('challenges', 'nonce')),
    unusedChallenges: find<rows.ChallengeSqlRow>(
      rows.CHALLENGE_COLUMNS,
      `challenges INDEXED BY challenges_unused
       WHERE used_at IS NULL AND realm_id = ? AND member_id`,
    ),
  };
}

const by = (table: string, key: string): string => `${table} WHERE realm_id = ? AND ${key}`;

export type FactLoader = (needs: Needs) => RealmFacts;

export function factLoader(db: DatabaseSync, cache: RealmCache): FactLoader {
  const find = statements(db);
  return (needs) => {
    const { realmId } = needs;
    const facts = emptyFacts(realmId);
    const realm = find.realm.get(realmId);
    if (!realm) return facts;
    facts.realm = rows.realmRowOf(realm);
    const known = cache.validFor(facts.realm);
    facts.kinds = known?.kinds ?? find.kinds.all(realmId).map(rows.kindOf);
    if (needs.assets) facts.assets = find.assets.all(realmId).map(rows.assetOf);
    for (const key of needs.idempotencyKeys) loadIdempotencyKey(find, facts, key);
    const spokenOf = loadSpokenOf(find, facts, needs);
    const members = new Set([...needs.members, ...needs.profiles, ...spokenOf]);
    let isLearnt = known !== null;
    for (const memberId of members) {
      if (known && predictMember(known, facts, memberId)) continue;
      loadStanding(find, facts, memberId);
      isLearnt = false;
    }
    if (!isLearnt) cache.store([facts]);
    for (const memberId of needs.profiles) loadProfile(find, facts, memberId);
    loadHolders(find, facts, needs);
    if (needs.idsToAssign > 0) {
      // An id enrolled meanwhile may be one that we would assign, so that many more must be free.
      facts.freeMemberIds = freeMemberIds(find, facts.realm, needs.idsToAssign + needs.idsToEnrol);
    }
    return facts;
  };
}

type Find = ReturnType<typeof statements>;

function loadStanding(find: Find, facts: RealmFacts, memberId: string): void {
  const found = find.standing(facts.realmId, memberId);
  if (!found[0]) return;
  facts.statuses.push({ memberId, status: found[0][0] });
  let allHolds = 0;
  for (const [, realmPointId, balance, openHolds] of found) {
    if (realmPointId === null) continue;
    facts.balances.push({ memberId, realmPointId, balance, openHolds });
    allHolds += openHolds;
  }
  if (allHolds === 0) return;
  for (const hold of find.openHolds.all(facts.realmId, memberId)) {
    facts.holds.push(rows.holdOf(hold));
  }
}

function loadProfile(find: Find, facts: RealmFacts, memberId: string): void {
  const member = find.member.get(facts.realmId, memberId);
  if (member) facts.members.push(rows.memberOf(member));
  for (const row of find.accountsOf.all(facts.realmId, memberId)) {
    facts.accounts.push(rows.accountOf(row));
  }
  for (const row of find.walletsOf.all(facts.realmId, memberId)) {
    facts.wallets.push(rows.walletOf(row));
  }
}

function loadIdempotencyKey(find: Find, facts: RealmFacts, key: string): void {
  const row = find.idempotencyRecords.get(facts.realmId, key);
  if (!row) return;
  facts.idempotencyRecords.push({ ...row, key: row.idempotency_key } as IdempotencyRecord);
  const record = row.seq === null ? undefined : find.record.get(facts.realmId, row.seq);
  if (record) facts.records.push(record);
}

/** Records and holds come first: they name the members to load. */
function loadSpokenOf(find: Find, facts: RealmFacts, needs: Needs): string[] {
  const members: string[] = [];
  for (const seq of needs.records) {
    const record = find.record.get(facts.realmId, seq);
    if (!record) continue;
    facts.records.push(record);
    members.push(...membersOf(record));
    const reversed = find.reversed.get(facts.realmId, seq);
    if (reversed) facts.reversed.push(reversed);
  }
  for (const id of needs.holds) {
    const row = find.hold.get(facts.realmId, id);
    if (!row) continue;
    facts.holds.push(rows.holdOf(row));
    members.push(row.member_id);
  }
  return members;
}

function loadHolders(find: Find, facts: RealmFacts, needs: Needs): void {
  for (const key of needs.accounts) {
    const row = find.account.get(facts.realmId, key);
    if (row) facts.accounts.push(rows.accountOf(row));
  }
  for (const key of needs.wallets) {
    const row = find.wallet.get(facts.realmId, key);
    if (row) facts.wallets.push(rows.walletOf(row));
  }
  for (const keyId of needs.apiKeys) {
    const row = find.apiKey.get(facts.realmId, keyId);
    if (row) facts.apiKeys.push(rows.apiKeyOf(row));
  }
  for (const memberId of needs.challengesOf) {
    facts.challenges.push(...find.unusedChallenges.all(facts.realmId, memberId));
  }
  for (const nonce of needs.challenges) {
    const row = find.challenge.get(facts.realmId, nonce);
    if (row) facts.challenges.push(row);
  }
}

function freeMemberIds(
  find: Find,
  realm: { id: string; nextMemberId: string },
  count: number,
): string[] {
  const free: string[] = [];
  for (let id = BigInt(realm.nextMemberId); free.length < count && id < 2n ** 63n; id += 1n) {
    if (!find.isMember.get(realm.id, String(id))) free.push(String(id));
  }
  return free;
}
