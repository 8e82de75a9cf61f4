import type { Ledger } from './ledger.ts';

/** When no node admits a key of a deleted realm any more: keys are cached for less than this. */
const KEYS_VALID_MS = 2_000;
/** How long a caller waits. What is left then is removed all the same. */
const MAX_WAIT_MS = 8_000;
const REALMS_AT_ONCE = 100;

/**
 * Removes what is stored of deleted realms. Deleting a realm hides it; its rows, perhaps millions,
 * are removed in small steps, each a transaction, with a pause as long as the step: other realms
 * are written in between. The row of the realm is the last: as long as it is there, the id is taken
 * and the removal is continued after a restart, by any node.
 */
export class RealmRemovals {
  readonly #ledger: Ledger;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = Promise.withResolvers<void>();
  #isStopping = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Resolves when the id of a deleted realm is free, or after some seconds. Never rejects. */
  async finished(realmId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_WAIT_MS);
    // A removal that fails is tried again by the job.
    const removed = this.#removal(realmId).catch(() => undefined);
    await Promise.race([removed, promise, this.#stopping.promise]);
    clearTimeout(timer);
  }

  /** Continues the removals that were not finished, such as those of a node that ended. */
  async resume(): Promise<void> {
    const realmIds = await this.#ledger.query('deletedRealms', { limit: REALMS_AT_ONCE });
    await Promise.all(realmIds.map((realmId) => this.#removal(realmId)));
  }

  /** Ends the removals after their current step. */
  stop(): void {
    this.#isStopping = true;
    this.#stopping.resolve();
  }

  #removal(realmId: string): Promise<void> {
    return this.#running.getOrInsertComputed(realmId, () =>
      this.#remove(realmId).finally(() => this.#running.delete(realmId)),
    );
  }

  async #remove(realmId: string): Promise<void> {
    const { housekeeping } = this.#ledger;
    await this.#pause(KEYS_VALID_MS);
    await this.#repeat(() => housekeeping.removeRealmRows(realmId));
    await this.#repeat(() => housekeeping.removeRealmProjections(realmId));
    if (!this.#isStopping) await housekeeping.removeRealm(realmId);
  }

  /** Makes steps until one finds nothing more. */
  async #repeat(step: () => boolean | Promise<boolean>): Promise<void> {
    while (!this.#isStopping && (await this.#inTurn(step)));
  }

  /**
   * One step at a time, whatever the number of realms: of 30 that were deleted together, the steps
   * that met in one message to the writer held up a transfer for half a second.
   */
  #inTurn(step: () => boolean | Promise<boolean>): Promise<boolean> {
    const turn = this.#lastTurn.then(async () => {
      if (this.#isStopping) return false;
      const start = performance.now();
      const hasMore = await step();
      await this.#pause(performance.now() - start);
      return hasMore;
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, this.#stopping.promise]);
    clearTimeout(timer);
  }
}
