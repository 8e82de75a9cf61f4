import type { RealmChanges } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import type { ShardOf } from './citus/placement.ts';
import type { Connection } from './connection.ts';
import { type PgStatement, type Sql, statement } from './statement.ts';
import { BEGIN, type ReadyBatch } from './transaction.ts';

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
