import type { OwnedAccount, OwnedWallet } from '../facts.ts';
import {
  type ApiKey,
  type ApiKeyRow,
  type Member,
  type MemberRow,
  type Realm,
  type Sum,
  sumOf,
  type Wallet,
} from '../model.ts';
import type { Person, PersonRow } from '../person.ts';
import type { PastBalances, RealmTotals, Standing } from '../queries.ts';
import type { Webhook, WebhookProgress, WebhookRow } from '../webhook.ts';
import { circulationOf, type Sums } from './daily-totals.ts';
import { spendable } from './tables.ts';

export function realmView(row: Realm): Realm {
  const { id, name, settings, createdAt, updatedAt, archivedAt } = row;
  return { id, name, settings, createdAt, updatedAt, archivedAt };
}

export function keyView(row: ApiKeyRow): ApiKey {
  const { id, realmId, name, scopes, createdAt, expiresAt, lastUsedAt } = row;
  return { id, realmId, name, scopes, createdAt, expiresAt, lastUsedAt };
}

export function personView(row: PersonRow): Person {
  const { realmId: _, ...person } = row;
  return person;
}

/** What is stored of its progress, unless the webhook was started since. */
export function progressOf(row: WebhookRow): WebhookProgress {
  const { startAfter, position, attempts, failingSince, nextAt } = row;
  if (row.progressOf !== row.startSeq) {
    return { position: startAfter, attempts: 0, failingSince: null, nextAt: 0 };
  }
  const due = { failingSince, nextAt: nextAt ?? 0 };
  return { position: position ?? startAfter, attempts: attempts ?? 0, ...due };
}

export function webhookView(row: WebhookRow): Webhook {
  const { id, url, types, description, createdAt, updatedAt } = row;
  const { pausedAt, pauseReason, previousUntil } = row;
  return {
    id,
    url,
    types,
    description,
    createdAt,
    updatedAt,
    pausedAt,
    pauseReason,
    previousUntil,
    sealedBy: sealedBy(row),
    ...progressOf(row),
  };
}

/** A sealed secret begins with the id of its key. */
const sealedBy = ({ secret }: WebhookRow): string => secret.slice(0, secret.indexOf('.'));

interface Kind {
  realmPointId: string;
  /** SQLite has no booleans. */
  isDefault: boolean | number;
}

/** A member's balance of one kind of points at some instant, 0 if it never had any. */
export interface PastBalance extends Kind {
  balance: number;
}

export interface KindBalance extends PastBalance {
  archived: boolean | number;
  minimumBalance: number;
  /** What holds set aside that have not expired. */
  held: Sum;
  movedAt: number | null;
}

/** The default kind first, because existing clients take the first balance for the balance. */
function defaultFirst<K extends Kind>(kinds: readonly K[]): readonly K[] {
  const first = kinds.find((kind) => kind.isDefault);
  return first === undefined || first === kinds[0]
    ? kinds
    : [first, ...kinds.filter((kind) => kind !== first)];
}

export function pastBalancesView(kinds: readonly PastBalance[]): PastBalances {
  const ordered = defaultFirst(kinds);
  return {
    defaultRealmPointId: ordered[0]?.realmPointId ?? '',
    balances: Object.fromEntries(ordered.map((kind) => [kind.realmPointId, kind.balance])),
  };
}

/** What a realm adds up to, from the sums over all days. */
export function realmTotalsView(
  { seq, lastAt }: { seq: number; lastAt: number },
  members: number,
  kinds: readonly Kind[],
  rows: readonly (Sums & { realmPointId: string })[],
): RealmTotals {
  const ordered = defaultFirst(kinds).map(({ realmPointId }) => ({
    realmPointId,
    row: rows.find((row) => row.realmPointId === realmPointId),
  }));
  const ofEach = (amountOf: (row: Sums) => Sum) =>
    Object.fromEntries(
      ordered.map(({ realmPointId, row }) => [realmPointId, row ? amountOf(row) : 0]),
    );
  return {
    members,
    records: seq,
    lastAt,
    circulation: ofEach(circulationOf),
    held: ofEach(({ held }) => sumOf(held)),
  };
}

interface MemberParts {
  /** Every kind of the realm, by id. */
  kinds: readonly KindBalance[];
  accounts: readonly OwnedAccount[];
  wallets: readonly OwnedWallet[];
}

export function memberView(
  realmId: string,
  row: MemberRow,
  { kinds, accounts, wallets }: MemberParts,
): Member {
  const ordered = defaultFirst(kinds);
  const balances: Record<string, number> = {};
  const held: Record<string, Sum> = {};
  const available: Record<string, Sum> = {};
  for (const { realmPointId, archived, balance, held: onHold, minimumBalance } of ordered) {
    balances[realmPointId] = balance;
    held[realmPointId] = onHold;
    const isMovable = row.status !== 'frozen' && !archived;
    available[realmPointId] = isMovable ? spendable(balance, onHold, minimumBalance) : 0;
  }
  return {
    ...row,
    realmId,
    defaultRealmPointId: ordered[0]?.realmPointId ?? '',
    balances,
    held,
    available,
    accounts: accounts.map(({ memberId: _, ...account }) => account),
    wallets: wallets.map(walletView),
    lastActiveAt: kinds.reduce((last, { movedAt }) => Math.max(last, movedAt ?? 0), row.createdAt),
  };
}

export function walletView({ memberId: _, ...wallet }: OwnedWallet): Wallet {
  return wallet;
}

export type StandingRow = Omit<Standing, 'rank'>;

/** Ties share a rank. But for the first page, the ranks of its first two scores must be known. */
export function rankPage(
  rows: readonly StandingRow[],
  known: ReadonlyMap<Sum, number>,
): Standing[] {
  let rank = 1;
  let ties = 0;
  return rows.map((row, index) => {
    if (row.score !== rows[index - 1]?.score) {
      rank = known.get(row.score) ?? rank + ties;
      ties = 0;
    }
    ties += 1;
    return { ...row, rank };
  });
}
