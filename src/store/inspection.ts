import type { RealmRow } from '../domain/model.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import type { WebhookRow } from '../domain/webhook.ts';

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
  countRows(table: string): Found<number>;
  /** The first realms, without deleted ones. */
  realms(limit: number): Found<RealmRow[]>;
  records(realmId: string, after: number, limit: number): Found<JournalRecord[]>;
  webhooks(realmId: string): Found<WebhookRow[]>;
  /** Realms with members whose erasure is not finished. */
  erasingRealms(limit: number): Found<ErasingRealm[]>;
  /** A setting that the service stores for itself. */
  note(name: string): Found<string | null>;
}

/** A server that has the database. */
export interface ServerFacts {
  version: string;
  /** How far this machine's clock is ahead of the server's, in milliseconds, at least. */
  clockErrorMs: number;
  /** The settings that must be on for a commit to be durable, and are off. */
  unsafe: string[];
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
