import type { QueryName, Reader } from '../../domain/queries.ts';
import type { TimingListener } from '../../ledger/batch-timing.ts';
import type { Unavailable } from '../../ledger/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Availability, Store } from '../../ledger/store.ts';
import { housekeeping } from '../housekeeping.ts';
import { readers } from '../readers/index.ts';
import { callsOf } from '../statement.ts';
import { PostgresBatchWriter } from './batch-writer.ts';
import type { Shard } from './citus/catalogue.ts';
import { keepHere, onEach, requireHere, type ShardOf } from './citus/placement.ts';
import type { Database, DatabaseEvents } from './database.ts';
import { PROBE, postgresVerifier, readiness } from './inspection.ts';
import { MemberReads } from './member-reads.ts';
import { PostgresNotifications } from './notifications.ts';
import { ReaderPool, TransactionPool } from './pools.ts';

const READERS = 4;
/** On connections of their own, look-ups of keys wait for no other read. */
const KEY_READERS = 1;
const KEY_QUERIES: ReadonlySet<string> = new Set<QueryName>(['apiKey', 'person', 'session']);
const TRANSACTIONS = 2;

/** Long enough for a restart or a failover; with callers who wait, it should be less. */
const SETTLE_MS = 5_000;

interface StoreOptions {
  events?: DatabaseEvents;
  clock?: (() => number) | undefined;
  /** How long the outcome of a write is investigated before it is reported as unknown. */
  settleMs?: number;
}

export interface LedgerOptions extends StoreOptions {
  onTimed?: TimingListener | null;
  /** A server of a cluster is away, or with null back. */
  onServer?: ((name: string, cause: Unavailable | null) => void) | undefined;
}

/** A ledger in this thread, with what callers that take turns elsewhere use. */
export interface PostgresLedger extends Ledger {
  reader: Reader;
  availability: Availability;
}

export interface Pools {
  keys: ReaderPool;
  transactions: TransactionPool;
}

interface Parts {
  /** Where the realms of a cluster are; null if the database is none. */
  shardOf?: ShardOf | null;
  /** Writes a little. */
  probeText?: string;
}

/** The store on one server. On a cluster its calls also take shards, and have a result for each. */
export function storeOn(
  database: Database,
  {
    clock = Date.now,
    settleMs = SETTLE_MS,
    shardOf = null,
    probeText = PROBE,
  }: StoreOptions & Parts,
): Store & { pools: Pools } {
  const pool = new ReaderPool(database, READERS);
  const keys = new ReaderPool(database, KEY_READERS);
  const transactions = new TransactionPool(database, TRANSACTIONS);
  const memberReads = new MemberReads((operation) => pool.run(operation));
  const verifier = postgresVerifier(database, shardOf);
  const notifications = new PostgresNotifications(database, pool);
  const writerFor = (realmsPerBatch: number, isPatient: boolean) =>
    new PostgresBatchWriter(database, { realmsPerBatch, settleMs, isPatient, shardOf });
  return {
    pools: { keys, transactions },
    writer: writerFor(Number.POSITIVE_INFINITY, false),
    lockedWriter: writerFor(1, true),
    largeWriter: writerFor(1, true),
    availability: database.outage,
    notifications,
    reader: {
      ...callsOf(readers, (operation, name, shards?: readonly Shard[]) => {
        const connections = KEY_QUERIES.has(name) ? keys : pool;
        if (!shards) return connections.run(operation);
        return connections.run(() => onEach(shards, operation), requireHere(shards));
      }),
      ...(shardOf ? {} : { member: (params) => memberReads.read(params) }),
      ...verifier.reader,
      ready: () => readiness(pool, clock),
    },
    housekeeping: {
      ...callsOf(housekeeping, (operation, _, shards?: readonly Shard[]) =>
        shards
          ? transactions.run(() => onEach(shards, operation), keepHere(shards))
          : transactions.run(operation),
      ),
      probe: async () => void (await pool.use((connection) => connection.run(probeText))),
      // PostgreSQL checks the pages of its files by their checksums when it reads them.
      checkIntegrity: () => Promise.resolve(null),
    },
    close: async () => {
      await verifier.stop();
      await notifications.close();
      await database.close();
    },
  };
}
