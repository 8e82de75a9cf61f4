import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Change, RealmChanges } from '../../domain/facts.ts';
import { searchText } from '../../domain/rules/search.ts';
import { insert, remove, upsert } from './write-statements.ts';

const REALM_REST = 'name, settings, seq, head, last_at, next_member_id, created_at, updated_at';

function statements(db: DatabaseSync) {
  return {
    ...setupStatements(db),
    realm: upsert(db, 'realms', 'realm_id', REALM_REST),
    // A plain insert: a second realm of one name must fail, should it ever come this far.
    newRealm: insert(db, 'realms', `realm_id, ${REALM_REST}`),
    record: insert(db, 'journal', 'realm_id, seq, type, at, actor, data, hash'),
    balance: upsert(db, 'balances', 'realm_id, member_id, realm_point_id', 'balance, open_holds'),
    reversed: upsert(db, 'reversed', 'realm_id, seq', 'tokens, by_seq'),
    hold: upsert(
      db,
      'holds',
      'realm_id, hold_id',
      'member_id, realm_point_id, tokens, captured, status, description, created_at, expires_at',
    ),
    member: upsert(
      db,
      'members',
      'realm_id, member_id',
      'username, display_name, status, metadata, search, created_at, updated_at',
    ),
    ...holdingStatements(db),
    idempotencyRecords: insert(
      db,
      'idempotency_keys',
      'realm_id, idempotency_key, fingerprint, at, seq, answer',
    ),
  };
}

/** What members hold, and what they were asked to sign for it. */
function holdingStatements(db: DatabaseSync) {
  return {
    account: upsert(
      db,
      'accounts',
      'realm_id, account_key',
      'member_id, provider, account_id, username',
    ),
    noAccount: remove(db, 'accounts', 'realm_id, account_key'),
    wallet: upsert(
      db,
      'wallets',
      'realm_id, wallet_key',
      'member_id, chain, address, is_primary, verified_at, verified_on, linked_at',
    ),
    noWallet: remove(db, 'wallets', 'realm_id, wallet_key'),
    challenge: upsert(
      db,
      'challenges',
      'realm_id, nonce',
      'member_id, wallet_key, message, expires_at, used_at',
    ),
    noChallenge: remove(db, 'challenges', 'realm_id, nonce'),
  };
}

/** What admins set up. */
function setupStatements(db: DatabaseSync) {
  return {
    point: upsert(
      db,
      'point_kinds',
      'realm_id, realm_point_id',
      'name, symbol, is_default, is_transferable, minimum_balance, maximum_balance',
    ),
    apiKey: upsert(
      db,
      'api_keys',
      'key_id',
      `realm_id, name, scopes, secret_hash, created_at, expires_at, revoked_at, replaced_by`,
    ),
    asset: upsert(
      db,
      'assets',
      'realm_id, asset_id',
      'chain, standard, contract, token_id, symbol',
    ),
    noAsset: remove(db, 'assets', 'realm_id, asset_id'),
  };
}

type Statements = ReturnType<typeof statements>;

export type ChangeWriter = (changes: RealmChanges) => void;

/** Writes what a batch did to one realm. */
export function changeWriter(db: DatabaseSync): ChangeWriter {
  const put = statements(db);
  return (changes) => {
    const realmId = changes.realm.id;
    writeRealm(changes.isNewRealm ? put.newRealm : put.realm, changes);
    writePoints(put, realmId, changes);
    for (const { key, fingerprint, at, seq, answer } of changes.idempotencyRecords) {
      put.idempotencyRecords.run(realmId, key, fingerprint, at, seq, answer);
    }
    writeMembers(put, realmId, changes);
    writeHoldings(put, realmId, changes);
    writeSetup(put, realmId, changes);
  };
}

function writePoints(put: Statements, realmId: string, changes: RealmChanges): void {
  for (const { seq, type, at, actor, data, hash } of changes.records) {
    put.record.run(realmId, seq, type, at, actor, data, Buffer.from(hash, 'hex'));
  }
  for (const { row } of changes.balances) {
    if (row) put.balance.run(realmId, row.memberId, row.realmPointId, row.balance, row.openHolds);
  }
  for (const { row } of changes.reversed) {
    if (row) put.reversed.run(realmId, row.seq, row.tokens, row.by);
  }
  for (const { row } of changes.holds) {
    if (!row) continue;
    const { id, memberId, realmPointId, tokens, captured, status, description } = row;
    const what = [realmPointId, tokens, captured, status, description];
    put.hold.run(realmId, id, memberId, ...what, row.createdAt, row.expiresAt);
  }
}

function writeRealm(statement: StatementSync, { realm }: RealmChanges): void {
  statement.run(
    realm.id,
    realm.name,
    JSON.stringify(realm.settings),
    realm.seq,
    Buffer.from(realm.head, 'hex'),
    realm.lastAt,
    realm.nextMemberId,
    realm.createdAt,
    realm.updatedAt,
  );
}

function writeMembers(put: Statements, realmId: string, changes: RealmChanges): void {
  for (const { row } of changes.members) {
    if (!row) continue;
    const { id, username, displayName, status, metadata, createdAt, updatedAt } = row;
    const search = searchText([username, displayName]);
    const times = [createdAt, updatedAt];
    put.member.run(realmId, id, username, displayName, status, metadata, search, ...times);
  }
}

/** What members hold: rows that can go as well as come. All goings first: nothing clashes. */
function writeHoldings(put: Statements, realmId: string, changes: RealmChanges): void {
  removeGone(put.noAccount, realmId, changes.accounts);
  removeGone(put.noWallet, realmId, changes.wallets);
  for (const { key, row } of changes.accounts) {
    if (row) put.account.run(realmId, key, row.memberId, row.provider, row.id, row.username);
  }
  for (const { key, row } of changes.wallets) {
    if (!row) continue;
    const { memberId, chain, address, primary, verifiedAt, verifiedOn, linkedAt } = row;
    const since = [verifiedAt, verifiedOn, linkedAt];
    put.wallet.run(realmId, key, memberId, chain, address, Number(primary), ...since);
  }
  removeGone(put.noChallenge, realmId, changes.challenges);
  for (const { key, row } of changes.challenges) {
    if (!row) continue;
    const { memberId, walletKey, message, expiresAt, usedAt } = row;
    put.challenge.run(realmId, key, memberId, walletKey, message, expiresAt, usedAt);
  }
}

function removeGone(statement: StatementSync, realmId: string, rows: Change<object>[]): void {
  for (const { key, row } of rows) if (!row) statement.run(realmId, key);
}

function writeSetup(put: Statements, realmId: string, changes: RealmChanges): void {
  for (const { row } of changes.kinds) {
    if (!row) continue;
    const flags = [Number(row.isDefault), Number(row.isTransferable)];
    const bounds = [row.minimumBalance, row.maximumBalance];
    put.point.run(realmId, row.id, row.name, row.symbol, ...flags, ...bounds);
  }
  removeGone(put.noAsset, realmId, changes.assets);
  for (const { row } of changes.assets) {
    if (!row) continue;
    const { id, chain, standard, contract, tokenId, symbol } = row;
    put.asset.run(realmId, id, chain, standard, contract, tokenId, symbol);
  }
  for (const { row } of changes.apiKeys) {
    if (!row) continue;
    const scopes = row.scopes.join(' ');
    const times = [row.createdAt, row.expiresAt, row.revokedAt];
    put.apiKey.run(row.id, realmId, row.name, scopes, row.secretHash, ...times, row.replacedBy);
  }
}
