import type { Needs, RealmChanges } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { InDoubt } from '../../engine/errors.ts';
import { type BatchWriter, type Decide, RealmLocked } from '../../engine/store.ts';
import { RealmCache } from '../realm-cache.ts';
import type { Connection } from './connection.ts';
import { type Database, toDomainError } from './database.ts';
import { ConnectionLost, isLockTimeout, isUnavailable, isWorthAnotherTry } from './errors.ts';
import { isThere, markSession } from './in-doubt.ts';
import { attempt } from './locked-commit.ts';
import { commitOptimistically } from './optimistic-commit.ts';
import { NotWritten, Unknown } from './transaction.ts';

const MAX_TRIES = 4;
/** How long a batch whose end nobody knows waits for the database to tell. */
const PATIENCE_MS = 5_000;
/** How long a batch is tried again, also one of a realm that somebody else keeps locked. */
const TRYING_MS = 5_000;
/** How long it waits for that at a time: the second time others wait behind it no longer. */
const [LOCK_MS, BRIEF_LOCK_MS] = [1_000, 100];
const PAUSE_MS = 200;

interface BatchWriterOptions {
  spansRealms: boolean;
  onWritten: (changes: RealmChanges) => void;
}

/** What has the connection to itself until it passes it on. */
interface Turn {
  connection: Connection;
  passOn: () => void;
  /** Resolves when the one before has ended. */
  before: Promise<void>;
}

/**
 * Writes batches on a connection of its own: two rounds, (begin, lock, read) and (write, commit),
 * each sent without waiting for the answers in between, and the first round of the next batch right
 * behind the second of this one. Where all that would be read is remembered, one round does. The
 * realm's row is the lock, so all nodes form one order. A batch that certainly was not written is
 * tried again; one that may have been never is, until the journal has told.
 */
export class PostgresBatchWriter implements BatchWriter {
  readonly #database: Database;
  readonly #onWritten: (changes: RealmChanges) => void;
  readonly spansRealms: boolean;
  readonly pipelines = true;
  #connection: Connection | null = null;
  readonly #cache: RealmCache | null;
  /** Resolve when the transaction before has sent its last word, and when it has ended. */
  #last = { sent: Promise.resolve(), ended: Promise.resolve() };

  constructor(database: Database, { spansRealms, onWritten }: BatchWriterOptions) {
    this.#database = database;
    this.spansRealms = spansRealms;
    this.#onWritten = onWritten;
    // Where the tables are distributed, no server would hear what another one found.
    this.#cache = spansRealms ? new RealmCache() : null;
  }

  async commit(needs: Needs[], decide: Decide, onSent?: () => void): Promise<Decision> {
    const giveUpAt = performance.now() + TRYING_MS;
    for (let tries = 1; ; tries++) {
      try {
        const decision = await this.#attempt(needs, decide, onSent);
        decision.changes.forEach(this.#onWritten);
        return decision;
      } catch (error) {
        if (!(error instanceof NotWritten)) throw error;
        const { cause } = error;
        // Others need not wait for it, not even those who come after a batch of one realm.
        if (isLockTimeout(cause) && (needs.length > 1 || onSent)) {
          throw new RealmLocked('a realm is locked elsewhere', { cause });
        }
        if (performance.now() > giveUpAt) throw toDomainError(cause);
        if (isLockTimeout(cause)) {
          await pause();
          tries -= 1;
        } else if (tries >= MAX_TRIES || !(isUnavailable(cause) || isWorthAnotherTry(cause))) {
          throw toDomainError(cause);
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #attempt(needs: Needs[], decide: Decide, onSent?: () => void): Promise<Decision> {
    const lockMs = onSent ? LOCK_MS : BRIEF_LOCK_MS;
    try {
      return await this.#inTurn(async ({ connection, passOn, before }) => {
        const sent = () => {
          passOn();
          // Two are enough to keep the server busy; the more of them, the smaller they are.
          if (onSent) void before.then(onSent);
        };
        const work = { needs, decide, lockMs, cache: this.#cache, onSent: sent };
        return (await commitOptimistically(connection, work)) ?? (await attempt(connection, work));
      });
    } catch (error) {
      this.#cache?.forget(needs);
      if (!(error instanceof Unknown)) throw error;
      if (await this.#wasWritten(error)) return error.decision;
      const cause = new ConnectionLost('a batch was lost with its connection', { cause: error });
      throw new NotWritten(cause.message, { cause });
    }
  }

  /** What comes next on the connection comes once this has passed it on, or has ended. */
  async #inTurn<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const { sent, ended } = this.#last;
    const [passing, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#last = { sent: passing.promise, ended: ending.promise };
    await sent;
    try {
      const connection = await this.#connected();
      return await work({ connection, passOn: passing.resolve, before: ended });
    } finally {
      passing.resolve();
      ending.resolve();
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection && !this.#connection.isLost) return this.#connection;
    const connection = await this.#database.connect('writer');
    this.#connection = connection;
    try {
      await markSession(connection);
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw new NotWritten('the connection was lost at once', { cause: error });
    }
  }

  async #wasWritten(unknown: Unknown): Promise<boolean> {
    const { decision, cause } = unknown;
    const marked = decision.changes.filter(({ records }) => records.length > 0);
    const witness = marked.find(({ isNewRealm }) => !isNewRealm) ?? marked[0];
    // Nothing was recorded, only challenges or answers were kept: no record can tell.
    if (!witness) throw new InDoubt('the database went away', { cause });
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#inTurn(({ connection }) => isThere(connection, witness, unknown));
      } catch (error) {
        if (performance.now() > deadline) {
          throw new InDoubt('the database did not come back to tell', { cause: error });
        }
        await pause();
      }
    }
  }
}

const pause = (): Promise<void> => new Promise((next) => setTimeout(next, PAUSE_MS));
