import type { StorageFault } from '../../domain/queries.ts';
import { postgres } from '../dialect.ts';
import type { Inspection, ServerFacts } from '../inspection.ts';
import { ALL_TABLES, NOT_MIGRATED } from '../schema.ts';
import type { Run } from '../verification.ts';
import { Verifier } from '../verifier.ts';
import { serversOf } from './citus/catalogue.ts';
import type { ShardOf } from './citus/placement.ts';
import { Connection, within } from './connection.ts';
import type { Database } from './database.ts';
import { runOn } from './driver.ts';
import { toDomainError } from './errors.ts';
import { migrations, schemaVersion } from './migrate.ts';
import type { ReaderPool } from './pools.ts';
import { statement } from './statement.ts';

const SERVER = statement<
  { facts: Omit<ServerFacts, 'name' | 'clockErrorMs' | 'schemaFaults'> },
  []
>(
  `SELECT json_build_object(
     'version', current_setting('server_version'),
     'unsafe', ARRAY(SELECT name FROM unnest(ARRAY['fsync', 'full_page_writes']) AS name
       WHERE current_setting(name) = 'off'),
     'archive', CASE WHEN current_setting('archive_mode') <> 'off' THEN json_build_object(
       'hasCommand', current_setting('archive_command')
         || coalesce(current_setting('archive_library', true), '') <> '',
       'at', (extract(epoch FROM last_archived_time) * 1000)::bigint,
       'failedAt', CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity')
         THEN (extract(epoch FROM last_failed_time) * 1000)::bigint END) END) AS facts
   FROM pg_stat_archiver`,
);

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Checks realms on connections of their own. */
export const postgresVerifier = (database: Database, shardOf: ShardOf | null): Verifier =>
  new Verifier(async (check) => {
    try {
      await using connection = await database.connect('verify');
      await connection.run(SNAPSHOT);
      return await check((operation) => runOn(connection, operation, { shardOf }));
    } catch (error) {
      throw toDomainError(error);
    }
  });

/** Looks at a database in one transaction that only reads, and at the servers that have it. */
export async function inspectPostgres<T>(
  url: string,
  look: (inspection: Inspection, servers: () => Promise<ServerFacts[]>) => Promise<T>,
): Promise<T> {
  await using connection = await Connection.open({ url, purpose: 'inspect' });
  // Citus has no generic plan for all servers.
  await connection.run(`SET plan_cache_mode = auto; ${SNAPSHOT}`);
  const run: Run = (operation) => runOn(connection, operation);
  const version = await schemaVersion(connection);
  return await look({ version, migrations, run }, async () =>
    Promise.all((await serversOf(url)).map(serverFacts)),
  );
}

async function serverFacts({ url, name }: { url: string; name: string | null }) {
  await using connection = await Connection.open({ url, purpose: 'inspect' });
  const clockErrorMs = await clockError(connection, Date.now);
  const [row] = await connection.query(SERVER);
  if (!row) throw new Error('the server says nothing about itself');
  return { clockErrorMs, name, schemaFaults: await catalogueFaults(connection), ...row.facts };
}

/** A readiness probe should not have to wait long for a negative answer. */
const READY_MS = 2_000;
const MAX_CLOCK_ERROR_MS = 2_000;

const NO_ANSWER: StorageFault = { check: 'storage', reason: 'The database does not answer.' };

const NOW = statement<{ now: number }, []>(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
);

/** What keeps this node from serving callers: the database, its version, or the node's clock. */
export const readiness = (readers: ReaderPool, clock: () => number): Promise<StorageFault[]> =>
  within(
    READY_MS,
    readers.use(async (connection) => {
      // A newer node may have applied further migrations.
      if ((await schemaVersion(connection)) < migrations.length) return [NOT_MIGRATED];
      const fault = clockFault(await clockError(connection, clock));
      return fault ? [fault] : [];
    }),
    [NO_ANSWER],
  );

/**
 * How far the node's clock is ahead of the database's, at least. The database read its clock at
 * some moment of the round trip: under load, when that takes long, nobody knows when.
 */
async function clockError(connection: Connection, clock: () => number): Promise<number> {
  const [sentAt, started] = [clock(), performance.now()];
  const [row] = await connection.query(NOW);
  const half = (performance.now() - started) / 2;
  const error = sentAt + half - (row?.now ?? sentAt);
  return Math.sign(error) * Math.max(0, Math.abs(error) - half);
}

export function clockFault(error: number): StorageFault | null {
  if (Math.abs(error) <= MAX_CLOCK_ERROR_MS) return null;
  const seconds = (Math.abs(error) / 1_000).toFixed(1);
  const direction = error > 0 ? 'ahead of' : 'behind';
  const reason = `The clock of this node is ${seconds} s ${direction} the clock of the database.`;
  return { check: 'clock', reason: `${reason} Synchronise it, for example with NTP.` };
}

/**
 * A row of 256 kB, which has to find space in a table and in the log. The commands of one text are
 * one transaction, and the row is gone at its end. A missing standby delays writes, but does not
 * fail them, so the probe does not wait for it.
 */
export const PROBE = `
  SET LOCAL synchronous_commit = local;
  INSERT INTO service (name, value) SELECT 'probe-' || pg_backend_pid(),
    string_agg(md5(random()::text), '') FROM generate_series(1, 8192);
  DELETE FROM service WHERE name = 'probe-' || pg_backend_pid()`;

/**
 * What belongs to our tables, each as a line: what acts on their rows as well. Other programs may
 * have tables and views beside them. A cluster has internal triggers.
 */
const FOUND = statement<{ line: string }, [readonly string[]]>(
  `WITH own AS (SELECT c.oid, c.relname AS name, c.relkind, c.relrowsecurity
     FROM unnest($1::text[]) AS named(name) JOIN pg_class c ON c.oid = to_regclass(named.name))
   SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'no table ' END || name AS line FROM own
   UNION ALL SELECT 'row security of ' || name FROM own WHERE relrowsecurity
   UNION ALL SELECT format('column %s.%s %s%s%s', name, attname, format_type(atttypid, atttypmod),
       CASE WHEN attnotnull THEN ' NOT NULL' END, CASE WHEN atthasdef THEN ' with a default' END)
     FROM own JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
   UNION ALL SELECT format('%sindex %s.%s', CASE WHEN NOT indisvalid THEN 'invalid ' END, name,
       indexrelid::regclass) FROM own JOIN pg_index ON indrelid = oid
   UNION ALL SELECT format('trigger %s.%s', name, tgname)
     FROM own JOIN pg_trigger ON tgrelid = own.oid AND NOT tgisinternal
   UNION ALL SELECT format('rule %s.%s', name, rulename)
     FROM own JOIN pg_rewrite ON ev_class = own.oid
   UNION ALL SELECT format('constraint %s.%s', name, conname)
     FROM own JOIN pg_constraint ON conrelid = own.oid AND contype NOT IN ('p', 'n')`,
);

const CREATED = /^\s*CREATE INDEX (\w+) ON (\w+)/gm;

/** The same as it should be. */
function expected(): Set<string> {
  const lines = ALL_TABLES.flatMap(({ name, columns }) => [
    `table ${name}`,
    `index ${name}.${name}_pkey`,
    ...columns.map(({ name: own, type, isNullable }) => {
      const [word] = postgres.types[type].split(' ');
      return `column ${name}.${own} ${word}${isNullable ? '' : ' NOT NULL'}`;
    }),
  ]);
  const indexes = migrations.join('\n').matchAll(CREATED);
  return new Set([...lines, ...indexes.map(([, index, table]) => `index ${table}.${index}`)]);
}

/** How the tables differ from what the migrations have made. */
async function catalogueFaults(connection: Connection): Promise<string[]> {
  const own = expected();
  const rows = await connection.query(
    FOUND,
    ALL_TABLES.map(({ name }) => name),
  );
  const found = new Set(rows.map(({ line }) => line));
  return [
    ...[...found].filter((line) => !own.has(line)).map((line) => `there is the ${line}`),
    ...[...own].filter((line) => !found.has(line)).map((line) => `there is no ${line}`),
  ];
}
