import { Unavailable } from '../ledger/errors.ts';
import { setLast } from './rate-limits.ts';

/** An entry in use is looked up again after this long, while its callers are still admitted. */
const REFRESH_MS = 1_000;
/**
 * A revoked key must be rejected on every node within 2 seconds. An entry is no younger than its
 * look-up, so a key that was revoked after it is admitted for less than this.
 */
const VALID_MS = 1_800;

/** Caches what the store knows of a key or a session, for a moment. */
export class FreshCache<T> {
  readonly #lookUp: (id: string) => Promise<T | null>;
  /** Those in use are looked up again and again, so the first one has not been used for longest. */
  readonly #entries = new Map<string, { value: T; loadedAt: number }>();
  readonly #loading = new Map<string, Promise<T | null>>();

  constructor(lookUp: (id: string) => Promise<T | null>) {
    this.#lookUp = lookUp;
  }

  /** Callers share a look-up in progress. */
  async find(id: string): Promise<T | null> {
    return this.valid(id) ?? this.#load(id);
  }

  /** An entry in use is refreshed in time, so that its callers never wait for a look-up. */
  valid(id: string): T | null {
    const entry = this.#entries.get(id);
    if (!entry) return null;
    const age = performance.now() - entry.loadedAt;
    if (age >= VALID_MS) return null;
    // If it fails, the entry expires, and then callers get to know.
    if (age >= REFRESH_MS) this.#load(id).catch(() => undefined);
    return entry.value;
  }

  /** The entry, however old. */
  last(id: string): T | undefined {
    return this.#entries.get(id)?.value;
  }

  /** The next use queries the store. */
  forget(id: string): void {
    this.#entries.delete(id);
    this.#loading.delete(id);
  }

  forgetAll(): void {
    this.#entries.clear();
    this.#loading.clear();
  }

  #load(id: string): Promise<T | null> {
    const loading = this.#loading.get(id);
    if (loading) return loading;
    const loadedAt = performance.now();
    const load: Promise<T | null> = this.#lookUp(id)
      .then((value) => {
        if (performance.now() - loadedAt >= VALID_MS) {
          throw new Unavailable('overloaded', 'the look-up of a key took too long');
        }
        // If it was forgotten meanwhile, the entry may already be out of date.
        if (this.#loading.get(id) !== load) return value;
        if (value) setLast(this.#entries, id, { value, loadedAt });
        else this.#entries.delete(id);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(id) === load) this.#loading.delete(id);
      });
    this.#loading.set(id, load);
    return load;
  }
}
