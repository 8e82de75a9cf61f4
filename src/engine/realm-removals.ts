import type { Ledger } from './ledger.ts';
import { PacedSteps } from './paced-steps.ts';

/** When no node admits a key of a deleted realm any more: keys are cached for less than this. */
const KEYS_VALID_MS = 2_000;
const REALMS_AT_ONCE = 100;

/**
 * Removes what is stored of deleted realms. Deleting a realm hides it; its rows, perhaps millions,
 * are removed in small steps. The row of the realm is the last: as long as it is there, the id is
 * taken and the removal is continued after a restart, by any node.
 */
export class RealmRemovals {
  readonly #ledger: Ledger;
  readonly #steps = new PacedSteps();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Resolves when the id of a deleted realm is free, or after some seconds. Never rejects. */
  finished(realmId: string): Promise<void> {
    return this.#steps.patiently(() => this.#removal(realmId));
  }

  /** Continues the removals that were not finished, such as those of a node that ended. */
  async resume(): Promise<void> {
    const realmIds = await this.#ledger.query('deletedRealms', { limit: REALMS_AT_ONCE });
    await Promise.all(realmIds.map((realmId) => this.#removal(realmId)));
  }

  /** Ends the removals after their current step. */
  stop(): void {
    this.#steps.stop();
  }

  #removal(realmId: string): Promise<void> {
    return this.#steps.run(realmId, () => this.#remove(realmId));
  }

  async #remove(realmId: string): Promise<void> {
    const { housekeeping } = this.#ledger;
    await this.#steps.pause(KEYS_VALID_MS);
    await this.#steps.repeat(() => housekeeping.removeRealmRows(realmId));
    await this.#steps.repeat(() => housekeeping.removeRealmProjections(realmId));
    if (!this.#steps.isStopping) await housekeeping.removeRealm(realmId);
  }
}
