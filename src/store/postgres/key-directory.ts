import type { Readers } from './database.ts';
import { statement } from './statement.ts';

const MAX_KNOWN = 100_000;

const REALM_OF = statement<{ realm_id: string }, [string]>(
  'SELECT realm_id FROM key_directory WHERE key_id = $1',
);

/**
 * Tells the realm of a key. Everything else about a key lies with its realm, so that realms can be
 * spread over servers; this small table, which no realm owns, is the same on all of them. A key
 * never changes its realm, so it is asked once for each.
 */
export class KeyDirectory {
  readonly #readers: Readers;
  readonly #known = new Map<string, string>();

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  async realmOf(keyId: string): Promise<string | null> {
    const known = this.#known.get(keyId);
    if (known !== undefined) return known;
    const [row] = await this.#readers.read((connection) => connection.query(REALM_OF, keyId));
    if (!row) return null;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(keyId, row.realm_id);
    return row.realm_id;
  }
}
