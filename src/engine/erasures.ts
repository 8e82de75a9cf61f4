import { Unavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { PacedSteps } from './paced-steps.ts';

const REALMS_AT_ONCE = 100;

/**
 * Erases the personal parts of members. The command records that a member is erased; its records,
 * which nothing lists, are then looked for through the whole journal, in small steps. An erasure
 * that is not finished is continued after a restart, by any node.
 */
export class Erasures {
  readonly #ledger: Ledger;
  readonly #steps = new PacedSteps();
  /** As of the last look: how many members remain to be erased, and since when. */
  readonly unfinished: { members: number; since: number | null } = { members: 0, since: null };

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Resolves when the realm's members are erased, or after some seconds. Never rejects. */
  finished(realmId: string): Promise<void> {
    // Twice: what is running may have looked for members before this one was there.
    const erase = () => this.erase(realmId).then(() => this.erase(realmId));
    return this.#steps.patiently(erase);
  }

  /**
   * Continues the erasures that were not finished, such as those of a node that ended. Returns
   * whether there were any.
   */
  async resume(): Promise<boolean> {
    const realms = await this.#ledger.query('erasingRealms', { limit: REALMS_AT_ONCE });
    this.unfinished.members = realms.reduce((sum, { members }) => sum + members, 0);
    this.unfinished.since =
      realms.length === 0 ? null : Math.min(...realms.map(({ since }) => since));
    await Promise.all(realms.map(({ realmId }) => this.erase(realmId)));
    return realms.length > 0;
  }

  /** Ends the erasures after their current step. */
  stop(): void {
    this.#steps.stop();
  }

  /** Erases the members of a realm that are to be erased now. */
  erase(realmId: string): Promise<void> {
    return this.#steps.run(realmId, async () => {
      await this.#steps.repeat(() => this.#ledger.housekeeping.erasePersonalParts(realmId));
      while (!this.#steps.isStopping && !(await this.#project(realmId)));
    });
  }

  /**
   * Whoever reads projections brings them up to date: the words of the names go from them. False if
   * the projections are so far behind that this took too long.
   */
  async #project(realmId: string): Promise<boolean> {
    try {
      await this.#ledger.query('realmTotals', { realmId });
      return true;
    } catch (error) {
      if (error instanceof Unavailable && error.reason === 'projection-behind') return false;
      throw error;
    }
  }
}
