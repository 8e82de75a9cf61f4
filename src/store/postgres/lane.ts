import { randomBytes } from 'node:crypto';
import type { Decision } from '../../domain/decide.rules.ts';
import type { Needs, RealmChanges } from '../../domain/facts.ts';
import { OutcomeUnknown, Overloaded } from '../../domain/keeper.ts';
import type { Decide, Lane } from '../../domain/store.ts';
import { sendChanges } from './changes.ts';
import { type Connection, statement } from './connection.ts';
import { type Database, toldFailure } from './database.ts';
import { loadFacts } from './facts.ts';
import { isAway, isWorthAnotherTry } from './failures.ts';

const MAX_TRIES = 4;
/** How long a batch whose end nobody knows waits for the database to tell. */
const PATIENCE_MS = 5_000;
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

/**
 * Writes batches on a connection of its own: two rounds, (begin, lock, read) and (write, commit),
 * each sent without waiting for the answers in between, and the first round of the next batch right
 * behind the second of this one. The realm's row is the lock, so all nodes form one order. A batch
 * that certainly was not written is tried again; one that may have been never is, until the
 * journal has told.
 */
export class PostgresLane implements Lane {
  readonly #database: Database;
  readonly #onWritten: (changes: RealmChanges) => void;
  #connection: Connection | null = null;
  /** Resolves when the transaction before has sent its last word. */
  #turn: Promise<void> = Promise.resolve();

  constructor(database: Database, onWritten: (changes: RealmChanges) => void) {
    this.#database = database;
    this.#onWritten = onWritten;
  }

  async commit(needs: Needs[], decide: Decide, onSent?: () => void): Promise<Decision> {
    const decision = await this.#settled(needs, decide, onSent);
    decision.changes.forEach(this.#onWritten);
    return decision;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #settled(needs: Needs[], decide: Decide, onSent?: () => void): Promise<Decision> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#inTurn((connection, passOn) =>
          attempt(connection, needs, decide, () => {
            passOn();
            onSent?.();
          }),
        );
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

  /** What comes next on the connection comes once this has passed it on, or has ended. */
  async #inTurn<T>(work: (connection: Connection, passOn: () => void) => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve: passOn } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await work(await this.#connected(), passOn);
    } finally {
      passOn();
    }
  }

  async #connected(): Promise<Connection> {
    if (!this.#connection || this.#connection.isLost) {
      this.#connection = await this.#database.connect('writer');
    }
    return this.#connection;
  }

  async #wasWritten({ batch, changes, cause }: Unknown): Promise<boolean> {
    const marked = changes.filter(({ records }) => records.length > 0);
    const witness = marked.find(({ isNewRealm }) => !isNewRealm) ?? marked[0];
    // Without a record nothing happened but that answers were remembered: they may be again.
    if (!witness) throw new Overloaded('the database went away', { cause });
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#inTurn((connection) => isThere(connection, witness, batch));
      } catch (error) {
        if (performance.now() > deadline) {
          throw new OutcomeUnknown('the database did not come back to tell', { cause: error });
        }
        await new Promise((next) => setTimeout(next, PAUSE_MS));
      }
    }
  }
}

/**
 * Under the realm's lock: the broken transaction, should the server still be at it, ends first.
 * And with a COMMIT, which waits for the standby if the server has one to wait for: a server that
 * was restarted meanwhile shows what it wrote before the standby has it. The lock is a write, so
 * there is something to commit.
 */
async function isThere(
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

/** `onSent` hears when the last word of the transaction was sent. */
async function attempt(
  connection: Connection,
  needs: Needs[],
  decide: Decide,
  onSent: () => void,
): Promise<Decision> {
  const decision = await decideUnderLock(connection, needs, decide);
  if (decision.changes.length === 0) {
    await endUnchanged(connection, decision, onSent);
    return decision;
  }
  // In the order of the locks, for the sake of realms that are new and had none.
  const changes = decision.changes.toSorted((a, b) => compare(a.realm.id, b.realm.id));
  await lockNames(connection, changes);
  const batch = randomBytes(9).toString('base64url');
  const writes = sendChanges(connection, changes, batch);
  const commit = connection.run('COMMIT');
  onSent();
  const results = await Promise.allSettled([...writes, commit]);
  const end = await commit.catch((error: unknown) => error);
  if (end === 'COMMIT') return decision;
  if (connection.isLost || isAway(end)) {
    connection.destroy(end as Error);
    throw new Unknown(batch, decision, end);
  }
  // A COMMIT after a failed statement answers ROLLBACK.
  const failed = results.find((result) => result.status === 'rejected');
  const cause = failed?.reason ?? new Error(`COMMIT answered ${String(end)}`);
  throw new NotWritten('a batch was undone', { cause });
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
    if (isReplay) throw toldFailure(error);
  });
  onSent();
  if (isReplay) await end;
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
  const begun = connection.run(BEGIN);
  try {
    const [, facts] = await Promise.all([begun, loadFacts(connection, needs)]);
    return decide(facts);
  } catch (error) {
    await giveBack(connection, error);
    throw new NotWritten('a batch could not be begun', { cause: error });
  }
}

/** Leaves the connection as it was, or cuts it: the server then undoes what was begun. */
async function giveBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isAway(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
