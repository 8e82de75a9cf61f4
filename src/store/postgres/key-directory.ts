import type { SharedPool } from './pools.ts';
import { statement } from './statement.ts';

const MAX_CACHED = 100_000;

const REALM_OF = statement<{ realm_id: string }, [string]>(
  'SELECT realm_id FROM key_directory WHERE key_id = $1',
);

/**
 * Finds the realm of an API key. Everything else about a key is stored with its realm, so that
 * realms can be distributed; this small table belongs to no realm, and every server stores it in
 * full. A key never changes its realm, so each is looked up once.
 */
export class KeyDirectory {
  readonly #readers: SharedPool;
  readonly #cached = new Map<string, string>();

  constructor(readers: SharedPool) {
    this.#readers = readers;
  }

  async realmOf(keyId: string): Promise<string | null> {
    const cached = this.#cached.get(keyId);
    if (cached !== undefined) return cached;
    const row = await this.#readers.first(REALM_OF, keyId);
    if (!row) return null;
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(keyId, row.realm_id);
    return row.realm_id;
  }
}
