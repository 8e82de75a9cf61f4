import { randomBytes } from 'node:crypto';
import type {
  Balance,
  Change,
  IdempotencyRecord,
  OwnedAccount,
  OwnedWallet,
  RealmChanges,
  Reversed,
} from '../../domain/facts.ts';
import type {
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  MemberRow,
  PointKind,
  RealmRow,
} from '../../domain/model.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { searchText } from '../../domain/rules/search.ts';
import { byRealm } from './facts.ts';
import {
  bigint,
  bytes,
  insert,
  insertApart,
  type ReadyWrite,
  type RealmRows,
  readyWrite,
  remove,
  smallint,
  text,
  update,
  upsert,
  type Write,
} from './writes.ts';

type Keyed<V> = V & { key: string };

const realmColumns = {
  name: text(({ name }: RealmRow) => name),
  settings: text(({ settings }: RealmRow) => JSON.stringify(settings)),
  seq: bigint(({ seq }: RealmRow) => seq),
  head: bytes(({ head }: RealmRow) => head),
  last_at: bigint(({ lastAt }: RealmRow) => lastAt),
  next_member_id: bigint(({ nextMemberId }: RealmRow) => nextMemberId),
  created_at: bigint(({ createdAt }: RealmRow) => createdAt),
  updated_at: bigint(({ updatedAt }: RealmRow) => updatedAt),
};

const put = {
  // A plain insert: a second realm of one name must fail, should it ever come this far.
  newRealms: insertApart<RealmRow>('realms', realmColumns),
  realms: update<RealmRow>('realms', realmColumns),
  records: insert<JournalRecord & { batch: string | null }>('journal', {
    seq: bigint(({ seq }) => seq),
    type: text(({ type }) => type),
    at: bigint(({ at }) => at),
    actor: text(({ actor }) => actor),
    data: text(({ data }) => data),
    hash: bytes(({ hash }) => hash),
    batch: text(({ batch }) => batch),
  }),
  balances: upsert<Balance>(
    'balances',
    {
      member_id: bigint(({ memberId }) => memberId),
      realm_point_id: text(({ realmPointId }) => realmPointId),
    },
    {
      balance: bigint(({ balance }) => balance),
      open_holds: bigint(({ openHolds }) => openHolds),
    },
  ),
  idempotencyRecords: insert<IdempotencyRecord>('idempotency_keys', {
    idempotency_key: text(({ key }) => key),
    fingerprint: text(({ fingerprint }) => fingerprint),
    at: bigint(({ at }) => at),
    seq: bigint(({ seq }) => seq),
    answer: text(({ answer }) => answer),
  }),
  reversed: upsert<Reversed>(
    'reversed',
    { seq: bigint(({ seq }) => seq) },
    { tokens: bigint(({ tokens }) => tokens), by_seq: bigint(({ by }) => by) },
  ),
  holds: upsert<Hold>(
    'holds',
    { hold_id: bigint(({ id }) => id) },
    {
      member_id: bigint(({ memberId }) => memberId),
      realm_point_id: text(({ realmPointId }) => realmPointId),
      tokens: bigint(({ tokens }) => tokens),
      captured: bigint(({ captured }) => captured),
      status: text(({ status }) => status),
      description: text(({ description }) => description),
      created_at: bigint(({ createdAt }) => createdAt),
      expires_at: bigint(({ expiresAt }) => expiresAt),
    },
  ),
  members: upsert<MemberRow>(
    'members',
    { member_id: bigint(({ id }) => id) },
    {
      username: text(({ username }) => username),
      display_name: text(({ displayName }) => displayName),
      status: text(({ status }) => status),
      metadata: text(({ metadata }) => metadata),
      search: text(({ username, displayName }) => searchText([username, displayName])),
      created_at: bigint(({ createdAt }) => createdAt),
      updated_at: bigint(({ updatedAt }) => updatedAt),
    },
  ),
};

/** What members hold, and what they were asked to sign for it: rows that can go as well as come. */
const holdings = {
  noAccounts: remove('accounts', 'account_key'),
  accounts: upsert<Keyed<OwnedAccount>>(
    'accounts',
    { account_key: text(({ key }) => key) },
    {
      member_id: bigint(({ memberId }) => memberId),
      provider: text(({ provider }) => provider),
      account_id: text(({ id }) => id),
      username: text(({ username }) => username),
    },
  ),
  noWallets: remove('wallets', 'wallet_key'),
  wallets: upsert<Keyed<OwnedWallet>>(
    'wallets',
    { wallet_key: text(({ key }) => key) },
    {
      member_id: bigint(({ memberId }) => memberId),
      chain: text(({ chain }) => chain),
      address: text(({ address }) => address),
      is_primary: smallint(({ primary }) => Number(primary)),
      verified_at: bigint(({ verifiedAt }) => verifiedAt),
      verified_on: text(({ verifiedOn }) => verifiedOn),
      linked_at: bigint(({ linkedAt }) => linkedAt),
    },
  ),
  noChallenges: remove('challenges', 'nonce'),
  challenges: upsert<Keyed<Challenge>>(
    'challenges',
    { nonce: text(({ key }) => key) },
    {
      member_id: bigint(({ memberId }) => memberId),
      wallet_key: text(({ walletKey }) => walletKey),
      message: text(({ message }) => message),
      expires_at: bigint(({ expiresAt }) => expiresAt),
      used_at: bigint(({ usedAt }) => usedAt),
    },
  ),
};

/** What admins set up. */
const setup = {
  points: upsert<PointKind>(
    'point_kinds',
    { realm_point_id: text(({ id }) => id) },
    {
      name: text(({ name }) => name),
      symbol: text(({ symbol }) => symbol),
      is_default: smallint(({ isDefault }) => Number(isDefault)),
      is_transferable: smallint(({ isTransferable }) => Number(isTransferable)),
      minimum_balance: bigint(({ minimumBalance }) => minimumBalance),
      maximum_balance: bigint(({ maximumBalance }) => maximumBalance),
    },
  ),
  apiKeys: upsert<ApiKeyRow>(
    'api_keys',
    { key_id: text(({ id }) => id) },
    {
      name: text(({ name }) => name),
      scopes: text(({ scopes }) => scopes.join(' ')),
      secret_hash: text(({ secretHash }) => secretHash),
      created_at: bigint(({ createdAt }) => createdAt),
      expires_at: bigint(({ expiresAt }) => expiresAt),
      revoked_at: bigint(({ revokedAt }) => revokedAt),
      replaced_by: text(({ replacedBy }) => replacedBy),
    },
  ),
  keyDirectory: insertApart<ApiKeyRow>(
    'key_directory',
    { key_id: text(({ id }) => id) },
    ' ON CONFLICT DO NOTHING',
  ),
  noAssets: remove('assets', 'asset_id'),
  assets: upsert<Asset>(
    'assets',
    { asset_id: text(({ id }) => id) },
    {
      chain: text(({ chain }) => chain),
      standard: text(({ standard }) => standard),
      contract: text(({ contract }) => contract),
      token_id: text(({ tokenId }) => tokenId),
      symbol: text(({ symbol }) => symbol),
    },
  ),
};

/** A decision, and what it takes to write it. */
export interface Ready {
  decision: Decision;
  /** In the order of the locks, for the sake of realms that are new and had none. */
  changes: RealmChanges[];
  /** By this the batch can be told from all others later. */
  batch: string;
  writes: ReadyWrite[];
}

export function readyOf(decision: Decision): Ready {
  const changes = decision.changes.toSorted((a, b) => byRealm(a.realm.id, b.realm.id));
  const batch = randomBytes(9).toString('base64url');
  return { decision, changes, batch, writes: writesOf(changes, batch) };
}

/**
 * The writes of what a batch did, all goings before the comings of the same table; `batch` marks
 * the first record of each realm.
 */
function writesOf(changes: RealmChanges[], batch: string): ReadyWrite[] {
  const write = <V>(table: Write<V>, rowsOf: (one: RealmChanges) => V[]): ReadyWrite[] =>
    readyWrite(table, gathered(changes, rowsOf));
  return [
    ...write(put.newRealms, ({ isNewRealm, realm }) => (isNewRealm ? [realm] : [])),
    ...write(put.realms, ({ isNewRealm, realm }) => (isNewRealm ? [] : [realm])),
    ...write(put.records, ({ records }) =>
      records.map((record, index) => ({ ...record, batch: index === 0 ? batch : null })),
    ),
    ...write(put.balances, ({ balances }) => kept(balances)),
    ...write(put.idempotencyRecords, ({ idempotencyRecords }) => idempotencyRecords),
    ...write(put.reversed, ({ reversed }) => kept(reversed)),
    ...write(put.holds, ({ holds }) => kept(holds)),
    ...write(put.members, ({ members }) => kept(members)),
    ...write(holdings.noAccounts, ({ accounts }) => gone(accounts)),
    ...write(holdings.noWallets, ({ wallets }) => gone(wallets)),
    ...write(holdings.accounts, ({ accounts }) => keyed(accounts)),
    ...write(holdings.wallets, ({ wallets }) => keyed(wallets)),
    ...write(holdings.noChallenges, ({ challenges }) => gone(challenges)),
    ...write(holdings.challenges, ({ challenges }) => keyed(challenges)),
    ...write(setup.points, ({ kinds }) => kept(kinds)),
    ...write(setup.apiKeys, ({ apiKeys }) => kept(apiKeys)),
    ...write(setup.keyDirectory, ({ apiKeys }) => kept(apiKeys)),
    ...write(setup.noAssets, ({ assets }) => gone(assets)),
    ...write(setup.assets, ({ assets }) => kept(assets)),
  ];
}

function gathered<V>(changes: RealmChanges[], rowsOf: (one: RealmChanges) => V[]): RealmRows<V> {
  const realmIds: string[] = [];
  const rows: V[] = [];
  for (const one of changes) {
    for (const row of rowsOf(one)) {
      realmIds.push(one.realm.id);
      rows.push(row);
    }
  }
  return { realmIds, rows };
}

/** The rows that are to be there. */
const kept = <V>(changes: Change<V>[]): V[] => changes.flatMap(({ row }) => (row ? [row] : []));

const keyed = <V extends object>(changes: Change<V>[]): Keyed<V>[] =>
  changes.flatMap(({ key, row }) => (row ? [{ ...row, key }] : []));

const gone = (changes: Change<object>[]): string[] =>
  changes.flatMap(({ key, row }) => (row ? [] : [key]));
