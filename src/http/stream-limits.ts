import { ProblemError } from '../contract/problems.ts';

interface Limits {
  key: number;
  realm: number;
  all: number;
  /** What a realm may have even when all together have too many. */
  reserved: number;
}

/** An event takes as long to hand out as its realm has streams, and nothing else runs meanwhile. */
const LIMITS: Limits = { key: 1_000, realm: 2_000, all: 10_000, reserved: 20 };

/** Bounds the streams that are open in this process: of a key, of a realm and in all. */
export class StreamLimits {
  readonly #limits: Limits;
  readonly #perKey = new Map<string, number>();
  readonly #perRealm = new Map<string, number>();
  #all = 0;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** Counts a stream, unless there are too many; the result counts it no longer. */
  enter(realmId: string, keyId: string | null): () => void {
    const { key, realm, all, reserved } = this.#limits;
    const ofKey = keyId === null ? 0 : (this.#perKey.get(keyId) ?? 0);
    if (ofKey >= key) {
      const reason = `This key has ${key} streams open. Close some of them.`;
      throw new ProblemError('rate-limited', { reason });
    }
    const ofRealm = this.#perRealm.get(realmId) ?? 0;
    const isFull = this.#all >= all && ofRealm >= reserved;
    if (ofRealm >= realm || isFull) throw new ProblemError('overloaded');
    this.#count(realmId, keyId, 1);
    return () => this.#count(realmId, keyId, -1);
  }

  #count(realmId: string, keyId: string | null, change: 1 | -1): void {
    this.#all += change;
    add(this.#perRealm, realmId, change);
    if (keyId !== null) add(this.#perKey, keyId, change);
  }
}

function add(counts: Map<string, number>, id: string, change: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
