import type { Decision } from '../../domain/decide.rules.ts';
import type { RealmChanges } from '../../domain/facts.ts';
import { type Ready, readyOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { loadFacts } from './facts.ts';
import { isAway } from './failures.ts';
import { statement } from './statement.ts';
import { BEGIN, begin, commitBehind, NotWritten, type Work, waitFor } from './transaction.ts';

const settle = {
  lock: statement<unknown, [string]>('SELECT 1 FROM realms WHERE realm_id = $1 FOR UPDATE'),
  // A realm that is only being made has no row to lock: its name is locked instead.
  lockNew: statement<unknown, [string]>('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'),
  batchAt: statement<{ batch: string | null }, [string, number]>(
    'SELECT batch FROM journal WHERE realm_id = $1 AND seq = $2',
  ),
};

/**
 * One transaction, in two rounds. However it ends, the connection is left with none open, or cut.
 */
export async function attempt(connection: Connection, work: Work): Promise<Decision> {
  const { decision, batch, writes } = await decideUnderLock(connection, work);
  if (writes.length === 0) {
    await endUnchanged(connection, decision, work.onSent);
    return decision;
  }
  const writing = connection.round(() =>
    Promise.all(writes.map((write) => connection.change(write.statement, ...write.values))),
  );
  await commitBehind(connection, writing, { batch, decision, onSent: work.onSent });
  return decision;
}

/** Everything that will be sent is made before the first of it is. */
async function decideUnderLock(
  connection: Connection,
  { needs, decide, lockMs, memory }: Work,
): Promise<Ready> {
  try {
    const [, , facts] = await connection.round(() =>
      Promise.all([
        connection.change(begin),
        connection.change(waitFor(lockMs)),
        loadFacts(connection, needs),
      ]),
    );
    const ready = readyOf(decide(facts));
    await lockNames(connection, ready.changes);
    memory?.learn(facts);
    memory?.follow(ready.changes);
    return ready;
  } catch (error) {
    await giveBack(connection, error);
    throw new NotWritten('a batch could not be begun', { cause: error });
  }
}

/**
 * Held before anything is written: whoever must find out later whether it was, waits for it, also
 * while the server has yet to read what was sent.
 */
async function lockNames(connection: Connection, changes: RealmChanges[]): Promise<void> {
  for (const { realm, isNewRealm } of changes) {
    if (isNewRealm) await connection.query(settle.lockNew, realm.id);
  }
}

/** An old answer acknowledges its write anew, so it waits for the standby as the first one did. */
async function endUnchanged(
  connection: Connection,
  { outcomes }: Decision,
  onSent: () => void,
): Promise<void> {
  const isReplay = outcomes.some((outcome) => 'replayed' in outcome && outcome.replayed);
  const end = connection.run(isReplay ? 'COMMIT' : 'ROLLBACK').catch((error) => {
    connection.destroy(error);
    // Whether or not a refusal was rolled back, it stands.
    if (isReplay) throw new NotWritten('old answers could not be given', { cause: error });
  });
  onSent();
  if (isReplay) await end;
}

/** Leaves the connection as it was, or cuts it: the server then undoes what was begun. */
async function giveBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isAway(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}

/**
 * Whether a batch was written. Under the realm's lock: the broken transaction, should the server
 * still be at it, ends first. And with a COMMIT, which waits for the standby if the server has one
 * to wait for: a server that was restarted meanwhile shows what it wrote before the standby has it.
 * The lock is a write, so there is something to commit.
 */
export async function isThere(
  connection: Connection,
  { realm, isNewRealm, records }: RealmChanges,
  batch: string,
): Promise<boolean> {
  const first = records[0]?.seq ?? 0;
  try {
    const [, , , found] = await Promise.all([
      connection.run(BEGIN),
      isNewRealm ? connection.query(settle.lockNew, realm.id) : null,
      connection.query(settle.lock, realm.id),
      connection.query(settle.batchAt, realm.id, first),
      connection.run('COMMIT'),
    ]);
    return found[0]?.batch === batch;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
