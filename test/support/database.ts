import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Store } from '../../src/ledger/store.ts';
import { openPostgresLedger } from '../../src/store/postgres/ledger.ts';
import { distributePostgres, migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { clusterOf, joinCluster, oneAtATime, onServers, query, urlsOf } from './cluster.ts';
import { PostgresServer } from './postgres-server.ts';
import { openPostgresStore } from './postgres-store.ts';

/** Tests run over SQLite by default, and over PostgreSQL with `TEST_STORAGE=postgres`. */
export const STORAGE = process.env.TEST_STORAGE === 'postgres' ? 'postgres' : 'sqlite';

/** An empty database for one test. */
export interface TestDatabase {
  url: string;
  /** Runs SQL that both databases accept. */
  exec(sql: string): Promise<void>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** The store of one server; a cluster has none. */
  open(): Promise<Store>;
  ledger(clock?: () => number): Promise<Ledger>;
  /** Everything stored in it, as text. */
  contents(): Promise<string>;
  /** The bytes of its files, of a cluster on all servers. */
  files(): Promise<string>;
  drop(): Promise<void>;
}

export const newDatabase = (): Promise<TestDatabase> =>
  STORAGE === 'postgres' ? newPostgresDatabase() : newSqliteFile();

const newSqliteFile = async (): Promise<TestDatabase> =>
  sqliteFile(mkdtempSync(join(tmpdir(), 'realmkeep-test-')));

/** A file that is created when it is first opened. */
export function sqliteFile(folder: string): TestDatabase {
  const path = join(folder, 'realmkeep.db');
  const contents = async () =>
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join('\n');
  const within = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(path, { timeout: 5_000 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    url: `sqlite:${path}`,
    exec: async (sql) => within((db) => db.exec(sql)),
    rows: async (sql) => within((db) => db.prepare(sql).all()),
    open: async () => openSqliteStore(path),
    ledger: async (clock) => new InProcessLedger(openSqliteStore(path), clock),
    contents,
    files: contents,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

let server: Promise<string> | null = null;

/** The server that the test command has started, or one for this test file. */
function serverUrl(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return Promise.resolve(given);
  server ??= PostgresServer.start().then(({ url }) => url);
  return server;
}

const newName = (): string => `realmkeep_test_${randomBytes(6).toString('hex')}`;
const urlOf = (admin: string, name: string): string =>
  Object.assign(new URL(admin), { pathname: `/${name}` }).href;

/** A database with all tables, for `TEST_TEMPLATE`: to copy it is quicker than to migrate. */
export async function newTemplate(admin: string): Promise<string> {
  const name = newName();
  const url = urlOf(admin, name);
  const cluster = await clusterOf(admin);
  await onServers(admin, cluster, `CREATE DATABASE ${name}`);
  if (cluster) {
    await joinCluster(url, cluster);
    await distributePostgres(url);
  } else await migratePostgres(url);
  // A server does not copy a database while anybody is connected to it, even for its own upkeep.
  await onServers(admin, cluster, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  const others = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity`;
  await onServers(admin, cluster, `${others} WHERE datname = '${name}'`);
  return name;
}

/** A bare one has no tables, or, on a cluster, none that are distributed. */
export async function newPostgresDatabase(on?: string, isBare = false): Promise<TestDatabase> {
  const admin = on ?? (await serverUrl());
  const cluster = await clusterOf(admin);
  const name = newName();
  const { TEST_TEMPLATE } = process.env;
  const isCopy = TEST_TEMPLATE !== undefined && on === undefined && !isBare;
  const template = isCopy ? TEST_TEMPLATE : 'template1';
  // To copy its files takes a fifth of the time of writing all of them to the log.
  const create = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`;
  await onServers(admin, cluster, create);
  const url = urlOf(admin, name);
  if (cluster && !isCopy) {
    await oneAtATime(admin, async () => {
      await joinCluster(url, cluster);
      if (!isBare) await distributePostgres(url);
    });
  }
  return {
    url,
    exec: async (sql) => void (await query(url, sql)),
    rows: (sql) => query(url, sql),
    open: () => openPostgresStore(url),
    ledger: (clock) => openPostgresLedger(url, { clock }),
    contents: () => contentsOf(url),
    files: async () => (await Promise.all(urlsOf(url, cluster).map(filesOf))).join('\n'),
    drop: () => onServers(admin, cluster, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function contentsOf(url: string): Promise<string> {
  const tables = await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
  const rows = tables.map(({ tablename }) =>
    query(url, `SELECT t::text FROM ${tablename} t ORDER BY 1`),
  );
  return JSON.stringify(await Promise.all(rows));
}

/** All files of the database, not only those of tables, as they are after a checkpoint. */
export async function filesOf(url: string): Promise<string> {
  await query(url, 'CHECKPOINT');
  const files = await query(
    url,
    `SELECT pg_read_binary_file(format('base/%s/%s', oid, file), 0, 1000000000, true) AS bytes
     FROM pg_database, pg_ls_dir(format('base/%s', oid)) AS file
     WHERE datname = current_database()`,
  );
  return files.map(({ bytes }) => (bytes as Buffer | null)?.toString('latin1')).join('\n');
}
