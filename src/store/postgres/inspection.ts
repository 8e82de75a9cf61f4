import type { Inspection, ServerFacts } from '../inspection.ts';
import { tables } from '../tables/tables.ts';
import { Connection } from './connection.ts';
import { erasingRealms } from './erasure.ts';
import { hasSchema, schemaVersion } from './migrate.ts';
import { migrations } from './migrations.ts';
import { clockError } from './readiness.ts';
import { rowsOf } from './rows.ts';
import { statement, unlisted } from './statement.ts';

interface ServerRow {
  version: string;
  fsync: string;
  full_page_writes: string;
  archive_mode: string;
  archive_command: string;
  archived_at: number | null;
  failed_at: number | null;
}

const find = {
  realms: rowsOf(tables.realms).select<[string, number]>(
    'WHERE realm_id > $1 AND deleted_at IS NULL ORDER BY realm_id LIMIT $2',
  ),
  records: rowsOf(tables.records).select<[string, number, number]>(
    'WHERE realm_id = $1 AND seq > $2::bigint ORDER BY seq LIMIT $3',
  ),
  webhooks: rowsOf(tables.webhooks).select<[string]>('WHERE realm_id = $1 ORDER BY webhook_id'),
  note: statement<{ value: string }, [string]>('SELECT value FROM service WHERE name = $1'),
  server: statement<ServerRow, []>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('archive_mode') AS archive_mode,
       current_setting('archive_command') || coalesce(current_setting('archive_library', true), '')
         AS archive_command,
       (extract(epoch FROM last_archived_time) * 1000)::bigint AS archived_at,
       (extract(epoch FROM last_failed_time) * 1000)::bigint AS failed_at
     FROM pg_stat_archiver`,
  ),
};

/** Counting goes through a whole table, however long that takes. */
const COUNTING = 'SET LOCAL statement_timeout = 0; SET LOCAL enable_seqscan = on';

/** Looks at a database, and at the server that has it, in one transaction that only reads. */
export async function inspectPostgres<T>(
  url: string,
  look: (inspection: Inspection, server: () => Promise<ServerFacts>) => Promise<T>,
): Promise<T> {
  const connection = await Connection.open({ url, purpose: 'inspect' });
  try {
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const version = (await hasSchema(connection)) ? await schemaVersion(connection) : 0;
    return await look(inspectionOf(connection, version), () => serverFacts(connection));
  } finally {
    await connection.close();
  }
}

const inspectionOf = (connection: Connection, version: number): Inspection => ({
  version,
  migrations,
  countRows: async (table) => {
    await connection.run(COUNTING);
    const count = unlisted<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`);
    return (await connection.query(count))[0]?.count ?? 0;
  },
  realms: (limit) => connection.query(find.realms, '', limit),
  records: (realmId, after, limit) => connection.query(find.records, realmId, after, limit),
  webhooks: (realmId) => connection.query(find.webhooks, realmId),
  erasingRealms: (limit) => connection.query(erasingRealms, limit),
  note: async (name) => (await connection.query(find.note, name))[0]?.value ?? null,
});

async function serverFacts(connection: Connection): Promise<ServerFacts> {
  const clockErrorMs = await clockError(connection, Date.now);
  const [row] = await connection.query(find.server);
  if (!row) throw new Error('the server says nothing about itself');
  const { version, archive_mode, archive_command, archived_at: at, failed_at } = row;
  const failedAt = failed_at !== null && failed_at > (at ?? 0) ? failed_at : null;
  const hasCommand = archive_command !== '';
  return {
    version,
    clockErrorMs,
    unsafe: (['fsync', 'full_page_writes'] as const).filter((name) => row[name] === 'off'),
    archive: archive_mode === 'off' ? null : { hasCommand, at, failedAt },
  };
}
