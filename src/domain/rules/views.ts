import type { OwnedAccount, OwnedWallet } from '../facts.ts';
import type { ApiKey, ApiKeyRow, Member, MemberRow, Realm, Wallet } from '../model.ts';

/** Rows as commands and queries return them. */
export function realmView(row: Realm): Realm {
  const { id, name, settings, createdAt, updatedAt, archivedAt } = row;
  return { id, name, settings, createdAt, updatedAt, archivedAt };
}

export function keyView(row: ApiKeyRow): ApiKey {
  const { id, realmId, name, scopes, createdAt, expiresAt, lastUsedAt } = row;
  return { id, realmId, name, scopes, createdAt, expiresAt, lastUsedAt };
}

/** A member's balance of one kind of points, 0 if it never had any. */
export interface KindBalance {
  realmPointId: string;
  /** SQLite has no booleans. */
  isDefault: boolean | number;
  balance: number;
}

interface MemberParts {
  /** Every kind of the realm, by id. */
  kinds: readonly KindBalance[];
  accounts: readonly OwnedAccount[];
  wallets: readonly OwnedWallet[];
}

/** A member with everything that belongs to it. */
export function memberView(
  realmId: string,
  row: MemberRow,
  { kinds, accounts, wallets }: MemberParts,
): Member {
  return {
    ...row,
    realmId,
    defaultRealmPointId: kinds.find((kind) => kind.isDefault)?.realmPointId ?? '',
    balances: Object.fromEntries(kinds.map((kind) => [kind.realmPointId, kind.balance])),
    accounts: accounts.map(({ memberId: _, ...account }) => account),
    wallets: wallets.map(walletView),
  };
}

export function walletView({ memberId: _, ...wallet }: OwnedWallet): Wallet {
  return wallet;
}
