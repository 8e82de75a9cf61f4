import { Recent } from './recent.ts';

/** For how long a contract that was slow or failed is read apart from the others. */
const SUSPECT_MS = 5 * 60 * 1000;
const SUSPECTS = 5_000;

/** Contracts that spoiled or held up what was read together with them, or may have. */
export class Quarantine {
  readonly #until = new Recent<number>(SUSPECTS);

  has(contract: string): boolean {
    return (this.#until.get(contract) ?? 0) > Date.now();
  }

  add(contract: string): void {
    this.#until.set(contract, Date.now() + SUSPECT_MS);
  }

  clear(contract: string): void {
    if (this.#until.get(contract) !== undefined) this.#until.set(contract, 0);
  }
}
