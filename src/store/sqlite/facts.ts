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

/** The statements by which facts are found: each one a look-up by a whole primary key or index. */
function statements(db: DatabaseSync) {
  return {
    realm: prepare<rows.RealmSqlRow, [string]>(
      db,
      `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`,
    ),
    kinds: prepare<rows.PointSqlRow, [string]>(
      db,
      `SELECT ${rows.POINT_COLUMNS} FROM points WHERE realm_id = ? ORDER BY point_id`,
    ),
    member: prepare<rows.MemberSqlRow, [string, string]>(
      db,
      `SELECT ${rows.MEMBER_COLUMNS} FROM members WHERE realm_id = ? AND member_id = ?`,
    ),
    balances: prepare<{ point_id: string; balance: number }, [string, string]>(
      db,
      'SELECT point_id, balance FROM balances WHERE realm_id = ? AND member_id = ?',
    ),
    accountsOf: prepare<rows.AccountSqlRow, [string, string]>(
      db,
      `SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts WHERE realm_id = ? AND member_id = ?`,
    ),
    account: prepare<rows.AccountSqlRow, [string, string]>(
      db,
      `SELECT ${rows.ACCOUNT_COLUMNS} FROM accounts WHERE realm_id = ? AND account_key = ?`,
    ),
    walletsOf: prepare<rows.WalletSqlRow, [string, string]>(
      db,
      `SELECT ${rows.WALLET_COLUMNS} FROM wallets WHERE realm_id = ? AND member_id = ?`,
    ),
    wallet: prepare<rows.WalletSqlRow, [string, string]>(
      db,
      `SELECT ${rows.WALLET_COLUMNS} FROM wallets WHERE realm_id = ? AND wallet_key = ?`,
    ),
    apiKey: prepare<rows.ApiKeySqlRow, [string, string]>(
      db,
      `SELECT ${rows.API_KEY_COLUMNS} FROM api_keys WHERE realm_id = ? AND key_id = ?`,
    ),
    remembered: prepare<RememberedSqlRow, [string, string]>(
      db,
      `SELECT idempotency_key, fingerprint, at, seq, answer FROM remembered
       WHERE realm_id = ? AND idempotency_key = ?`,
    ),
    record: prepare<JournalRecord, [string, number]>(
      db,
      `SELECT ${rows.JOURNAL_COLUMNS} FROM journal WHERE realm_id = ? AND seq = ?`,
    ),
    isMember: prepare<{ found: number }, [string, string]>(
      db,
      'SELECT 1 AS found FROM members WHERE realm_id = ? AND member_id = ?',
    ),
  };
}

export type FactLoader = (needs: Needs) => RealmFacts;

export function factLoader(db: DatabaseSync): FactLoader {
  const find = statements(db);

  function loadMember(facts: RealmFacts, memberId: string): void {
    const row = find.member.get(facts.realmId, memberId);
    if (!row) return;
    facts.members.push(rows.memberOf(row));
    for (const { point_id, balance } of find.balances.all(facts.realmId, memberId)) {
      facts.balances.push({ memberId, pointId: point_id, balance });
    }
  }

  function loadProfile(facts: RealmFacts, memberId: string): void {
    for (const row of find.accountsOf.all(facts.realmId, memberId)) {
      facts.accounts.push(rows.accountOf(row));
    }
    for (const row of find.walletsOf.all(facts.realmId, memberId)) {
      facts.wallets.push(rows.walletOf(row));
    }
  }

  function loadRemembered(facts: RealmFacts, key: string): void {
    const row = find.remembered.get(facts.realmId, key);
    if (!row) return;
    facts.remembered.push({ ...row, key: row.idempotency_key } as Remembered);
    const record = row.seq === null ? undefined : find.record.get(facts.realmId, row.seq);
    if (record) facts.receipts.push(record);
  }

  function freeMemberIds(realmId: string, from: string, count: number): string[] {
    const free: string[] = [];
    for (let id = BigInt(from); free.length < count && id < 2n ** 63n; id += 1n) {
      if (!find.isMember.get(realmId, String(id))) free.push(String(id));
    }
    return free;
  }

  return (needs) => {
    const { realmId } = needs;
    const realm = find.realm.get(realmId);
    const facts = emptyFacts(realmId);
    if (!realm) return facts;
    facts.realm = rows.realmRowOf(realm);
    facts.kinds = find.kinds.all(realmId).map(rows.kindOf);
    for (const key of needs.idempotencyKeys) loadRemembered(facts, key);
    for (const memberId of needs.members.union(needs.profiles)) loadMember(facts, memberId);
    for (const memberId of needs.profiles) loadProfile(facts, memberId);
    for (const key of needs.accounts) {
      const row = find.account.get(realmId, key);
      if (row) facts.accounts.push(rows.accountOf(row));
    }
    for (const key of needs.wallets) {
      const row = find.wallet.get(realmId, key);
      if (row) facts.wallets.push(rows.walletOf(row));
    }
    for (const keyId of needs.apiKeys) {
      const row = find.apiKey.get(realmId, keyId);
      if (row) facts.apiKeys.push(rows.apiKeyOf(row));
    }
    facts.freeMemberIds = freeMemberIds(realmId, facts.realm.nextMemberId, needs.freeMemberIds);
    return facts;
  };
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
