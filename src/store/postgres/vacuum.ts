import { setTimeout as delay } from 'node:timers/promises';
import { StoreRefusal } from '../refusal.ts';
import { tables } from '../tables.ts';
import { HERE_ALONE, serversOf } from './citus/catalogue.ts';
import { Connection } from './connection.ts';
import { isLockTimeout } from './errors.ts';
import { statement } from './statement.ts';

const { records, members, accounts, wallets, challenges, holds, idempotencyRecords, deliveries } =
  tables;

/** The tables that tell about persons. */
const PERSONAL_TABLES: readonly string[] = [
  ...[records, members, accounts, wallets, challenges, holds, idempotencyRecords, deliveries],
  tables.words,
].map(({ name }) => name);

/** Where the server has samples of their columns. */
const STATISTICS = 'pg_catalog.pg_statistic';

/** Transactions that end sooner let the rewriting begin. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 200;

const currentId = statement<{ xid: string }, []>('SELECT pg_current_xact_id()::xid::text AS xid');
const fileOf = statement<{ file: number }, [string]>(
  'SELECT pg_relation_filenode($1::text::regclass)::bigint AS file',
);

/**
 * Who still sees rows as they were before the transaction $1, so that they cannot be removed. What
 * has changed something in another database counts, too, since every snapshot begins with the
 * oldest of these.
 */
const OLDER = 'age($1::text::xid) < age';
const older = statement<{ holder: string }, [string]>(
  `SELECT format('process %s (%s)', pid, application_name) AS holder FROM pg_stat_activity
     WHERE (datname = current_database() OR datname IS NULL) AND pid <> pg_backend_pid()
       AND (${OLDER}(backend_xmin) OR ${OLDER}(backend_xid))
   UNION ALL SELECT 'prepared transaction ' || gid FROM pg_prepared_xacts
     WHERE ${OLDER}(transaction)
   UNION ALL SELECT 'replication slot ' || slot_name FROM pg_replication_slots
     WHERE ${OLDER}(xmin) OR ${OLDER}(catalog_xmin)
   UNION ALL SELECT format('process %s of database %s', pid, datname) FROM pg_stat_activity
     WHERE ${OLDER}(backend_xid)
   LIMIT 1`,
);

/** For a table in which ANALYZE found no rows: each of its columns with the type that it has. */
const emptyColumns = statement<{ columns: string | null }, [string]>(
  `SELECT string_agg(format('ALTER COLUMN %I TYPE %s%s', attname, format_type(atttypid, atttypmod),
       CASE attcollation WHEN 0 THEN '' ELSE ' COLLATE ' || attcollation::regcollation END),
     ', ') AS columns
   FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
   WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND reltuples = 0`,
);

/** The same on every server of a cluster. Returns the names of the tables. */
export async function vacuumPostgres(
  url: string,
  onTable: (table: string) => void,
  patienceMs = PATIENCE_MS,
): Promise<readonly string[]> {
  for (const { url: own, shards } of await serversOf(url)) {
    const parts = shards.flatMap((shard) => PERSONAL_TABLES.map((name) => shard.renameIn(name)));
    // Where the rows were before they were distributed, samples of them may be left.
    await vacuumServer(own, [...PERSONAL_TABLES, ...parts], onTable, patienceMs);
  }
  return PERSONAL_TABLES;
}

/**
 * Writes tables anew, without what deleted and changed rows leave behind, and then the samples of
 * their columns; locks each table meanwhile.
 */
async function vacuumServer(
  url: string,
  tables: readonly string[],
  onTable: (table: string) => void,
  patienceMs: number,
): Promise<void> {
  await using connection = await Connection.forOperator(url);
  await connection.run(`SET statement_timeout = 0; ${HERE_ALONE}`);
  await olderTransactionsEnd(connection, patienceMs);
  for (const table of tables) {
    onTable(table);
    await rewrite(connection, table, 'FULL, ANALYZE');
    await dropOldSamples(connection, table);
  }
  // The samples were replaced only now: whoever came meanwhile may still see the old ones.
  await olderTransactionsEnd(connection, patienceMs);
  await rewrite(connection, STATISTICS, 'FULL');
}

/** Rows that an older transaction can still see would be copied, however dead they are. */
async function olderTransactionsEnd(connection: Connection, patienceMs: number): Promise<void> {
  const [{ xid } = { xid: '' }] = await connection.query(currentId);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [found] = await connection.query(older, xid);
    if (!found) return;
    if (performance.now() > deadline) {
      const why = `${found.holder} keeps old rows visible. Run this again when it has ended`;
      throw new StoreRefusal('database-in-use', why);
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** The server skips what the user may not rewrite, with no more than a warning. */
async function rewrite(connection: Connection, table: string, how: string): Promise<void> {
  const file = async () => (await connection.query(fileOf, table))[0]?.file;
  const before = await file();
  await runLocking(connection, table, `VACUUM (${how}) ${table}`);
  if ((await file()) !== before) return;
  const owner = table === STATISTICS ? 'the owner of the database' : 'its owner';
  throw new StoreRefusal('not-rewritten', `the server skipped ${table}; ${owner} has to do it`);
}

/**
 * ANALYZE leaves the samples of a table without rows as they are. To give a column the type that it
 * has drops its sample, and changes nothing else.
 */
async function dropOldSamples(connection: Connection, table: string): Promise<void> {
  const [found] = await connection.query(emptyColumns, table);
  if (found?.columns) await runLocking(connection, table, `ALTER TABLE ${table} ${found.columns}`);
}

async function runLocking(connection: Connection, table: string, text: string): Promise<void> {
  await connection.run(text).catch((cause) => {
    if (!isLockTimeout(cause)) throw cause;
    const why = `another transaction uses ${table}. Run this again when it has ended`;
    throw new StoreRefusal('database-in-use', why, { cause });
  });
}
