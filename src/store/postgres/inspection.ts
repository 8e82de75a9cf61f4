import { type Inspection, inspectionOf, type ServerFacts } from '../inspection.ts';
import { Connection } from './connection.ts';
import { runOn } from './driver.ts';
import { hasSchema, migrations, schemaVersion } from './migrate.ts';
import { clockError } from './readiness.ts';
import { statement } from './statement.ts';

interface ServerRow {
  version: string;
  fsync: string;
  full_page_writes: string;
  archive_mode: string;
  archive_command: string;
  archived_at: number | null;
  failed_at: number | null;
}

const SERVER = statement<ServerRow, []>(
  `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('archive_mode') AS archive_mode,
       current_setting('archive_command') || coalesce(current_setting('archive_library', true), '')
         AS archive_command,
       (extract(epoch FROM last_archived_time) * 1000)::bigint AS archived_at,
       (extract(epoch FROM last_failed_time) * 1000)::bigint AS failed_at
     FROM pg_stat_archiver`,
);

/** Looks at a database, and at the server that has it, in one transaction that only reads. */
export async function inspectPostgres<T>(
  url: string,
  look: (inspection: Inspection, server: () => Promise<ServerFacts>) => Promise<T>,
): Promise<T> {
  const connection = await Connection.open({ url, purpose: 'inspect' });
  try {
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const version = (await hasSchema(connection)) ? await schemaVersion(connection) : 0;
    const inspection = inspectionOf((operation) => runOn(connection, operation), {
      version,
      migrations,
    });
    return await look(inspection, () => serverFacts(connection));
  } finally {
    await connection.close();
  }
}

async function serverFacts(connection: Connection): Promise<ServerFacts> {
  const clockErrorMs = await clockError(connection, Date.now);
  const [row] = await connection.query(SERVER);
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
