import { randomText } from '../domain/key-format.ts';
import type { NoteName } from '../domain/queries.ts';
import type { Ledger } from '../ledger/ledger.ts';

const NAME: NoteName = 'discord_lease';
const FREE = 'free';
/** Renewed every two seconds, so that a short pause of its process does not lose it. */
const LEASE_MS = 6_000;

/**
 * Of the processes that share a database, one is connected to Discord. It writes another text every
 * time that it renews the lease; a text that has not changed for so long, by the clock of whoever
 * looks, is that of a process that has died.
 */
export class Lease {
  readonly #ledger: Pick<Ledger, 'query' | 'housekeeping'>;
  readonly #owner = randomText(12);
  readonly #leaseMs: number;
  #turn = 0;
  /** What this process has written last; null if it has not, or has lost the lease since. */
  #own: string | null = null;
  #seen: { text: string | null; since: number } = { text: null, since: 0 };

  constructor(ledger: Pick<Ledger, 'query' | 'housekeeping'>, leaseMs = LEASE_MS) {
    this.#ledger = ledger;
    this.#leaseMs = leaseMs;
  }

  get isHeld(): boolean {
    return this.#own !== null;
  }

  /** Renews the lease, or takes it if it is free. While the database is away it stays as it is. */
  async renew(): Promise<boolean> {
    try {
      await this.#renew();
    } catch {
      // Then nobody else can take it either.
    }
    return this.isHeld;
  }

  async #renew(): Promise<void> {
    const text = await this.#ledger.query('note', { name: NAME });
    const now = performance.now();
    if (text !== this.#seen.text) this.#seen = { text, since: now };
    const isDead = now - this.#seen.since >= this.#leaseMs;
    const isFree = text === null || text === FREE || isDead;
    if (text !== this.#own && !isFree) {
      this.#own = null;
      return;
    }
    this.#turn += 1;
    const value = `${this.#owner}.${this.#turn}`;
    const note = { name: NAME, value, replaced: text };
    this.#own = (await this.#ledger.housekeeping.storeNote(note)) ? value : null;
  }

  /** So that another process need not wait until it counts as dead. */
  async release(): Promise<void> {
    const replaced = this.#own;
    this.#own = null;
    if (replaced === null) return;
    await this.#ledger.housekeeping.storeNote({ name: NAME, value: FREE, replaced });
  }
}
