import type { Ledger } from './ledger.ts';

/** How many realms one look finds. */
const REALMS_AT_ONCE = 100;
/** How long a caller waits. What is left then is done all the same. */
const MAX_WAIT_MS = 8_000;
const RETRY_MS = 100;
/** When no node admits a key of a deleted realm any more: keys are cached for less than this. */
const KEYS_VALID_MS = 2_000;

/**
 * Work that follows a command of a realm, in small steps, each a transaction, with a pause as long
 * as the step: others write in between. There is one step at a time, whatever the number of realms:
 * of 30 that were deleted together, the steps that met in one message to the writer held up a
 * transfer for half a second. What is not finished is continued after a restart, by any node.
 */
abstract class RealmWork {
  protected readonly ledger: Ledger;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = Promise.withResolvers<void>();
  protected isStopping = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** The realms with work that is not finished. */
  protected abstract unfinishedRealms(): Promise<readonly string[]>;
  protected abstract work(realmId: string): Promise<void>;

  /** Resolves when the work is done, or after some seconds. Never rejects: a job does the rest. */
  async finished(realmId: string): Promise<void> {
    const end = performance.now() + MAX_WAIT_MS;
    const untilDone = async (): Promise<void> => {
      while (!this.isStopping && performance.now() < end) {
        try {
          return await this.runAll(realmId);
        } catch {
          await this.pause(RETRY_MS);
        }
      }
    };
    await this.pause(MAX_WAIT_MS, untilDone());
  }

  /** Continues what was not finished, such as by a node that ended; returns whether any was. */
  async resume(): Promise<boolean> {
    const realmIds = await this.unfinishedRealms();
    await Promise.all(realmIds.map((realmId) => this.run(realmId)));
    return realmIds.length > 0;
  }

  /** Ends the work after the current step. */
  stop(): void {
    this.isStopping = true;
    this.#stopping.resolve();
  }

  /** Twice: what is running may have looked for work before this was there. */
  protected async runAll(realmId: string): Promise<void> {
    await this.run(realmId);
    await this.run(realmId);
  }

  /** Does the work that the realm has now, unless that is running already. */
  run(realmId: string): Promise<void> {
    return this.#running.getOrInsertComputed(realmId, () =>
      this.work(realmId).finally(() => this.#running.delete(realmId)),
    );
  }

  protected async repeat(step: () => boolean | Promise<boolean>): Promise<void> {
    while (!this.isStopping && (await this.#inTurn(step)));
  }

  /** Waits for so long, or until the work is done or stopped. */
  protected async pause(ms: number, work?: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([work ?? promise, promise, this.#stopping.promise]);
    clearTimeout(timer);
  }

  #inTurn(step: () => boolean | Promise<boolean>): Promise<boolean> {
    const turn = this.#lastTurn.then(async () => {
      if (this.isStopping) return false;
      const start = performance.now();
      const hasMore = await step();
      await this.pause(performance.now() - start);
      return hasMore;
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

/** Gives the members of a realm their balances of new kinds of points. */
export class KindEnrolments extends RealmWork {
  protected unfinishedRealms(): Promise<string[]> {
    return this.ledger.query('enrollingRealms', { limit: REALMS_AT_ONCE });
  }

  protected work(realmId: string): Promise<void> {
    return this.repeat(() => this.ledger.housekeeping.enrolInKinds(realmId));
  }
}

/**
 * Erases the personal parts of members. The command records that a member is erased; its records,
 * which nothing lists, are then looked for through the whole journal.
 */
export class Erasures extends RealmWork {
  /** As of the last look: how many members remain to be erased, and since when. */
  readonly unfinished: { members: number; since: number | null } = { members: 0, since: null };

  protected async unfinishedRealms(): Promise<string[]> {
    const realms = await this.ledger.query('erasingRealms', { limit: REALMS_AT_ONCE });
    this.unfinished.members = realms.reduce((sum, { members }) => sum + members, 0);
    this.unfinished.since =
      realms.length === 0 ? null : Math.min(...realms.map(({ since }) => since));
    return realms.map(({ realmId }) => realmId);
  }

  protected work(realmId: string): Promise<void> {
    return this.repeat(() => this.ledger.housekeeping.erasePersonalParts(realmId));
  }
}

/**
 * Removes what is stored of deleted realms. Deleting a realm hides it; its rows, perhaps millions,
 * are removed afterwards. The realm's own row is the last: while it is there, the id is taken.
 */
export class RealmRemovals extends RealmWork {
  protected unfinishedRealms(): Promise<string[]> {
    return this.ledger.query('deletedRealms', { limit: REALMS_AT_ONCE });
  }

  /** Once: a realm is deleted once, and a second look would wait for its keys again. */
  protected override runAll(realmId: string): Promise<void> {
    return this.run(realmId);
  }

  protected async work(realmId: string): Promise<void> {
    await this.pause(KEYS_VALID_MS);
    await this.#removeRows(realmId);
    // A crash of the server may have brought some of them back.
    await this.#removeRows(realmId);
    if (!this.isStopping) await this.ledger.housekeeping.removeRealm(realmId);
  }

  async #removeRows(realmId: string): Promise<void> {
    let from: number | null = 0;
    await this.repeat(async () => {
      from = await this.ledger.housekeeping.removeRealmRows({ realmId, from: from ?? 0 });
      return from !== null;
    });
  }
}
