import { LruMap, MAX_CONTRACTS } from './lru-map.ts';

const QUARANTINE_MS = 5 * 60 * 1000;

/**
 * The contracts of one chain that failed or were slow, or were read with one that may have been.
 * They are read separately until they answer in time or the time is up.
 */
export class Quarantine {
  readonly #endsAt = new LruMap<number>(MAX_CONTRACTS);

  has(contract: string): boolean {
    return (this.#endsAt.get(contract) ?? 0) > Date.now();
  }

  add(contract: string): void {
    this.#endsAt.set(contract, Date.now() + QUARANTINE_MS);
  }

  release(contract: string): void {
    this.#endsAt.delete(contract);
  }
}
