import { statSync } from 'node:fs';
import type { DatabaseAddress } from '../config/config.ts';
import type { RealmRow } from '../domain/model.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import type { WebhookRow } from '../domain/webhook.ts';
import { OperatorError } from '../operator-error.ts';
import { inspectDatabase, toOperatorError } from '../storage.ts';
import type { Inspection, ServerFacts } from '../store/inspection.ts';
import { openReadOnly, refuseUnwritable } from '../store/sqlite/database.ts';
import { startFault } from '../store/sqlite/integrity.ts';
import { about, type Finding } from './finding.ts';
import { journalFaults } from './journal.ts';

/** Realms that are looked at. */
export const MAX_REALMS = 1_000;

export interface DatabaseFacts {
  version: number;
  /** The schema version of this program. */
  known: number;
  server: ServerFacts | null;
  /** Null if the schema is not this program's: it cannot read what is there. */
  content: Content | null;
}

export interface Content {
  realms: RealmRow[];
  journalFaults: string[];
  erasingRealms: ErasingRealm[];
  webhooks: { realmId: string; webhook: WebhookRow }[];
  rootKeyHash: string | null;
  copiedTo: string | null;
}

/** 0 if nothing is recorded, or it cannot be read. */
export const lastRecordAt = (content: Content | null): number =>
  Math.max(0, ...(content?.realms ?? []).map(({ clockAt }) => clockAt));

/** What the database says, or why it cannot be asked. */
export async function factsOf(database: DatabaseAddress): Promise<DatabaseFacts | Finding> {
  const { warning, fault } = about('database');
  try {
    // A path that may not be looked at is another matter, and throws.
    const isFile = database.kind === 'sqlite';
    if (isFile && statSync(database.path, { throwIfNoEntry: false }) === undefined) {
      const advice = `The first start creates it; if there should be one, check ${database.name}.`;
      return warning(`There is no database ${database.shown}. ${advice}`);
    }
    const damage = database.kind === 'sqlite' ? damageOf(database.path) : null;
    if (damage === null) return await inspectDatabase(database, read);
    const restore = 'npx realmkeep restore <backup> --force';
    return fault(
      `${database.shown} is damaged: ${damage}. Stop the service and restore a backup: ${restore}`,
    );
  } catch (error) {
    const known = error instanceof OperatorError ? error : toOperatorError(database, error);
    return fault(known.message);
  }
}

function damageOf(path: string): string | null {
  refuseUnwritable(path);
  return startFault(path, openReadOnly);
}

async function read(
  inspection: Inspection,
  server?: () => Promise<ServerFacts>,
): Promise<DatabaseFacts> {
  const { version, migrations } = inspection;
  const known = migrations.length;
  return {
    version,
    known,
    server: server ? await server() : null,
    content: version === known ? await readContent(inspection) : null,
  };
}

async function readContent(inspection: Inspection): Promise<Content> {
  const realms = await inspection.realms(MAX_REALMS);
  const webhooks: Content['webhooks'] = [];
  for (const { id: realmId } of realms) {
    for (const webhook of await inspection.webhooks(realmId)) webhooks.push({ realmId, webhook });
  }
  return {
    realms,
    webhooks,
    journalFaults: await journalFaults(inspection, realms),
    erasingRealms: await inspection.erasingRealms(MAX_REALMS),
    rootKeyHash: await inspection.note('root_key_hash'),
    copiedTo: await inspection.note('copied_to'),
  };
}
