import type { SharedPool } from './pools.ts';
import { statement } from './statement.ts';

const MAX_CACHED = 100_000;

const REALM_OF = statement<{ realm_id: string }, [string]>(
  'SELECT realm_id FROM key_directory WHERE key_id = $1',
);

export type KeyDirectory = (keyId: string) => Promise<string | null>;

/**
 * Finds the realm of an API key. Everything else about a key is stored with its realm, so that
 * realms can be distributed; this small table belongs to no realm, and every server stores it in
 * full. A key never changes its realm, so each is looked up once.
 */
export function keyDirectory(readers: SharedPool): KeyDirectory {
  const cache = new Map<string, string>();
  return async (keyId) => {
    const cached = cache.get(keyId);
    if (cached !== undefined) return cached;
    const row = await readers.first(REALM_OF, keyId);
    if (!row) return null;
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(keyId, row.realm_id);
    return row.realm_id;
  };
}
