import { createHmac } from 'node:crypto';
import type { NewKey } from '../domain/commands.ts';
import { keyFrom } from '../domain/key-format.ts';
import type { Realm } from '../domain/model.ts';
import { appRealms, forgetApp, noteAppKey } from '../ledger/discord-notes.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What it is called among the keys of its realm. */
const NAME = 'Discord';
const ENVELOPE = { actor: 'service', idempotency: null };

type Keys = Pick<Ledger, 'query' | 'execute' | 'housekeeping'>;

/**
 * The keys that the app calls the service with, one for each linked realm. They follow from the
 * secret key: every process has the same ones, and none is stored, but its hash as of any key.
 */
export class AppKeys {
  readonly #ledger: Keys;
  readonly #secretKey: string;

  constructor(ledger: Keys, secretKey: string) {
    this.#ledger = ledger;
    this.#secretKey = secretKey;
  }

  /** The key for a realm, made if there is none; another one if that was revoked or rotated. */
  async of(realm: Realm): Promise<string | null> {
    for (let turn = 0; ; turn++) {
      const { key, newKey } = this.#derive(realm, turn);
      const row = await this.#ledger.query('apiKey', { keyId: newKey.id });
      const isUsable = row?.revokedAt === null && row.replacedBy === null;
      if (row && !isUsable) continue;
      if (!row && !(await this.#create(realm.id, newKey))) return null;
      await noteAppKey(this.#ledger, realm, newKey.id);
      return key;
    }
  }

  /** Revokes those made while the last server of their realm was being unlinked. */
  async keep(linked: ReadonlySet<string>): Promise<void> {
    for (const realmId of await appRealms(this.#ledger)) {
      if (!linked.has(realmId)) await forgetApp(this.#ledger, realmId);
    }
  }

  /** Several processes may create it at once: it is created once. */
  async #create(realmId: string, newKey: NewKey): Promise<boolean> {
    const fields = { newKey, name: NAME, scopes: ['write' as const], expiresAt: null };
    const idempotency = { key: `discord-key:${newKey.id}`, fingerprint: newKey.id };
    const command = { ...ENVELOPE, idempotency, type: 'key.create' as const, realmId, ...fields };
    return 'answer' in (await this.#ledger.execute(command));
  }

  #derive({ id, createdAt }: Realm, turn: number): { key: string; newKey: NewKey } {
    const text = `Discord ${turn} of realm ${id} of ${createdAt}`;
    return keyFrom(createHmac('sha512', this.#secretKey).update(text).digest());
  }
}
