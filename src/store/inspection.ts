import type { RealmRow } from '../domain/model.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import type { WebhookRow } from '../domain/webhook.ts';
import { erasingRealms } from './erasure.ts';
import { quickFault } from './quick-look.ts';
import { selectRows } from './rows.ts';
import { all, first, type Operation, query } from './statement.ts';
import { tables } from './tables.ts';
import type { Run } from './verification.ts';

type Found<T> = T | Promise<T>;

/**
 * A database that is only looked at: nothing is written, created or migrated. What reads whole rows
 * works on a database of this program's schema version.
 */
export interface Inspection {
  /** How many migrations were applied; 0 if there are no tables. */
  readonly version: number;
  /** All migrations of this program. */
  readonly migrations: readonly string[];
  /** The first realms, without deleted ones. */
  realms(limit: number): Found<RealmRow[]>;
  webhooks(realmId: string): Found<WebhookRow[]>;
  /** The first fault that a look at the last records of a realm finds. */
  quickFault(realm: RealmRow, records?: number): Found<string | null>;
  /** Realms with members whose erasure is not finished. */
  erasingRealms(limit: number): Found<ErasingRealm[]>;
  /** A setting that the service stores for itself. */
  note(name: string): Promise<string | null>;
}

const find = {
  realms: selectRows(
    tables.realms,
    "WHERE realm_id > '' AND deleted_at IS NULL ORDER BY realm_id LIMIT :limit",
  ),
  webhooks: selectRows(tables.webhooks, 'WHERE realm_id = :realmId ORDER BY webhook_id'),
  note: query<{ value: string }>('SELECT value FROM service WHERE name = :name'),
};

/** The first realms, without deleted ones. */
export const firstRealms = (limit: number): Operation<RealmRow[]> => all(find.realms, { limit });

/** Looks at a database by what is different in each. */
export const inspectionOf = (
  run: Run,
  database: Pick<Inspection, 'version' | 'migrations'>,
): Inspection => ({
  ...database,
  realms: (limit) => run(firstRealms(limit)),
  webhooks: (realmId) => run(all(find.webhooks, { realmId })),
  quickFault: (realm, records) => run(quickFault(realm, records)),
  erasingRealms: (limit) => run(erasingRealms({ limit })),
  note: async (name) => (await run(first(find.note, { name })))?.value ?? null,
});

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
