import { emptyFacts, type Needs, type RealmFacts, type Remembered } from '../../domain/facts.ts';
import type { JournalRecord } from '../../domain/journal.rules.ts';
import type { MemberStatus } from '../../domain/model.ts';
import { membersOf } from '../../domain/postings.rules.ts';
import { type Connection, statement } from './connection.ts';
import * as rows from './rows.ts';

/**
 * The statements by which facts are found: for each key that is asked for, one look-up by a whole
 * primary key or index. `OFFSET 0` keeps the planner from making a join of it, whose way it would
 * choose by statistics; `= ANY` became a scan while those were cold. Each is about one realm.
 */
const lookUp = <Row, Key extends string | number = string>(
  type: 'text' | 'bigint',
  columns: string,
  from: string,
) =>
  statement<Row, [string, Key[]]>(
    `SELECT found.* FROM unnest($2::${type}[]) AS wanted(key) CROSS JOIN LATERAL
       (SELECT ${columns} FROM ${from} = wanted.key OFFSET 0) found`,
  );

const by = (table: string, key: string): string => `${table} WHERE realm_id = $1 AND ${key}`;

/** A member with one of its balances, or with none. */
interface StandingSqlRow {
  member_id: string;
  status: MemberStatus;
  point_id: string | null;
  balance: number;
  open_holds: number;
  /** The open holds on this balance; null where there are none, which is nearly always. */
  holds: rows.HoldSqlRow[] | null;
}

interface RememberedSqlRow {
  key: string;
  fingerprint: string;
  at: number;
  seq: number | null;
  answer: string | null;
  record: JournalRecord | null;
}

const find = {
  lock: statement<rows.RealmSqlRow, [string]>(
    `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = $1 FOR UPDATE`,
  ),
  kinds: statement<rows.PointSqlRow, [string]>(
    `SELECT ${rows.POINT_COLUMNS} FROM points WHERE realm_id = $1 ORDER BY point_id`,
  ),
  assets: statement<rows.AssetSqlRow, [string]>(
    `SELECT ${rows.ASSET_COLUMNS} FROM assets WHERE realm_id = $1 ORDER BY asset_id`,
  ),
  challenges: lookUp<rows.ChallengeSqlRow>(
    'text',
    rows.CHALLENGE_COLUMNS,
    by('challenges', 'nonce'),
  ),
  unusedChallenges: lookUp<rows.ChallengeSqlRow>(
    'bigint',
    rows.CHALLENGE_COLUMNS,
    by('challenges', 'used_at IS NULL AND member_id'),
  ),
  members: lookUp<rows.MemberSqlRow>('bigint', rows.MEMBER_COLUMNS, by('members', 'member_id')),
  standings: statement<StandingSqlRow, [string, string[]]>(
    `SELECT wanted.id::text AS member_id, m.status, b.point_id, b.balance, b.open_holds,
       CASE WHEN b.open_holds > 0 THEN
         (SELECT json_agg(h) FROM (SELECT ${rows.HOLD_COLUMNS} FROM holds
            WHERE realm_id = $1 AND member_id = wanted.id AND point_id = b.point_id
              AND status = 'open') h) END AS holds
     FROM unnest($2::bigint[]) AS wanted(id)
     CROSS JOIN LATERAL (SELECT status FROM members
       WHERE realm_id = $1 AND member_id = wanted.id OFFSET 0) m
     LEFT JOIN LATERAL (SELECT point_id, balance, open_holds FROM balances
       WHERE realm_id = $1 AND member_id = wanted.id OFFSET 0) b ON true`,
  ),
  holds: lookUp<rows.HoldSqlRow, number>('bigint', rows.HOLD_COLUMNS, by('holds', 'hold_id')),
  accountsOf: lookUp<rows.AccountSqlRow>(
    'bigint',
    rows.ACCOUNT_COLUMNS,
    by('accounts', 'member_id'),
  ),
  accounts: lookUp<rows.AccountSqlRow>('text', rows.ACCOUNT_COLUMNS, by('accounts', 'account_key')),
  walletsOf: lookUp<rows.WalletSqlRow>('bigint', rows.WALLET_COLUMNS, by('wallets', 'member_id')),
  wallets: lookUp<rows.WalletSqlRow>('text', rows.WALLET_COLUMNS, by('wallets', 'wallet_key')),
  apiKeys: lookUp<rows.ApiKeySqlRow>('text', rows.API_KEY_COLUMNS, by('api_keys', 'key_id')),
  remembered: statement<RememberedSqlRow, [string, string[]]>(
    `SELECT r.*, (SELECT row_to_json(j) FROM (SELECT ${rows.JOURNAL_COLUMNS} FROM journal
         WHERE realm_id = $1 AND seq = r.seq) j) AS record
     FROM unnest($2::text[]) AS wanted(key) CROSS JOIN LATERAL
       (SELECT idempotency_key AS key, fingerprint, at, seq, answer
        FROM remembered WHERE realm_id = $1 AND idempotency_key = wanted.key OFFSET 0) r`,
  ),
  records: lookUp<JournalRecord, number>('bigint', rows.JOURNAL_COLUMNS, by('journal', 'seq')),
  reversed: lookUp<{ seq: number; tokens: number; by: number }, number>(
    'bigint',
    'seq, tokens, by_seq AS by',
    by('reversed', 'seq'),
  ),
  // The series is made as it is read, so only as far as free ids must be looked for.
  freeIds: statement<{ id: string }, [string, number]>(
    `SELECT wanted.id::text AS id FROM
       (SELECT generate_series(next_member_id, 9223372036854775807) AS id
        FROM realms WHERE realm_id = $1 OFFSET 0) wanted
     WHERE (SELECT 1 FROM members WHERE realm_id = $1 AND member_id = wanted.id) IS NULL
     LIMIT $2`,
  ),
};

/**
 * Locks a realm and loads what its commands must know. All of it is asked at once; the lock comes
 * first, and each statement sees what was committed when it began, so nothing is older than the
 * lock. Only records and holds that commands speak of cost another round: they name their members.
 */
export async function loadFacts(connection: Connection, needs: Needs): Promise<RealmFacts> {
  const { realmId } = needs;
  const facts = emptyFacts(realmId);
  const ask = asking(connection, realmId);
  const members = new Set([...needs.members, ...needs.profiles]);
  await together([
    connection.query(find.lock, realmId).then(([realm]) => {
      facts.realm = realm ? rows.realmRowOf(realm) : null;
    }),
    connection.query(find.kinds, realmId).then((kinds) => {
      facts.kinds = kinds.map(rows.kindOf);
    }),
    needs.assets &&
      connection.query(find.assets, realmId).then((assets) => {
        facts.assets = assets.map(rows.assetOf);
      }),
    ask(find.remembered, needs.idempotencyKeys, (row) => takeRemembered(facts, row)),
    ask(find.standings, members, standingTaker(facts)),
    ...profiles(ask, facts, needs),
    ...holders(ask, facts, needs),
    // An id enrolled meanwhile may be one that we would assign, so that many more must be free.
    needs.idsToAssign > 0 &&
      connection.query(find.freeIds, realmId, needs.idsToAssign + needs.idsToEnrol).then((free) => {
        facts.freeMemberIds = free.map(({ id }) => id);
      }),
    ask(find.records, needs.records, (record) => facts.records.push(record)),
    ask(find.reversed, needs.records, (row) => facts.reversed.push(row)),
    ask(find.holds, needs.holds, (row) => facts.holds.push(rows.holdOf(row))),
  ]);
  const spokenOf = membersSpokenOf(facts, needs).filter((id) => !members.has(id));
  await ask(find.standings, new Set(spokenOf), standingTaker(facts));
  return facts;
}

type Asking = ReturnType<typeof asking>;

/** Asks for a set of keys, unless it is empty. */
const asking =
  (connection: Connection, realmId: string) =>
  <Row, Key extends string | number>(
    statement: { name: string; text: string; shape?: [Row, [string, Key[]]] },
    keys: Set<Key>,
    take: (row: Row) => void,
  ): Promise<void> | false =>
    keys.size > 0 &&
    connection.query(statement, realmId, [...keys]).then((found) => {
      for (const row of found) take(row);
    });

/** Waits for all, so that nothing is under way any more when one of them fails. */
async function together(work: (Promise<void> | false)[]): Promise<void> {
  const results = await Promise.allSettled(work);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** A member comes once for each of its balances; its status counts once. */
function standingTaker(facts: RealmFacts): (row: StandingSqlRow) => void {
  let last = '';
  return ({ member_id: memberId, status, point_id: pointId, balance, open_holds, holds }) => {
    if (memberId !== last) facts.statuses.push({ memberId, status });
    last = memberId;
    if (pointId === null) return;
    facts.balances.push({ memberId, pointId, balance, openHolds: open_holds });
    for (const hold of holds ?? []) facts.holds.push(rows.holdOf(hold));
  };
}

function takeRemembered(facts: RealmFacts, { record, ...row }: RememberedSqlRow): void {
  facts.remembered.push(row as Remembered);
  if (record) facts.records.push(record);
}

function profiles(ask: Asking, facts: RealmFacts, { profiles: ids }: Needs) {
  return [
    ask(find.members, ids, (row) => facts.members.push(rows.memberOf(row))),
    ask(find.accountsOf, ids, (row) => facts.accounts.push(rows.accountOf(row))),
    ask(find.walletsOf, ids, (row) => facts.wallets.push(rows.walletOf(row))),
  ];
}

function holders(ask: Asking, facts: RealmFacts, needs: Needs) {
  const { accounts, wallets, apiKeys, challenges, challengesOf } = needs;
  return [
    ask(find.unusedChallenges, challengesOf, (row) => facts.challenges.push(row)),
    ask(find.challenges, challenges, (row) => facts.challenges.push(row)),
    ask(find.accounts, accounts, (row) => facts.accounts.push(rows.accountOf(row))),
    ask(find.wallets, wallets, (row) => facts.wallets.push(rows.walletOf(row))),
    ask(find.apiKeys, apiKeys, (row) => facts.apiKeys.push(rows.apiKeyOf(row))),
  ];
}

function membersSpokenOf({ records, holds }: RealmFacts, needs: Needs): string[] {
  const spokenOf = records.filter(({ seq }) => needs.records.has(seq));
  return [
    ...spokenOf.flatMap(({ data }) => membersOf(JSON.parse(data))),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}
