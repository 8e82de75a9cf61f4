import { Unavailable } from '../ledger/errors.ts';

/** An entry in use is looked up again after this long, while its callers are still admitted. */
const REFRESH_MS = 1_000;
/**
 * A revoked key must be rejected on every node within 2 seconds. An entry is no younger than its
 * look-up, so a key that was revoked after it is admitted for less than this.
 */
const VALID_MS = 1_800;
const MAX_ENTRIES = 10_000;

interface Loaded {
  /** When the store was queried, by the monotonic clock. */
  readonly loadedAt: number;
}

type LookUp<T> = (id: string, loadedAt: number) => Promise<T | null>;

/** Caches what the store knows of a key or a session, for a moment. */
export class FreshCache<T extends Loaded> {
  readonly #lookUp: LookUp<T>;
  /** Those in use are looked up again and again, so the first one has not been used for longest. */
  readonly #entries = new Map<string, T>();
  readonly #loading = new Map<string, Promise<T | null>>();

  constructor(lookUp: LookUp<T>) {
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
    if (age < REFRESH_MS) return entry;
    if (age >= VALID_MS) return null;
    // If it fails, the entry expires, and then callers get to know.
    this.#load(id).catch(() => undefined);
    return entry;
  }

  /** The entry, however old. */
  last(id: string): T | undefined {
    return this.#entries.get(id);
  }

  /** The next use queries the store. */
  forget(id: string): void {
    this.#entries.delete(id);
    this.#loading.delete(id);
  }

  /** The same for all entries that are meant. */
  forgetAll(isMeant: (entry: T) => boolean): void {
    for (const [id, entry] of [...this.#entries]) if (isMeant(entry)) this.forget(id);
    // What is being looked up is not known yet: none of it is cached.
    this.#loading.clear();
  }

  #load(id: string): Promise<T | null> {
    const loading = this.#loading.get(id);
    if (loading) return loading;
    const loadedAt = performance.now();
    const load: Promise<T | null> = this.#lookUp(id, loadedAt)
      .then((entry) => {
        if (performance.now() - loadedAt >= VALID_MS) {
          throw new Unavailable('overloaded', 'the look-up of a key took too long');
        }
        // If forget() was called meanwhile, the entry may already be out of date.
        if (this.#loading.get(id) !== load) return entry;
        if (entry) setLast(this.#entries, id, entry);
        else this.#entries.delete(id);
        return entry;
      })
      .finally(() => {
        if (this.#loading.get(id) === load) this.#loading.delete(id);
      });
    this.#loading.set(id, load);
    return load;
  }
}

/** Sets the value as the last one of a map; the first one goes if there are too many. */
export function setLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_ENTRIES) return;
  const [first = ''] = map.keys();
  map.delete(first);
}
