import type { RealmRow } from '../domain/model.ts';
import { PersonalAuditor, tailFault } from '../domain/rules/audit.ts';
import type { Comparison } from '../domain/rules/comparison.ts';
import { HoldAuditor, heldFault, heldOnEach } from '../domain/rules/hold-audit.ts';
import { IdentityAuditor } from '../domain/rules/identity-audit.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { MemberIndex } from '../domain/rules/member-columns.ts';
import { find as lookUps } from './fact-look-ups.ts';
import { rowsBy, selectRows } from './rows.ts';
import { all, askRows, type LookUp, type Operation, query, together } from './statement.ts';
import { tables } from './tables.ts';
import { decoded } from './verification.ts';

/** The records at the end of a journal that are looked at: a start must not take long. */
const TAIL = 20;
const OPEN_HOLDS = 100;

type RealmEnd = Pick<RealmRow, 'id' | 'seq' | 'head'>;
type InRealm = { realmId: string };

const find = {
  tail: selectRows<JournalRecord, InRealm & { limit: number }>(
    tables.records,
    'WHERE realm_id = :realmId ORDER BY seq DESC LIMIT :limit',
  ),
  holders: query<{ memberId: string }, InRealm>(
    ({ using }) =>
      `SELECT CAST(member_id AS TEXT) AS "memberId" FROM holds ${using('holds_by_status')}
       WHERE realm_id = :realmId AND status = 'open' ORDER BY hold_id LIMIT ${OPEN_HOLDS}`,
  ),
  balances: rowsBy(tables.balances, 'member_id'),
};

/**
 * Compares what the last records of a journal say of members, wallets, keys, people and holds with
 * their rows, and open holds with balances: the first fault, or null. `verify` compares everything.
 */
export function* quickFault(realm: RealmEnd, records = TAIL): Operation<string | null> {
  const realmId = realm.id;
  const tail = (yield* all(find.tail, { realmId, limit: records + 1 })).reverse();
  // The one before them, which they are chained to.
  const start = tail.length > records ? (tail.shift() ?? null) : null;
  const broken = tailFault(realm, start, tail);
  if (broken) return broken.detail;
  const parts = new PersonalAuditor();
  const index = new MemberIndex();
  const [identities, holds] = [new IdentityAuditor(index, true), new HoldAuditor(index, true)];
  const [members, keys, people, held] = Array.from({ length: 4 }, () => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  for (const record of tail) {
    const fault = parts.checkRecord(record) ?? holds.checkRecord(record);
    if (fault) return fault.detail;
    const { record: found } = decoded(record);
    identities.add(found);
    const { seq, type, data } = found;
    if ('memberId' in data && /^(member|wallet)\./.test(type)) members.add(data.memberId);
    if ('keyId' in data) keys.add(data.keyId);
    if ('newKeyId' in data) keys.add(data.newKeyId);
    if ('personId' in data) people.add(data.personId);
    if (type === 'points.held') held.add(String(seq));
  }
  const [profiles, wallets, apiKeys, persons, rows] = yield* together(
    askOf(lookUps.profiles, realmId, members),
    askOf(lookUps.walletsOf, realmId, members),
    askOf(lookUps.apiKeys, realmId, keys),
    askOf(lookUps.people, realmId, people),
    askOf(lookUps.holds, realmId, held),
  );
  return (
    firstFault(identities.profiles(), profiles) ??
    firstFault(identities.wallets(), wallets) ??
    firstFault(identities.keys(), apiKeys) ??
    firstFault(identities.people(), persons) ??
    firstFault(holds.holds(), rows) ??
    (yield* miscounted(realmId))
  );
}

/** Compares the first open holds with the balances that they are on. */
function* miscounted(realmId: string): Operation<string | null> {
  const holders = yield* all(find.holders, { realmId });
  const members = new Set(holders.map(({ memberId }) => memberId));
  const [holds, balances] = yield* together(
    askOf(lookUps.openHolds, realmId, members),
    askOf(find.balances, realmId, members),
  );
  const held = heldOnEach(holds.map(({ row }) => row));
  for (const { row } of balances) {
    const fault = heldFault(row, held(row));
    if (fault !== null) return `member ${row.memberId}: ${fault}`;
  }
  return null;
}

const askOf = <Row>(which: LookUp<Row>, realmId: string, keys: ReadonlySet<string>) =>
  askRows(which, Array<string>(keys.size).fill(realmId), [...keys]);

function firstFault<Row>(
  comparison: Comparison<Row>,
  found: readonly { row: Row }[],
): string | null {
  for (const { row } of found) {
    const fault = comparison.add(row);
    if (fault) return fault.detail;
  }
  return comparison.end()?.detail ?? null;
}
