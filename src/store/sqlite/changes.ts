import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Change, RealmChanges } from '../../domain/facts.ts';
import type { RealmRow } from '../../domain/model.ts';
import { searchText } from '../../domain/search.rules.ts';

type Value = string | number | null | Uint8Array;

/** An upsert by primary key: the statement's text from the table's name and columns. */
function upsert(db: DatabaseSync, table: string, key: string[], rest: string[]): StatementSync {
  const columns = [...key, ...rest];
  const updates = rest.map((column) => `${column} = excluded.${column}`).join(', ');
  return db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates}`,
  );
}

function insert(db: DatabaseSync, table: string, columns: string[]): StatementSync {
  const places = columns.map(() => '?').join(', ');
  return db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
}

const REALM_REST = [
  'name',
  'settings',
  'seq',
  'head',
  'last_at',
  'next_member_id',
  'created_at',
  'updated_at',
];
const POINT_REST = [
  'name',
  'symbol',
  'is_default',
  'is_transferable',
  'minimum_balance',
  'maximum_balance',
];
const MEMBER_REST = [
  'username',
  'display_name',
  'status',
  'metadata',
  'search',
  'created_at',
  'updated_at',
];
const WALLET_REST = ['member_id', 'chain', 'address', 'is_primary', 'verified_at', 'linked_at'];
const KEY_REST = [
  'name',
  'scopes',
  'secret_hash',
  'created_at',
  'expires_at',
  'revoked_at',
  'replaced_by',
];

function statements(db: DatabaseSync) {
  const remove = (table: string, key: string) =>
    db.prepare(`DELETE FROM ${table} WHERE realm_id = ? AND ${key} = ?`);
  return {
    realm: upsert(db, 'realms', ['realm_id'], REALM_REST),
    // A plain insert: a second realm of one name must fail, should it ever come this far.
    newRealm: insert(db, 'realms', ['realm_id', ...REALM_REST]),
    record: insert(db, 'journal', ['realm_id', 'seq', 'type', 'at', 'actor', 'data', 'hash']),
    point: upsert(db, 'points', ['realm_id', 'point_id'], POINT_REST),
    member: upsert(db, 'members', ['realm_id', 'member_id'], MEMBER_REST),
    balance: upsert(db, 'balances', ['realm_id', 'member_id', 'point_id'], ['balance']),
    account: upsert(
      db,
      'accounts',
      ['realm_id', 'account_key'],
      ['member_id', 'provider', 'account_id', 'username'],
    ),
    accountGone: remove('accounts', 'account_key'),
    wallet: upsert(db, 'wallets', ['realm_id', 'wallet_key'], WALLET_REST),
    walletGone: remove('wallets', 'wallet_key'),
    apiKey: upsert(db, 'api_keys', ['key_id'], ['realm_id', ...KEY_REST]),
    remembered: insert(db, 'remembered', [
      'realm_id',
      'idempotency_key',
      'fingerprint',
      'at',
      'seq',
      'answer',
    ]),
  };
}

export type ChangeWriter = (changes: RealmChanges) => void;

export function changeWriter(db: DatabaseSync): ChangeWriter {
  const put = statements(db);
  return (changes) => {
    const realmId = changes.realm.id;
    (changes.isNewRealm ? put.newRealm : put.realm).run(...realmValues(changes.realm));
    for (const { seq, type, at, actor, data, hash } of changes.records) {
      put.record.run(realmId, seq, type, at, actor, data, Buffer.from(hash, 'hex'));
    }
    for (const { row } of changes.balances) {
      if (row) put.balance.run(realmId, row.memberId, row.pointId, row.balance);
    }
    for (const { key, fingerprint, at, seq, answer } of changes.remembered) {
      put.remembered.run(realmId, key, fingerprint, at, seq, answer);
    }
    writeMembers(put, realmId, changes);
    writeHoldings(put, realmId, changes);
    writeSetup(put, realmId, changes);
  };
}

type Statements = ReturnType<typeof statements>;

function writeMembers(put: Statements, realmId: string, changes: RealmChanges): void {
  for (const { row } of changes.members) {
    if (!row) continue;
    const search = searchText([row.username, row.displayName]);
    put.member.run(
      realmId,
      row.id,
      row.username,
      row.displayName,
      row.status,
      row.metadata,
      search,
      row.createdAt,
      row.updatedAt,
    );
  }
}

/** What members hold: rows that can go as well as come. All goings first: nothing clashes. */
function writeHoldings(put: Statements, realmId: string, changes: RealmChanges): void {
  removeGone(put.accountGone, realmId, changes.accounts);
  removeGone(put.walletGone, realmId, changes.wallets);
  for (const { key, row } of changes.accounts) {
    if (row) put.account.run(realmId, key, row.memberId, row.provider, row.id, row.username);
  }
  for (const { key, row } of changes.wallets) {
    if (!row) continue;
    put.wallet.run(
      realmId,
      key,
      row.memberId,
      row.chain,
      row.address,
      Number(row.primary),
      row.verifiedAt,
      row.linkedAt,
    );
  }
}

function removeGone(statement: StatementSync, realmId: string, rows: Change<object>[]): void {
  for (const { key, row } of rows) if (!row) statement.run(realmId, key);
}

function writeSetup(put: Statements, realmId: string, changes: RealmChanges): void {
  for (const { row } of changes.kinds) {
    if (!row) continue;
    put.point.run(
      realmId,
      row.id,
      row.name,
      row.symbol,
      Number(row.isDefault),
      Number(row.isTransferable),
      row.minimumBalance,
      row.maximumBalance,
    );
  }
  for (const { row } of changes.apiKeys) {
    if (!row) continue;
    put.apiKey.run(
      row.id,
      realmId,
      row.name,
      row.scopes.join(' '),
      row.secretHash,
      row.createdAt,
      row.expiresAt,
      row.revokedAt,
      row.replacedBy,
    );
  }
}

function realmValues(realm: RealmRow): Value[] {
  return [
    realm.id,
    realm.name,
    JSON.stringify(realm.settings),
    realm.seq,
    Buffer.from(realm.head, 'hex'),
    realm.lastAt,
    realm.nextMemberId,
    realm.createdAt,
    realm.updatedAt,
  ];
}
