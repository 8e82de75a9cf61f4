import type { RealmChanges } from '../../domain/facts.ts';
import type { Connection } from './connection.ts';
import { statement } from './statement.ts';
import { BEGIN, type Unknown } from './transaction.ts';

const session = {
  hold: statement<unknown, [number]>('SELECT pg_advisory_lock($1)'),
  end: statement<unknown, [number]>(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32) + objid::bigint = $1`,
  ),
  waitForEnd: statement<unknown, [number]>('SELECT pg_advisory_xact_lock($1)'),
};

const find = {
  lock: statement<unknown, [string]>('SELECT 1 FROM realms WHERE realm_id = $1 FOR UPDATE'),
  batchAt: statement<{ batch: string | null }, [string, number]>(
    'SELECT batch FROM journal WHERE realm_id = $1 AND seq = $2',
  ),
};

/** From now on everybody can tell whether the server still has this session. */
export async function markSession(connection: Connection): Promise<void> {
  await connection.query(session.hold, connection.session);
}

/**
 * Whether a batch was written. First the session that it was sent on is ended, and has ended: what
 * the server, or the network, still had of it comes too late from then on. Then under the realm's
 * lock, for on a cluster another server may still be at it. And with a COMMIT, which waits for the
 * standby if the server has one to wait for: a server that was restarted meanwhile shows what it
 * wrote before the standby has it. The lock is a write, so there is something to commit.
 */
export async function isThere(
  connection: Connection,
  { realm, records }: RealmChanges,
  { batch, sentOn }: Unknown,
): Promise<boolean> {
  const first = records[0]?.seq ?? 0;
  try {
    const [, , , , found] = await Promise.all([
      connection.run(BEGIN),
      connection.query(session.end, sentOn),
      connection.query(session.waitForEnd, sentOn),
      connection.query(find.lock, realm.id),
      connection.query(find.batchAt, realm.id, first),
      connection.run('COMMIT'),
    ]);
    return found[0]?.batch === batch;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
