import type { Balance, IdempotencyRecord, Needs, RealmFacts } from '../../domain/facts.ts';
import type { Hold, MemberStatus } from '../../domain/model.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { findFreeIds } from '../../domain/rules/member-ids.ts';
import { emptyFacts } from '../../domain/rules/needs.ts';
import { referredMembers } from '../../domain/rules/postings.ts';
import { decode, type Stored } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import {
  FINGERPRINTS,
  loadByKeys,
  lookUpWith,
  NOW,
  rowsBy,
  rowsOfRealm,
  selectBy,
} from './fact-loads.ts';
import { columnsOf, someOf } from './rows.ts';
import { statement } from './statement.ts';

/** A member with one of its balances, or with none. */
interface MemberBalanceRow extends Pick<Balance, 'memberId' | 'balance' | 'held' | 'openHolds'> {
  status: MemberStatus;
  realmPointId: string | null;
  /** The expired holds on this balance that are still open; null if it has no open holds. */
  holds: Stored<Hold>[] | null;
}

const BALANCE = 'realm_point_id, balance, held::text, open_holds';

const memberBalances = lookUpWith<MemberBalanceRow>(
  NOW,
  'bigint',
  (realm, id, now) =>
    `SELECT ${id}::text AS "memberId", m.status, b.realm_point_id AS "realmPointId", b.balance,
         b.held, b.open_holds AS "openHolds", CASE WHEN b.open_holds > 0 THEN
           (SELECT json_agg(h) FROM (SELECT ${columnsOf(tables.holds)} FROM holds
              WHERE realm_id = ${realm} AND member_id = ${id} AND realm_point_id = b.realm_point_id
                AND status = 'open' AND expires_at <= ${now} ORDER BY hold_id) h) END AS holds
       FROM (${selectBy('members', 'status', 'member_id')(realm, id)}) m
       LEFT JOIN LATERAL
         (${selectBy('balances', BALANCE, 'member_id')(realm, id)}) b
         ON true`,
);

/** The record of an idempotency key, with the journal record of its answer if there is one. */
type IdempotencyRow = Stored<IdempotencyRecord> & { record: Stored<JournalRecord> | null };

/**
 * By its key. An answer may be megabytes long, so one that is not needed is not read. `IN` hashes
 * the fingerprints once; `= ANY` would compare all of them with each key that was used.
 */
const idempotencyRecord = (fingerprints: string) =>
  selectBy(
    'idempotency_keys',
    `${someOf(tables.idempotencyRecords, 'key', 'fingerprint', 'at', 'seq')},
       CASE WHEN answer IS NULL OR fingerprint IN (SELECT * FROM unnest(${fingerprints}))
         THEN answer ELSE '' END AS answer`,
    'idempotency_key',
  );

// The journal record is needed in any case: its salt may be part of the fingerprint.
const idempotencyRecords = lookUpWith<IdempotencyRow>(
  FINGERPRINTS,
  'text',
  (realm, key, fingerprints) =>
    `SELECT i.*, (SELECT row_to_json(j) FROM (SELECT ${columnsOf(tables.records)} FROM journal
           WHERE realm_id = ${realm} AND seq = i.seq AND i.answer IS NULL) j) AS record
       FROM (${idempotencyRecord(fingerprints)(realm, key)}) i`,
);

const usedIds = statement<{ id: string }, [string, string[]]>(
  `SELECT wanted.id::text AS id FROM unnest($2::bigint[]) AS wanted(id) CROSS JOIN LATERAL
     (${selectBy('members', '1', 'member_id')('$1', 'wanted.id')}) found`,
);

/** Everything that needs can name, in the order in which it is queried. */
const LOADS = [
  // Locked in the order of the parameters, which is that of the ids on every node.
  rowsOfRealm(tables.realms, 'FOR UPDATE', (facts, realm) => {
    facts.realm = realm;
  }),
  rowsOfRealm(tables.kinds, 'ORDER BY realm_point_id', ({ kinds }, kind) => kinds.push(kind)),
  rowsOfRealm(
    tables.assets,
    'ORDER BY asset_id',
    ({ assets }, asset) => assets.push(asset),
    ({ assets }) => assets,
  ),
  rowsOfRealm(
    tables.webhooks,
    'ORDER BY webhook_id',
    ({ webhooks }, webhook) => webhooks.push(webhook),
    ({ webhooks }) => webhooks,
  ),
  loadByKeys(
    idempotencyRecords,
    ({ idempotencyKeys }) => idempotencyKeys,
    ({ idempotencyRecords, records }, row) => {
      idempotencyRecords.push(decode(tables.idempotencyRecords, row));
      if (row.record) records.push(decode(tables.records, row.record));
    },
  ),
  loadByKeys(memberBalances, ({ members, profiles }) => members.union(profiles), addMemberBalance),
  rowsBy('members', 'member_id', 'profiles'),
  rowsBy('accounts', 'member_id', 'profiles'),
  rowsBy('wallets', 'member_id', 'profiles'),
  rowsBy('accounts', 'account_key', 'accounts'),
  rowsBy('wallets', 'wallet_key', 'wallets'),
  rowsBy('apiKeys', 'key_id', 'apiKeys'),
  rowsBy('challenges', 'member_id', 'challengesOf', 'used_at IS NULL AND '),
  rowsBy('challenges', 'nonce', 'challenges'),
  rowsBy('records', 'seq', 'records'),
  rowsBy('reversals', 'seq', 'records'),
  rowsBy('holds', 'hold_id', 'holds'),
  rowsBy('holds', 'member_id', 'openHoldsOf', "status = 'open' AND "),
];

const loadReferred = loadByKeys(
  memberBalances,
  (needs, facts) =>
    needs.records.size + needs.holds.size === 0
      ? []
      : new Set(referredMembers(facts, needs)).difference(needs.members).difference(needs.profiles),
  addMemberBalance,
);

/** Ids enrolled in the same batch may be among those to assign, so as many more must be free. */
async function loadFreeIds(
  connection: Connection,
  { realmId, idsToAssign, idsToEnrol }: Needs,
  facts: RealmFacts,
): Promise<void> {
  if (!facts.realm) return;
  const search = findFreeIds(facts.realm.nextMemberId, idsToAssign + idsToEnrol);
  let step = search.next();
  while (!step.done) {
    const used = await connection.query(usedIds, realmId, step.value);
    step = search.next(new Set(used.map(({ id }) => id)));
  }
  facts.freeMemberIds = step.value;
}

/** A member is found once for each of its balances; its status is added once. */
function addMemberBalance(facts: RealmFacts, row: MemberBalanceRow): void {
  const { memberId, status, realmPointId, balance, held, openHolds, holds } = row;
  if (facts.statuses.at(-1)?.memberId !== memberId) facts.statuses.push({ memberId, status });
  if (realmPointId === null) return;
  facts.balances.push({ memberId, realmPointId, balance, held, openHolds });
  for (const hold of holds ?? []) facts.holds.push(decode(tables.holds, hold));
}

/**
 * Locks realms, in the order of their needs, and loads the facts that their commands need, in one
 * round trip. The locks come first, and each statement sees what was committed when it began, so
 * nothing is older than the locks. Only two needs cost more round trips: records and holds that
 * commands refer to, because they name members, and ids to assign.
 */
export async function loadFacts(
  connection: Connection,
  needs: Needs[],
  now: number,
): Promise<RealmFacts[]> {
  const realms = needs.map((one) => ({ needs: one, facts: emptyFacts(one.realmId) }));
  const all = realms.map(({ facts }) => facts);
  const loading = { connection, realms, now, byId: new Map(all.map((one) => [one.realmId, one])) };
  await Promise.all(LOADS.map((load) => load(loading)));
  await loadReferred(loading);
  const assigning = realms.filter(({ needs }) => needs.idsToAssign > 0);
  await Promise.all(assigning.map(({ needs, facts }) => loadFreeIds(connection, needs, facts)));
  return all;
}
