import { randomBytes } from 'node:crypto';
import type { Decision } from '../../domain/decide.rules.ts';
import type { Needs, RealmChanges } from '../../domain/facts.ts';
import type { Decide } from '../../domain/store.ts';
import { writesOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { byRealm, loadFacts } from './facts.ts';
import { isAway } from './failures.ts';
import { type Statement, statement } from './statement.ts';

/**
 * Said in full: another default of the server would let a batch read what was true before it had
 * its locks.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';
/** Prepared, so that it can go out in one round with what comes behind it. */
const begin = command(BEGIN);
/** Said in the transaction: of what is said outside, the other servers of a cluster never hear. */
const waitFor = (ms: number) => command(`SET LOCAL lock_timeout = ${ms}`);

/** It has no plan, so it is not among the statements whose plans are looked at. */
function command(text: string): Statement<never, []> {
  return { name: text, text, distributed: text };
}

const settle = {
  lock: statement<unknown, [string]>('SELECT 1 FROM realms WHERE realm_id = $1 FOR UPDATE'),
  // A realm that is only being made has no row to lock: its name is locked instead.
  lockNew: statement<unknown, [string]>('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'),
  batchAt: statement<{ batch: string | null }, [string, number]>(
    'SELECT batch FROM journal WHERE realm_id = $1 AND seq = $2',
  ),
};

/** The batch was certainly not written, and why. */
export class NotWritten extends Error {}

/** The connection broke while the batch was being written: it may be there or not. */
export class Unknown extends Error {
  readonly batch: string;
  readonly decision: Decision;

  constructor(batch: string, decision: Decision, cause: unknown) {
    super('the connection broke while a batch was being written', { cause });
    this.batch = batch;
    this.decision = decision;
  }
}

export interface Work {
  needs: Needs[];
  decide: Decide;
  /** How long it waits for its locks. */
  lockMs: number;
  /** Hears when the last word of it was sent. */
  onSent: () => void;
}

/**
 * One transaction, in two rounds. However it ends, the connection is left with none open, or cut.
 */
export async function attempt(connection: Connection, work: Work): Promise<Decision> {
  const { onSent } = work;
  const batch = randomBytes(9).toString('base64url');
  const { decision, writes } = await decideUnderLock(connection, work, batch);
  if (decision.changes.length === 0) {
    await endUnchanged(connection, decision, onSent);
    return decision;
  }
  const writing = connection.round(() =>
    Promise.all(writes.map(({ statement: write, values }) => connection.change(write, ...values))),
  );
  const committing = connection.run('COMMIT');
  onSent();
  const [failure, end] = await Promise.all([
    writing.then(
      () => null,
      (error: unknown) => error,
    ),
    committing.catch((error: unknown) => error),
  ]);
  if (end === 'COMMIT' && failure === null) return decision;
  // Only ROLLBACK, the answer to a COMMIT after a failed statement, says that nothing was written.
  if (end !== 'ROLLBACK') {
    const cause = failure ?? end;
    connection.destroy(cause as Error);
    throw new Unknown(batch, decision, cause);
  }
  const cause = failure ?? new Error('the server undid a batch and did not say why');
  throw new NotWritten('a batch was undone', { cause });
}

/** Everything that will be sent is made before the first of it is. */
async function decideUnderLock(
  connection: Connection,
  { needs, decide, lockMs }: Work,
  batch: string,
): Promise<{ decision: Decision; writes: ReturnType<typeof writesOf> }> {
  try {
    const [, , facts] = await connection.round(() =>
      Promise.all([
        connection.change(begin),
        connection.change(waitFor(lockMs)),
        loadFacts(connection, needs),
      ]),
    );
    const decision = decide(facts);
    // In the order of the locks, for the sake of realms that are new and had none.
    const changes = decision.changes.toSorted((a, b) => byRealm(a.realm.id, b.realm.id));
    const writes = writesOf(changes, batch);
    await lockNames(connection, changes);
    return { decision, writes };
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
