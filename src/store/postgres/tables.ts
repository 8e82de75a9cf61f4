import type { JournalRecord } from '../../domain/rules/journal.ts';
import { globalTable, nullable, text, withComputed } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';

/**
 * The journal of PostgreSQL also identifies batches: a writer whose connection drops at the commit
 * finds out from the first record of each realm whether its batch was committed.
 */
export const journal = withComputed<JournalRecord & { batch?: string }>(
  tables.records,
  nullable(text('batch')),
  ({ batch }) => batch ?? null,
);

/** Finds the realm of an API key, whose own row is stored with its realm. */
export const keyDirectoryTable = globalTable<{ id: string; realmId: string }>(
  'key_directory',
  ['key_id'],
  {
    id: text('key_id'),
    realmId: text('realm_id'),
  },
);
