import type { RealmRow } from '../domain/model.ts';
import { PersonalAuditor, tailFault } from '../domain/rules/audit.ts';
import { type Comparison, MemberIndex } from '../domain/rules/comparison.ts';
import { HoldAuditor, heldFault, heldOnEach } from '../domain/rules/hold-audit.ts';
import { IdentityAuditor } from '../domain/rules/identity-audit.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import type { WebhookRow } from '../domain/webhook.ts';
import { find as lookUps } from './fact-look-ups.ts';
import { rowsBy, selectRows } from './rows.ts';
import { all, askRows, type LookUp, type Operation, query, together } from './statement.ts';
import { tables } from './tables.ts';
import { decoded, type Run } from './verification.ts';

/**
 * A database that is only looked at: nothing is written, created or migrated. What reads whole rows
 * works on a database of this program's schema version.
 */
export interface Inspection {
  /** How many migrations were applied; 0 if there are no tables. */
  readonly version: number;
  /** All migrations of this program. */
  readonly migrations: readonly string[];
  /** Looks at the same instant each time. */
  readonly run: Run;
}

const find = {
  realms: selectRows(
    tables.realms,
    "WHERE realm_id > '' AND deleted_at IS NULL ORDER BY realm_id LIMIT :limit",
  ),
  webhooks: selectRows(tables.webhooks, 'WHERE realm_id = :realmId ORDER BY webhook_id'),
};

export const firstRealms = (limit: number): Operation<RealmRow[]> => all(find.realms, { limit });

export const webhooksOf = (realmId: string): Operation<WebhookRow[]> =>
  all(find.webhooks, { realmId });

/** A server that has the database. */
export interface ServerFacts {
  /** Which one of a cluster; null if there is no other. */
  name: string | null;
  version: string;
  /** How far this machine's clock is ahead of the server's, in milliseconds, at least. */
  clockErrorMs: number;
  /** The settings that must be on for a commit to be durable, and are off. */
  unsafe: string[];
  /** How its tables differ from those of this program. */
  schemaFaults: string[];
  /** How the log is archived; null if `archive_mode` is off. */
  archive: Archive | null;
}

interface Archive {
  /** Without one, the server keeps its log and waits. */
  hasCommand: boolean;
  /** When it last succeeded, and when it failed since. */
  at: number | null;
  failedAt: number | null;
}

/** The records at the end of a journal that are looked at: a start must not take long. */
const TAIL = 20;
const OPEN_HOLDS = 100;

type RealmEnd = Pick<RealmRow, 'id' | 'seq' | 'head'>;
type InRealm = { realmId: string };

const ofJournal = {
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
  const tail = (yield* all(ofJournal.tail, { realmId, limit: records + 1 })).reverse();
  // The one before them, which they are chained to.
  const start = tail.length > records ? (tail.shift() ?? null) : null;
  const broken = tailFault(realm, start, tail);
  if (broken) return broken.detail;
  const parts = new PersonalAuditor();
  const index = new MemberIndex();
  const [identities, holds] = [new IdentityAuditor(index, true), new HoldAuditor(index, true)];
  const [members, keys] = [new Set<string>(), new Set<string>()];
  const [people, held] = [new Set<string>(), new Set<string>()];
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
  const holders = yield* all(ofJournal.holders, { realmId });
  const members = new Set(holders.map(({ memberId }) => memberId));
  const [holds, balances] = yield* together(
    askOf(lookUps.openHolds, realmId, members),
    askOf(ofJournal.balances, realmId, members),
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
