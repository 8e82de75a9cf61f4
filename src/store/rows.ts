import type { OwnedAccount, OwnedWallet } from '../domain/facts.ts';
import {
  type ApiKeyRow,
  type Asset,
  type AssetStandard,
  type Chain,
  type Challenge,
  DEFAULT_SETTINGS,
  type Hold,
  type HoldStatus,
  type MemberRow,
  type MemberStatus,
  type PointKind,
  type Realm,
  type RealmRow,
  type Scope,
} from '../domain/model.ts';

/** The rows as both databases give them, the columns they come from, and what they mean. */
export interface RealmSqlRow {
  realm_id: string;
  name: string;
  settings: string;
  seq: number;
  head: string;
  last_at: number;
  next_member_id: string;
  created_at: number;
  updated_at: number;
}

export function realmOf(row: RealmSqlRow): Realm {
  return {
    id: row.realm_id,
    name: row.name,
    // A realm may be older than a setting.
    settings: { ...DEFAULT_SETTINGS, ...JSON.parse(row.settings) },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function realmRowOf(row: RealmSqlRow): RealmRow {
  return {
    ...realmOf(row),
    seq: row.seq,
    head: row.head.toLowerCase(),
    lastAt: row.last_at,
    nextMemberId: row.next_member_id,
  };
}

export const POINT_KIND_COLUMNS = `realm_point_id, name, symbol, is_default, is_transferable,
  minimum_balance, maximum_balance`;

export interface PointKindSqlRow {
  realm_point_id: string;
  name: string;
  symbol: string | null;
  is_default: number;
  is_transferable: number;
  minimum_balance: number;
  maximum_balance: number;
}

export function kindOf(row: PointKindSqlRow): PointKind {
  return {
    id: row.realm_point_id,
    name: row.name,
    symbol: row.symbol,
    isDefault: row.is_default === 1,
    isTransferable: row.is_transferable === 1,
    minimumBalance: row.minimum_balance,
    maximumBalance: row.maximum_balance,
  };
}

export const ASSET_COLUMNS = 'asset_id, chain, standard, contract, token_id, symbol';

export interface AssetSqlRow {
  asset_id: string;
  chain: string;
  standard: AssetStandard;
  contract: string;
  token_id: string | null;
  symbol: string | null;
}

export function assetOf(row: AssetSqlRow): Asset {
  const { asset_id: id, chain, standard, contract, token_id: tokenId, symbol } = row;
  return { id, chain, standard, contract, tokenId, symbol };
}

export const MEMBER_COLUMNS = `CAST(member_id AS TEXT) AS member_id, username, display_name, status,
  metadata, created_at, updated_at`;

export interface MemberSqlRow {
  member_id: string;
  username: string | null;
  display_name: string | null;
  status: MemberStatus;
  metadata: string;
  created_at: number;
  updated_at: number;
}

export function memberOf(row: MemberSqlRow): MemberRow {
  return {
    id: row.member_id,
    username: row.username,
    displayName: row.display_name,
    status: row.status,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const ACCOUNT_COLUMNS =
  'CAST(member_id AS TEXT) AS member_id, provider, account_id, username';

export interface AccountSqlRow {
  member_id: string;
  provider: string;
  account_id: string;
  username: string | null;
}

export function accountOf(row: AccountSqlRow): OwnedAccount {
  return {
    memberId: row.member_id,
    provider: row.provider,
    id: row.account_id,
    username: row.username,
  };
}

export const WALLET_COLUMNS = `CAST(member_id AS TEXT) AS member_id, wallet_key, chain, address,
  is_primary, verified_at, verified_on, linked_at`;

export interface WalletSqlRow {
  member_id: string;
  wallet_key: string;
  chain: Chain;
  address: string;
  is_primary: number;
  verified_at: number | null;
  verified_on: string | null;
  linked_at: number;
}

export function walletOf(row: WalletSqlRow): OwnedWallet {
  return {
    memberId: row.member_id,
    key: row.wallet_key,
    chain: row.chain,
    address: row.address,
    primary: row.is_primary === 1,
    verifiedAt: row.verified_at,
    verifiedOn: row.verified_on,
    linkedAt: row.linked_at,
  };
}

export const API_KEY_COLUMNS = `key_id, realm_id, name, scopes, secret_hash, created_at, expires_at,
  revoked_at, replaced_by, last_used_at`;

export interface ApiKeySqlRow {
  key_id: string;
  realm_id: string;
  name: string;
  scopes: string;
  secret_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  replaced_by: string | null;
  last_used_at: number | null;
}

export function apiKeyOf(row: ApiKeySqlRow): ApiKeyRow {
  return {
    id: row.key_id,
    realmId: row.realm_id,
    name: row.name,
    scopes: row.scopes.split(' ') as Scope[],
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    replacedBy: row.replaced_by,
    lastUsedAt: row.last_used_at,
  };
}

export const HOLD_COLUMNS = `hold_id, CAST(member_id AS TEXT) AS member_id, realm_point_id, tokens,
  captured, status, description, created_at, expires_at`;

export interface HoldSqlRow {
  hold_id: number;
  member_id: string;
  realm_point_id: string;
  tokens: number;
  captured: number;
  status: HoldStatus;
  description: string | null;
  created_at: number;
  expires_at: number;
}

export function holdOf(row: HoldSqlRow): Hold {
  return {
    id: row.hold_id,
    memberId: row.member_id,
    realmPointId: row.realm_point_id,
    tokens: row.tokens,
    captured: row.captured,
    status: row.status,
    description: row.description,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export const CHALLENGE_COLUMNS = `nonce, CAST(member_id AS TEXT) AS "memberId",
  wallet_key AS "walletKey", message, expires_at AS "expiresAt", used_at AS "usedAt"`;

export type ChallengeSqlRow = Challenge;
