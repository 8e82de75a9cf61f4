import { LruMap } from './lru-map.ts';

const QUARANTINE_MS = 5 * 60 * 1000;
const MAX_CONTRACTS = 5_000;

/**
 * A healthy contract is read in one request with others. One that failed or was slow, or was read
 * with one that may have been, is read separately until it answers in time or the time is up.
 */
type ContractState = 'healthy' | { quarantinedUntil: number };

/** The contracts of one chain that are not healthy. */
export class Quarantine {
  readonly #states = new LruMap<Exclude<ContractState, 'healthy'>>(MAX_CONTRACTS);

  has(contract: string): boolean {
    const state: ContractState = this.#states.get(contract) ?? 'healthy';
    return state !== 'healthy' && state.quarantinedUntil > Date.now();
  }

  add(contract: string): void {
    this.#states.set(contract, { quarantinedUntil: Date.now() + QUARANTINE_MS });
  }

  release(contract: string): void {
    this.#states.delete(contract);
  }
}
