import type { DatabaseSync } from 'node:sqlite';
import type { Needs, RealmFacts, Remembered } from '../../domain/facts.ts';
import type { JournalRecord } from '../../domain/journal.rules.ts';
import { prepare } from './database.ts';
import * as rows from './rows.ts';

interface RememberedSqlRow {
  idempotency_key: string;
  fingerprint: string;
  at: number;
  seq: number | null;
  answer: string | null;
}

interface BalanceSqlRow {
  point_id: string;
  balance: number;
}

/** The statements by which facts are found: each one a look-up by a whole primary key or index. */
function statements(db: DatabaseSync) {
  const find = <Row, Key extends string | number = string>(columns: string, from: string) =>
    prepare<Row, [string, Key]>(db, `SELECT ${columns} FROM ${from} = ?`);
  return {
    realm: prepare<rows.RealmSqlRow, [string]>(
      db,
      `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`,
    ),
    kinds: prepare<rows.PointSqlRow, [string]>(
      db,
      `SELECT ${rows.POINT_COLUMNS} FROM points WHERE realm_id = ? ORDER BY point_id`,
    ),
    member: find<rows.MemberSqlRow>(rows.MEMBER_COLUMNS, by('members', 'member_id')),
    balances: find<BalanceSqlRow>('point_id, balance', by('balances', 'member_id')),
    accountsOf: find<rows.AccountSqlRow>(
      rows.ACCOUNT_COLUMNS,
      by('accounts INDEXED BY accounts_by_member', 'member_id'),
    ),
    account: find<rows.AccountSqlRow>(rows.ACCOUNT_COLUMNS, by('accounts', 'account_key')),
    walletsOf: find<rows.WalletSqlRow>(
      rows.WALLET_COLUMNS,
      by('wallets INDEXED BY wallets_by_member', 'member_id'),
    ),
    wallet: find<rows.WalletSqlRow>(rows.WALLET_COLUMNS, by('wallets', 'wallet_key')),
    apiKey: find<rows.ApiKeySqlRow>(rows.API_KEY_COLUMNS, by('api_keys', 'key_id')),
    remembered: find<RememberedSqlRow>(
      'idempotency_key, fingerprint, at, seq, answer',
      by('remembered', 'idempotency_key'),
    ),
    record: find<JournalRecord, number>(rows.JOURNAL_COLUMNS, by('journal', 'seq')),
    isMember: find<{ found: number }>('1 AS found', by('members', 'member_id')),
  };
}

const by = (table: string, key: string): string => `${table} WHERE realm_id = ? AND ${key}`;

export type FactLoader = (needs: Needs) => RealmFacts;

export function factLoader(db: DatabaseSync): FactLoader {
  const find = statements(db);
  return (needs) => {
    const { realmId } = needs;
    const facts = emptyFacts(realmId);
    const realm = find.realm.get(realmId);
    if (!realm) return facts;
    facts.realm = rows.realmRowOf(realm);
    facts.kinds = find.kinds.all(realmId).map(rows.kindOf);
    for (const key of needs.idempotencyKeys) loadRemembered(find, facts, key);
    for (const memberId of needs.members.union(needs.profiles)) loadMember(find, facts, memberId);
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

function loadMember(find: Find, facts: RealmFacts, memberId: string): void {
  const row = find.member.get(facts.realmId, memberId);
  if (!row) return;
  facts.members.push(rows.memberOf(row));
  for (const { point_id, balance } of find.balances.all(facts.realmId, memberId)) {
    facts.balances.push({ memberId, pointId: point_id, balance });
  }
}

function loadProfile(find: Find, facts: RealmFacts, memberId: string): void {
  for (const row of find.accountsOf.all(facts.realmId, memberId)) {
    facts.accounts.push(rows.accountOf(row));
  }
  for (const row of find.walletsOf.all(facts.realmId, memberId)) {
    facts.wallets.push(rows.walletOf(row));
  }
}

function loadRemembered(find: Find, facts: RealmFacts, key: string): void {
  const row = find.remembered.get(facts.realmId, key);
  if (!row) return;
  facts.remembered.push({ ...row, key: row.idempotency_key } as Remembered);
  const record = row.seq === null ? undefined : find.record.get(facts.realmId, row.seq);
  if (record) facts.receipts.push(record);
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

function emptyFacts(realmId: string): RealmFacts {
  return {
    realmId,
    realm: null,
    kinds: [],
    members: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    remembered: [],
    receipts: [],
    freeMemberIds: [],
  };
}
