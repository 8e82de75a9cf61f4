import { statSync } from 'node:fs';
import type { DatabaseAddress } from '../../config/config.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { RealmRow } from '../../domain/model.ts';
import type { ErasingRealm } from '../../domain/queries.ts';
import { CLOCK_TOLERANCE_MS } from '../../domain/rules/journal.ts';
import type { WebhookRow } from '../../domain/webhook.ts';
import { inspectDatabase, toOperatorError } from '../../storage/storage.ts';
import { erasingRealms } from '../../store/erasure.ts';
import {
  firstRealms,
  type Inspection,
  quickFault,
  type ServerFacts,
  webhooksOf,
} from '../../store/inspection.ts';
import { clockFault } from '../../store/postgres/inspection.ts';
import { realmReaders } from '../../store/readers/realms.ts';
import { StoreRefusal } from '../../store/refusal.ts';
import { openReadOnly, refuseUnwritable } from '../../store/sqlite/database.ts';
import { startFault } from '../../store/sqlite/integrity.ts';
import type { Run } from '../../store/verification.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const MAX_REALMS = 1_000;

export type DatabaseFacts = Awaited<ReturnType<typeof read>>;
export type Content = Awaited<ReturnType<typeof readContent>>;

/** 0 if nothing is recorded, or it cannot be read. */
export const lastRecordAt = (content: Content | null): number =>
  Math.max(0, ...(content?.realms ?? []).map(({ clockAt }) => clockAt));

/** What the database says, or why it cannot be asked. */
export async function factsOf(database: DatabaseAddress): Promise<DatabaseFacts | Finding> {
  try {
    if (database.kind === 'sqlite') {
      const { path, name } = database;
      // A path that may not be looked at is another matter, and throws.
      if (statSync(path, { throwIfNoEntry: false }) === undefined) {
        const advice = `The first start creates it; if there should be one, check ${name}.`;
        return warning(`There is no database ${path}. ${advice}`);
      }
      refuseUnwritable(path);
      const damage = startFault(path, openReadOnly);
      if (damage !== null) throw new StoreRefusal('database-damaged', damage);
    }
    return await inspectDatabase(database, read);
  } catch (error) {
    const known = error instanceof OperatorError ? error : toOperatorError(database, error);
    return fault(known.message);
  }
}

async function read(inspection: Inspection, all?: () => Promise<ServerFacts[]>) {
  const { version, migrations, run } = inspection;
  const known = migrations.length;
  const servers = all ? await all() : [];
  // Of another schema, this program cannot read what is there.
  const isOwn = version === known && servers.every(({ schemaFaults }) => schemaFaults.length === 0);
  const content = isOwn ? await readContent(run) : null;
  return { version, known, server: servers[0] ?? null, servers, content };
}

async function readContent(run: Run) {
  const realms = await run(firstRealms(MAX_REALMS));
  const webhooks: { realmId: string; webhook: WebhookRow }[] = [];
  for (const { id: realmId } of realms) {
    for (const webhook of await run(webhooksOf(realmId))) webhooks.push({ realmId, webhook });
  }
  return {
    realms,
    webhooks,
    journalFaults: await journalFaults(run, realms),
    erasingRealms: await run(erasingRealms({ limit: MAX_REALMS })),
    rootKeyHash: await run(realmReaders.note({ name: 'root_key_hash' })),
    copiedTo: await run(realmReaders.note({ name: 'copied_to' })),
  };
}

export function databaseFinding(
  { shown }: DatabaseAddress,
  { server, content }: DatabaseFacts,
): Finding {
  if (content?.copiedTo) {
    const sentence = `${shown} was copied to ${content.copiedTo}, and is no longer the original.`;
    return warning(`${sentence} Use the copy, or delete the note as docs/postgres.md says.`);
  }
  const kind = server ? `PostgreSQL ${server.version}` : 'SQLite';
  const count = content?.realms.length ?? 0;
  const realms = count === MAX_REALMS ? `at least ${count} realms` : `realms: ${count}`;
  return ok(`${shown} can be read (${kind}, ${realms}).`);
}

export function migrationFinding({ version, known, server }: DatabaseFacts): Finding {
  const [changed, ...others] = server?.schemaFaults ?? [];
  if (version === known && changed !== undefined) {
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    const advice =
      'Find out who changed the schema, and undo it; "npx realmkeep verify" checks rows.';
    return fault(`The schema is not that of this program: ${changed}${more}. ${advice}`);
  }
  if (version === known) return ok(`The schema version is ${version}, as it should be.`);
  const found = `The schema version is ${version}; that of this program is ${known}.`;
  if (version > known) {
    const advice = 'run that one, or restore a backup made before the upgrade (docs/upgrading.md)';
    return fault(`${found} A newer program has migrated the database: ${advice}.`);
  }
  const plan = '"npx realmkeep migrate --plan" says what that takes.';
  return warning(`${found} The next start migrates it: ${plan}`);
}

/** Compares the clock with that of the server, and with what was recorded last. */
export function clockFinding(
  { server, content }: Pick<DatabaseFacts, 'server' | 'content'>,
  now: number,
): Finding {
  const difference = server && clockFault(server.clockErrorMs);
  if (difference) return fault(difference.reason);
  const last = lastRecordAt(content);
  if (last <= now + CLOCK_TOLERANCE_MS) return ok('The clock fits what is recorded.');
  const instant = new Date(last).toISOString();
  const found = `The last record was written when the clock showed ${instant}`;
  const advice = 'It was ahead then, or is behind now. Synchronise it, for example with NTP.';
  return warning(`${found}, which is in the future. ${advice}`);
}

/** The last records of each journal that are checked: what damage and crashes would affect. */
const TAIL = 100;
const MAX_LISTED = 5;

async function journalFaults(run: Run, realms: readonly RealmRow[]): Promise<string[]> {
  const faults: string[] = [];
  for (const realm of realms) {
    const fault = await run(quickFault(realm, TAIL));
    if (fault) faults.push(`${realm.id}: ${fault}`);
    if (faults.length === MAX_LISTED) break;
  }
  return faults;
}

export function journalFindings({ realms, journalFaults }: Content): Finding[] {
  if (journalFaults.length === 0) {
    const all = `(realms: ${realms.length}). "npx realmkeep verify" checks all records.`;
    return [ok(`The last ${TAIL} records of each realm fit their hashes ${all}`)];
  }
  const advice = 'Run "npx realmkeep verify", and restore a backup if it finds the same.';
  return journalFaults.map((text) => fault(`${text}. ${advice}`));
}

/** A service that runs is done with most erasures sooner. */
const EXPECTED_MS = 60_000;

/** Members that were to be erased, and are not yet. */
export function erasureFinding(realms: readonly ErasingRealm[], now: number): Finding {
  const [first] = realms.toSorted((a, b) => a.since - b.since);
  if (!first) return ok('No erasure of a member is unfinished.');
  const members = realms.reduce((sum, each) => sum + each.members, 0);
  const since = new Date(first.since).toISOString();
  const place = `first in ${first.realmId}, at ${since}`;
  const found = `Members that are being erased: ${members}, ${place}.`;
  if (now - first.since < EXPECTED_MS) return ok(found);
  return warning(`${found} A running service continues; if one runs, its log says why it fails.`);
}
