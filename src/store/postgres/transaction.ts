import { randomBytes } from 'node:crypto';
import type { RealmChanges } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import type { Batch } from '../../ledger/store.ts';
import type { RealmCache } from '../cache.ts';
import { writesOf } from '../changes.ts';
import { decideBatch } from '../facts.ts';
import { isMoving, keepHere, type ShardOf } from './citus/placement.ts';
import type { Connection } from './connection.ts';
import { answersTo, command, requestsFor, runOn } from './driver.ts';
import { isUnavailable } from './errors.ts';
import type { Request } from './pipeline.ts';
import { type PgStatement, type Sql, statement } from './statement.ts';

/**
 * The isolation level is explicit: with another default of the server, a batch would read the state
 * from before it had its locks.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** Part of a pipeline; like all commands, they have no plan. */
export const begin = command(statement(BEGIN));
/** An attempt waits only briefly, because other batches need the connection. */
const lockTimeout = command(statement('SET LOCAL lock_timeout = 250'));

/** The batch was certainly not written; the cause says why. */
export class NotWritten extends Error {}

interface ReadyBatch {
  decision: Decision;
  marker: string;
  writes: Request[];
}

/** The connection dropped during the commit: the batch may or may not have been written. */
export class OutcomeUnknown extends Error {
  readonly batch: ReadyBatch;

  constructor(batch: ReadyBatch, cause: unknown) {
    super('the connection dropped during the commit of a batch', { cause });
    this.batch = batch;
  }
}

/** What a writer knows of its realms. */
interface Writable {
  cache: RealmCache;
  /** Null unless the database is a server of a cluster. */
  shardOf: ShardOf | null;
}

/**
 * Commits a batch in two round trips: one locks the realms and reads the facts, one writes.
 * `onSent` is called when all statements were sent. The connection is left without an open
 * transaction, or cut.
 */
export async function commitBatch(
  connection: Connection,
  batch: Batch,
  { cache, shardOf }: Writable,
  onSent: () => void,
): Promise<Decision> {
  const ready = await decideUnderLock(connection, batch, { cache, shardOf });
  const { decision, writes } = ready;
  if (writes.length === 0) await endUnchanged(connection, decision, onSent);
  else await commitWrites(connection, ready, onSent);
  return decision;
}

/** Prepares all writes before the first is sent: a fault must not leave half of them sent. */
async function decideUnderLock(
  connection: Connection,
  batch: Batch,
  { cache, shardOf }: Writable,
): Promise<ReadyBatch> {
  const shards = shardOf ? keepHere(batch.needs.map(({ realmId }) => shardOf(realmId))) : [];
  const before = [begin, lockTimeout, ...shards];
  try {
    const decision = await runOn(connection, decideBatch(batch, cache), { before, shardOf });
    const marker = randomBytes(9).toString('base64url');
    const writes = writesOf(decision.changes.map(marked(marker)));
    return { decision, marker, writes: requestsFor(writes, shardOf) };
  } catch (error) {
    await rollBack(connection, error);
    throw new NotWritten('a batch could not be started', { cause: error });
  }
}

/** The marker of the batch is on the first record of each realm. */
const marked =
  (batch: string) =>
  (changes: RealmChanges): RealmChanges => ({
    ...changes,
    records: changes.records.map((record, index) => (index === 0 ? { ...record, batch } : record)),
  });

/** Sends the COMMIT behind the pipeline of writes. */
async function commitWrites(
  connection: Connection,
  batch: ReadyBatch,
  onSent: () => void,
): Promise<void> {
  const writing = answersTo(connection, batch.writes);
  const committing = connection.run('COMMIT');
  onSent();
  const [written, committed] = await Promise.allSettled([writing, committing]);
  const tag: unknown = committed.status === 'fulfilled' ? committed.value : committed.reason;
  if (tag === 'COMMIT' && written.status === 'fulfilled') return;
  const failure: unknown = written.status === 'rejected' ? written.reason : null;
  // Only ROLLBACK, the tag of a COMMIT after a failed statement, proves that nothing was written.
  if (tag !== 'ROLLBACK') {
    const cause = failure ?? tag;
    connection.destroy(cause as Error);
    throw new OutcomeUnknown(batch, cause);
  }
  const cause = failure ?? new Error('the server rolled a batch back without a reason');
  throw new NotWritten('a batch was rolled back', { cause });
}

/**
 * A replayed answer acknowledges its write again, so it commits and thereby waits for the standby
 * as the first answer did.
 */
async function endUnchanged(
  connection: Connection,
  { outcomes }: Decision,
  onSent: () => void,
): Promise<void> {
  const isReplay = outcomes.some((outcome) => 'replayed' in outcome && outcome.replayed);
  const end = connection.run(isReplay ? 'COMMIT' : 'ROLLBACK').catch((error) => {
    connection.destroy(error);
    // A refusal stands, whether or not its transaction was rolled back.
    if (isReplay) throw new NotWritten('answers could not be replayed', { cause: error });
  });
  onSent();
  if (isReplay) await end;
}

/** Rolls the transaction back, by cutting the connection if need be. */
async function rollBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isUnavailable(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}

const lockedOf = statement<{ realmId: string }, [string[]]>(
  `SELECT wanted.realm_id AS "realmId" FROM unnest($1::text[]) AS wanted(realm_id)
   CROSS JOIN LATERAL (SELECT FROM realms WHERE realm_id = wanted.realm_id OFFSET 0) known
   LEFT JOIN LATERAL (SELECT true AS is_free FROM realms
     WHERE realm_id = wanted.realm_id FOR UPDATE SKIP LOCKED) free ON true
   WHERE is_free IS NULL`,
);

/** Which of the realms are locked by other transactions. */
export async function lockedRealms(
  connection: Connection,
  realmIds: string[],
  shardOf: ShardOf | null,
): Promise<string[]> {
  const parts = Map.groupBy(realmIds, (realmId) => shardOf?.(realmId));
  try {
    const begun = connection.run(BEGIN);
    const asked = [...parts].map(async ([shard, own]) => {
      const [isOnMove, found] = await Promise.all([
        shard && isMoving(connection, shard),
        connection.query(shard ? shard.rename(lockedOf) : lockedOf, own),
      ]);
      return isOnMove ? own : found.map(({ realmId }) => realmId);
    });
    const ended = connection.run('ROLLBACK');
    const [locked] = await Promise.all([Promise.all(asked), begun, ended]);
    return locked.flat();
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}

const sql = {
  markSession: statement<unknown, [number]>('SELECT pg_advisory_lock($1)'),
  terminate: statement<unknown, [number]>(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) + objid::bigint = $1`,
  ),
  waitForEnd: statement<unknown, [number]>('SELECT pg_advisory_xact_lock($1)'),
  lockRealm: statement<{ createdAt: number; deletedAt: number | null }, [string]>(
    `SELECT created_at AS "createdAt", deleted_at AS "deletedAt" FROM realms
     WHERE realm_id = $1 FOR UPDATE`,
  ),
  batchAt: statement<{ batch: string | null }, [string, number]>(
    'SELECT batch FROM journal WHERE realm_id = $1 AND seq = $2',
  ),
};

/**
 * Marks the session, so that it can be found and terminated. Terminates the one before, which was
 * lost, and waits for its end: nothing that the server or the network still has of it can be
 * executed later than what is sent on this one.
 */
export async function startSession(connection: Connection, lost: number | null): Promise<void> {
  const ended =
    lost === null
      ? []
      : [connection.query(sql.terminate, lost), connection.query(sql.waitForEnd, lost)];
  await Promise.all([connection.query(sql.markSession, connection.session), ...ended]);
}

/**
 * The changes to each realm whose first record shows by its marker whether the batch was written.
 * Realms that already exist come first, because their rows can be locked; a realm that the batch
 * creates has no row until the batch is committed.
 */
export function markedChanges({ changes }: Decision): RealmChanges[] {
  const recorded = changes.filter(({ records }) => records.length > 0);
  return recorded.toSorted((one, other) => Number(one.isNewRealm) - Number(other.isNewRealm));
}

/**
 * Whether the batch was written; null if that cannot be seen in this realm, because it was deleted
 * meanwhile and its records may be gone.
 *
 * 1. The session that it was sent on has ended, before this one started.
 * 2. The realm is locked, as by every writer.
 * 3. The journal is read: the first record of a batch carries the batch's marker.
 * 4. COMMIT waits for the standby, if there is one: a server that was restarted shows what it wrote
 *    before the standby has it. The lock counts as a write, so there is something to commit.
 */
export async function wasWritten(
  connection: Connection,
  { realm, records, isNewRealm }: RealmChanges,
  { marker }: ReadyBatch,
  shardOf: ShardOf | null,
): Promise<boolean | null> {
  const shard = shardOf?.(realm.id);
  const here = <Row, Args extends Sql[]>(which: PgStatement<Row, Args>) =>
    shard ? shard.rename(which) : which;
  const first = records[0]?.seq ?? 0;
  try {
    const [, [row], [record]] = await Promise.all([
      connection.run(BEGIN),
      connection.query(here(sql.lockRealm), realm.id),
      connection.query(here(sql.batchAt), realm.id, first),
      connection.run('COMMIT'),
    ]);
    if (record?.batch === marker) return true;
    const isThere = row?.createdAt === realm.createdAt && row.deletedAt === null;
    return isThere || isNewRealm ? false : null;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
