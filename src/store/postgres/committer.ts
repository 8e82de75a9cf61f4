import { randomBytes } from 'node:crypto';
import type { Decision } from '../../domain/decide.rules.ts';
import type { Needs, RealmChanges, RealmFacts } from '../../domain/facts.ts';
import { Overloaded } from '../../domain/keeper.ts';
import { sendChanges } from './changes.ts';
import { type Connection, statement } from './connection.ts';
import { type Leases, toldFailure } from './database.ts';
import { loadFacts } from './facts.ts';
import { isAway, isFollowUp, isWorthAnotherTry } from './failures.ts';

const MAX_TRIES = 4;
/** How long a batch whose end nobody knows waits for the database to tell. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

/**
 * Said in full: another default of the server would let a batch read what was true before it had
 * its locks.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

const settle = {
  lock: statement<unknown, [string]>('SELECT 1 FROM realms WHERE realm_id = $1 FOR UPDATE'),
  // A realm that is only being made has no row to lock: its name is locked instead.
  lockNew: statement<unknown, [string]>('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'),
  batchAt: statement<{ batch: string | null }, [string, number]>(
    'SELECT batch FROM journal WHERE realm_id = $1 AND seq = $2',
  ),
};

/** The batch was certainly not written, and why. */
class NotWritten extends Error {}

/** The connection broke while the batch was being written: it may be there or not. */
class Unknown extends Error {
  readonly batch: string;
  readonly changes: RealmChanges[];
  readonly decision: Decision;

  constructor(batch: string, decision: Decision, cause: unknown) {
    super('the connection broke while a batch was being written', { cause });
    this.batch = batch;
    this.changes = decision.changes;
    this.decision = decision;
  }
}

type Decide = (facts: RealmFacts[]) => Decision;

/**
 * Writes batches: two rounds, (begin, lock, read) and (write, commit), each sent without waiting
 * for the answers in between. The realm's row is the lock, so all nodes form one order. A batch
 * that certainly was not written is tried again; one that may have been never is, until the
 * journal has told.
 */
export class Committer {
  readonly #leases: Leases;

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  async commit(needs: Needs[], decide: Decide): Promise<Decision> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#leases.use((connection) => attempt(connection, needs, decide));
      } catch (error) {
        if (error instanceof Unknown) {
          if (await this.#wasWritten(error)) return error.decision;
          continue;
        }
        if (!(error instanceof NotWritten)) throw error;
        const { cause } = error;
        const isWorthIt = isAway(cause) || isWorthAnotherTry(cause);
        if (!isWorthIt || tries === MAX_TRIES) throw toldFailure(cause);
      }
    }
  }

  async #wasWritten({ batch, changes, cause }: Unknown): Promise<boolean> {
    const marked = changes.filter(({ records }) => records.length > 0);
    const witness = marked.find(({ isNewRealm }) => !isNewRealm) ?? marked[0];
    // Without a record nothing happened but that answers were remembered: they may be again.
    if (!witness) throw new Overloaded('the database went away', { cause });
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#leases.use((connection) => isThere(connection, witness, batch));
      } catch (error) {
        if (performance.now() > deadline) {
          throw new Error('whether a batch was written could not be found out', { cause: error });
        }
        await new Promise((next) => setTimeout(next, PAUSE_MS));
      }
    }
  }
}

/**
 * Under the realm's lock: the broken transaction, should the server still be at it, ends first.
 */
async function isThere(
  connection: Connection,
  { realm, isNewRealm, records }: RealmChanges,
  batch: string,
): Promise<boolean> {
  const first = records[0]?.seq ?? 0;
  try {
    const [, , found] = await Promise.all([
      connection.run(BEGIN),
      connection.query(isNewRealm ? settle.lockNew : settle.lock, realm.id),
      connection.query(settle.batchAt, realm.id, first),
      connection.run('ROLLBACK'),
    ]);
    return found[0]?.batch === batch;
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}

async function attempt(connection: Connection, needs: Needs[], decide: Decide): Promise<Decision> {
  const decision = await decideUnderLock(connection, needs, decide);
  if (decision.changes.length === 0) {
    // Nobody waits for it: what comes next on this connection comes after it.
    connection.run('ROLLBACK').catch((error) => connection.destroy(error));
    return decision;
  }
  // In the order of the locks, for the sake of realms that are new and had none.
  const changes = decision.changes.toSorted((a, b) => compare(a.realm.id, b.realm.id));
  await lockNames(connection, changes);
  const batch = randomBytes(9).toString('base64url');
  const writes = changes.flatMap((one) => sendChanges(connection, one, batch));
  const commit = connection.run('COMMIT');
  const results = await Promise.allSettled([...writes, commit]);
  const end = await commit.catch((error: unknown) => error);
  if (end === 'COMMIT') return decision;
  // Also a server that goes on may not know: on a cluster another one had to commit.
  if (end instanceof Error) {
    connection.destroy(end);
    throw new Unknown(batch, decision, end);
  }
  // A COMMIT after a failed statement answers ROLLBACK.
  const failed = results.find((result) => result.status === 'rejected');
  const cause = failed?.reason ?? new Error(`COMMIT answered ${String(end)}`);
  throw new NotWritten('a batch was undone', { cause });
}

/**
 * Held before anything is written: whoever must find out later whether it was, waits for it, also
 * while the server has yet to read what was sent.
 */
async function lockNames(connection: Connection, changes: RealmChanges[]): Promise<void> {
  try {
    for (const { realm, isNewRealm } of changes) {
      if (isNewRealm) await connection.query(settle.lockNew, realm.id);
    }
  } catch (error) {
    await giveBack(connection, error);
    throw new NotWritten('a batch could not be begun', { cause: error });
  }
}

async function decideUnderLock(
  connection: Connection,
  needs: Needs[],
  decide: Decide,
): Promise<Decision> {
  try {
    return decide(await lockAndLoad(connection, needs));
  } catch (error) {
    await giveBack(connection, error);
    throw new NotWritten('a batch could not be begun', { cause: error });
  }
}

/** Loads the facts of all realms, locked in the order of their ids: nobody waits in a circle. */
async function lockAndLoad(connection: Connection, needs: Needs[]): Promise<RealmFacts[]> {
  const begun = connection.run(BEGIN);
  const inOrder = needs.toSorted((a, b) => compare(a.realmId, b.realmId));
  const results = await Promise.allSettled([
    begun,
    ...inOrder.map((each) => loadFacts(connection, each)),
  ]);
  const failures = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  // One statement that fails takes the others of its transaction with it: it alone tells why.
  if (failures.length > 0) throw failures.find((one) => !isFollowUp(one)) ?? failures[0];
  const byRealm = new Map(
    results.flatMap((one) =>
      one.status === 'fulfilled' && typeof one.value === 'object'
        ? [[one.value.realmId, one.value] as const]
        : [],
    ),
  );
  return needs.map(({ realmId }) => byRealm.get(realmId) as RealmFacts);
}

/** Leaves the connection as it was, or cuts it: the server then undoes what was begun. */
async function giveBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isAway(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
