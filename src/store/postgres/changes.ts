import type { Change, RealmChanges } from '../../domain/facts.ts';
import { searchText } from '../../domain/search.rules.ts';
import { type Connection, type Sql, type Statement, statement } from './connection.ts';
import { insertRows } from './insert-rows.ts';

type One = string | number | null;
/** Rows of one table, column by column: the realm's id goes before them all. */
type Columns = Record<string, One[]>;
type Write = Statement<never, Sql[]>;

const listed = (columns: string): string[] => columns.split(/\s+/);
const names = (columns: string): string[] => listed(columns).map((one) => one.split(':')[0] ?? '');

/**
 * Writes many rows of one realm by one statement. Columns are said as `name:type`; bytes come as
 * text in hexadecimal.
 */
function insert(table: string, columns: string, end = ''): Write {
  const arrays = listed(columns).map((one, index) => {
    const type = one.split(':')[1] ?? 'text';
    return `$${index + 2}::${type === 'bytea' ? 'text' : type}[]`;
  });
  const values = listed(columns).map((one) => {
    const [name, type] = one.split(':');
    return type === 'bytea' ? `decode(new.${name}, 'hex')` : `new.${name}`;
  });
  const named = names(columns).join(', ');
  return insertRows(
    `${table} (realm_id, ${named})`,
    values.join(', '),
    `unnest(${arrays.join(', ')}) AS new(${named})`,
    end,
  );
}

/** The same, whether or not the keys are there. */
function upsert(table: string, key: string, rest: string): Write {
  const updates = names(rest).map((name) => `${name} = excluded.${name}`);
  return insert(
    table,
    `${key} ${rest}`,
    ` ON CONFLICT (realm_id, ${names(key).join(', ')}) DO UPDATE SET ${updates.join(', ')}`,
  );
}

const remove = (table: string, key: string): Write =>
  statement(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT found.ctid
       FROM unnest($2::text[]) AS gone(key) CROSS JOIN LATERAL
         (SELECT ctid FROM ${table} WHERE realm_id = $1 AND ${key} = gone.key OFFSET 0) found))`,
    `DELETE FROM ${table} WHERE realm_id = $1 AND ${key} = ANY ($2::text[])`,
  );

const REALM = 'name, settings, seq, head, last_at, next_member_id, created_at, updated_at';
const REALM_VALUES = `$2, $3, $4::bigint, decode($5, 'hex'), $6::bigint, $7::bigint, $8::bigint,
  $9::bigint`;

const put = {
  newRealm: statement<never, Sql[]>(
    // A plain insert: a second realm of one name must fail, should it ever come this far.
    `INSERT INTO realms (realm_id, ${REALM}) VALUES ($1, ${REALM_VALUES})`,
  ),
  realm: statement<never, Sql[]>(
    `UPDATE realms SET (${REALM}) = (${REALM_VALUES}) WHERE realm_id = $1`,
  ),
  records: insert('journal', 'seq:bigint type at:bigint actor data hash:bytea batch'),
  balances: upsert('balances', 'member_id:bigint point_id', 'balance:bigint open_holds:bigint'),
  reversed: upsert('reversed', 'seq:bigint', 'tokens:bigint by_seq:bigint'),
  holds: upsert(
    'holds',
    'hold_id:bigint',
    'member_id:bigint point_id tokens:bigint captured:bigint status description ' +
      'created_at:bigint expires_at:bigint',
  ),
  points: upsert(
    'points',
    'point_id',
    'name symbol is_default:smallint is_transferable:smallint minimum_balance:bigint ' +
      'maximum_balance:bigint',
  ),
  members: upsert(
    'members',
    'member_id:bigint',
    'username display_name status metadata search created_at:bigint updated_at:bigint',
  ),
  accounts: upsert('accounts', 'account_key', 'member_id:bigint provider account_id username'),
  noAccounts: remove('accounts', 'account_key'),
  wallets: upsert(
    'wallets',
    'wallet_key',
    'member_id:bigint chain address is_primary:smallint verified_at:bigint verified_on ' +
      'linked_at:bigint',
  ),
  noWallets: remove('wallets', 'wallet_key'),
  challenges: upsert(
    'challenges',
    'nonce',
    'member_id:bigint wallet_key message expires_at:bigint used_at:bigint',
  ),
  noChallenges: remove('challenges', 'nonce'),
  assets: upsert('assets', 'asset_id', 'chain standard contract token_id symbol'),
  noAssets: remove('assets', 'asset_id'),
  apiKeys: upsert(
    'api_keys',
    'key_id',
    'name scopes secret_hash created_at:bigint expires_at:bigint revoked_at:bigint replaced_by',
  ),
  // No table of realms: it is the same on all servers, so no realm leads to it.
  keyDirectory: statement<never, Sql[]>(
    `INSERT INTO key_directory (realm_id, key_id)
     SELECT $1, new.key_id FROM unnest($2::text[]) AS new(key_id) ON CONFLICT DO NOTHING`,
  ),
  remembered: insert('remembered', 'idempotency_key fingerprint at:bigint seq:bigint answer'),
};

/** Sends the writes of what a batch did to one realm; `batch` marks its first record. */
export function sendChanges(
  connection: Connection,
  changes: RealmChanges,
  batch: string,
): Promise<unknown>[] {
  const realmId = changes.realm.id;
  const sent: Promise<unknown>[] = [sendRealm(connection, changes)];
  const send = (write: Write, columns: Columns): void => {
    const values = Object.values(columns);
    if (values[0]?.length) sent.push(connection.change(write, realmId, ...values));
  };
  sendPoints(send, changes, batch);
  sendHoldings(send, changes);
  sendChallenges(send, changes);
  sendSetup(send, changes);
  sendAssets(send, changes);
  return sent;
}

type Send = (write: Write, columns: Columns) => void;

function sendRealm(connection: Connection, { realm, isNewRealm }: RealmChanges): Promise<unknown> {
  const { id, name, settings, seq, head, lastAt, nextMemberId, createdAt, updatedAt } = realm;
  const times = [createdAt, updatedAt];
  const end = [seq, head, lastAt, nextMemberId];
  const write = isNewRealm ? put.newRealm : put.realm;
  return connection.change(write, id, name, JSON.stringify(settings), ...end, ...times);
}

/** The rows that are to be there. */
const kept = <V>(changes: Change<V>[]): V[] => changes.flatMap(({ row }) => (row ? [row] : []));

const column = <V>(rows: V[], of: (row: V) => One): One[] => rows.map(of);

function sendPoints(send: Send, changes: RealmChanges, batch: string): void {
  const { records, remembered } = changes;
  send(put.records, {
    seq: column(records, ({ seq }) => seq),
    type: column(records, ({ type }) => type),
    at: column(records, ({ at }) => at),
    actor: column(records, ({ actor }) => actor),
    data: column(records, ({ data }) => data),
    hash: column(records, ({ hash }) => hash),
    batch: records.map((_, index) => (index === 0 ? batch : null)),
  });
  const balances = kept(changes.balances);
  send(put.balances, {
    member: column(balances, ({ memberId }) => memberId),
    point: column(balances, ({ pointId }) => pointId),
    balance: column(balances, ({ balance }) => balance),
    openHolds: column(balances, ({ openHolds }) => openHolds),
  });
  send(put.remembered, {
    key: column(remembered, ({ key }) => key),
    fingerprint: column(remembered, ({ fingerprint }) => fingerprint),
    at: column(remembered, ({ at }) => at),
    seq: column(remembered, ({ seq }) => seq),
    answer: column(remembered, ({ answer }) => answer),
  });
  const reversed = kept(changes.reversed);
  send(put.reversed, {
    seq: column(reversed, ({ seq }) => seq),
    tokens: column(reversed, ({ tokens }) => tokens),
    by: column(reversed, ({ by }) => by),
  });
  sendHolds(send, changes);
}

function sendHolds(send: Send, changes: RealmChanges): void {
  const holds = kept(changes.holds);
  send(put.holds, {
    id: column(holds, ({ id }) => id),
    member: column(holds, ({ memberId }) => memberId),
    point: column(holds, ({ realmPointId }) => realmPointId),
    tokens: column(holds, ({ tokens }) => tokens),
    captured: column(holds, ({ captured }) => captured),
    status: column(holds, ({ status }) => status),
    description: column(holds, ({ description }) => description),
    createdAt: column(holds, ({ createdAt }) => createdAt),
    expiresAt: column(holds, ({ expiresAt }) => expiresAt),
  });
}

/** Members and what they hold. Holdings can go as well as come. All goings first. */
function sendHoldings(send: Send, changes: RealmChanges): void {
  const members = kept(changes.members);
  send(put.members, {
    id: column(members, ({ id }) => id),
    username: column(members, ({ username }) => username),
    displayName: column(members, ({ displayName }) => displayName),
    status: column(members, ({ status }) => status),
    metadata: column(members, ({ metadata }) => metadata),
    search: column(members, ({ username, displayName }) => searchText([username, displayName])),
    createdAt: column(members, ({ createdAt }) => createdAt),
    updatedAt: column(members, ({ updatedAt }) => updatedAt),
  });
  send(put.noAccounts, { key: goneOf(changes.accounts) });
  send(put.noWallets, { key: goneOf(changes.wallets) });
  const accounts = keyed(changes.accounts);
  send(put.accounts, {
    key: column(accounts, ({ key }) => key),
    member: column(accounts, ({ memberId }) => memberId),
    provider: column(accounts, ({ provider }) => provider),
    id: column(accounts, ({ id }) => id),
    username: column(accounts, ({ username }) => username),
  });
  const wallets = keyed(changes.wallets);
  send(put.wallets, {
    key: column(wallets, ({ key }) => key),
    member: column(wallets, ({ memberId }) => memberId),
    chain: column(wallets, ({ chain }) => chain),
    address: column(wallets, ({ address }) => address),
    primary: column(wallets, ({ primary }) => Number(primary)),
    verifiedAt: column(wallets, ({ verifiedAt }) => verifiedAt),
    verifiedOn: column(wallets, ({ verifiedOn }) => verifiedOn),
    linkedAt: column(wallets, ({ linkedAt }) => linkedAt),
  });
}

function sendAssets(send: Send, changes: RealmChanges): void {
  send(put.noAssets, { key: goneOf(changes.assets) });
  const assets = kept(changes.assets);
  send(put.assets, {
    id: column(assets, ({ id }) => id),
    chain: column(assets, ({ chain }) => chain),
    standard: column(assets, ({ standard }) => standard),
    contract: column(assets, ({ contract }) => contract),
    tokenId: column(assets, ({ tokenId }) => tokenId),
    symbol: column(assets, ({ symbol }) => symbol),
  });
}

function sendChallenges(send: Send, changes: RealmChanges): void {
  send(put.noChallenges, { key: goneOf(changes.challenges) });
  const challenges = keyed(changes.challenges);
  send(put.challenges, {
    nonce: column(challenges, ({ key }) => key),
    member: column(challenges, ({ memberId }) => memberId),
    wallet: column(challenges, ({ walletKey }) => walletKey),
    message: column(challenges, ({ message }) => message),
    expiresAt: column(challenges, ({ expiresAt }) => expiresAt),
    usedAt: column(challenges, ({ usedAt }) => usedAt),
  });
}

const goneOf = (changes: Change<object>[]): string[] =>
  changes.flatMap(({ key, row }) => (row ? [] : [key]));

const keyed = <V extends object>(changes: Change<V>[]): (V & { key: string })[] =>
  changes.flatMap(({ key, row }) => (row ? [{ ...row, key }] : []));

function sendSetup(send: Send, changes: RealmChanges): void {
  const kinds = kept(changes.kinds);
  send(put.points, {
    id: column(kinds, ({ id }) => id),
    name: column(kinds, ({ name }) => name),
    symbol: column(kinds, ({ symbol }) => symbol),
    isDefault: column(kinds, ({ isDefault }) => Number(isDefault)),
    isTransferable: column(kinds, ({ isTransferable }) => Number(isTransferable)),
    minimumBalance: column(kinds, ({ minimumBalance }) => minimumBalance),
    maximumBalance: column(kinds, ({ maximumBalance }) => maximumBalance),
  });
  const keys = kept(changes.apiKeys);
  send(put.apiKeys, {
    id: column(keys, ({ id }) => id),
    name: column(keys, ({ name }) => name),
    scopes: column(keys, ({ scopes }) => scopes.join(' ')),
    secretHash: column(keys, ({ secretHash }) => secretHash),
    createdAt: column(keys, ({ createdAt }) => createdAt),
    expiresAt: column(keys, ({ expiresAt }) => expiresAt),
    revokedAt: column(keys, ({ revokedAt }) => revokedAt),
    replacedBy: column(keys, ({ replacedBy }) => replacedBy),
  });
  send(put.keyDirectory, { id: column(keys, ({ id }) => id) });
}
