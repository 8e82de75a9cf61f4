import { createHmac } from 'node:crypto';
import type { BotStatus, LinkedRealm } from 'realmkeep-discord';
import type { NewKey } from '../domain/commands.ts';
import { keyFrom, randomText } from '../domain/key-format.ts';
import type { Realm } from '../domain/model.ts';
import type { NoteName } from '../domain/queries.ts';
import { linksOf } from '../domain/rules/discord-links.ts';
import {
  announcedOf,
  appRealms,
  changeNote,
  claimedServers,
  forgetApp,
  noteAppKey,
  saveAnnounced,
} from '../ledger/discord-notes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { BotThread, type LogLine } from './bot-thread.ts';
import { type Picture, Pictures } from './pictures.ts';

interface DiscordParts {
  ledger: Ledger;
  secretKey: string;
  token: string;
  /** Null for Discord's own. */
  apiUrl: string | null;
  cdnUrl: string | null;
  /** Of the application, if interactions come over HTTP; null if from the gateway. */
  publicKey: string | null;
  log: (line: LogLine) => void;
}

/** The status of the app, as whichever process has the lease has stored it, and when. */
type StoredStatus = BotStatus & { at: number };

/** Discord blocks an address that asks too often for what it must not see. */
const RECHECK_MS = 5_000;

/** A bot asks for its realms every minute, which stores its status again. */
const FRESH_MS = 150_000;

/** The Discord app as a part of the service: what its thread needs of the ledger. */
export class Discord {
  readonly publicKey: string | null;
  readonly #parts: DiscordParts;
  readonly #keys: AppKeys;
  readonly #lease: Lease;
  readonly #pictures: Pictures;
  #bot: BotThread | null = null;
  #status: BotStatus | null = null;
  #checkedAt = 0;
  /** The linked realms, as they were found last. */
  #realms = new Map<string, Realm>();

  constructor(parts: DiscordParts) {
    this.#parts = parts;
    this.publicKey = parts.publicKey;
    this.#keys = new AppKeys(parts.ledger, parts.secretKey);
    this.#lease = new Lease(parts.ledger);
    this.#pictures = new Pictures(parts);
  }

  /** Connects to Discord, and to the service itself at its URL. */
  start(serviceUrl: string): void {
    const { ledger, token, apiUrl, log } = this.#parts;
    const overHttp = this.publicKey !== null;
    const data = { token, apiUrl: apiUrl ?? undefined, serviceUrl, overHttp, hasLease: true };
    this.#bot = new BotThread(data, {
      realms: () => this.#linked(),
      isLeader: () => this.#lease.renew(),
      announced: async (realmId) => {
        const realm = this.#realms.get(realmId);
        return realm ? announcedOf(ledger, realm) : null;
      },
      saveAnnounced: async ({ realmId, seq }) => {
        const realm = this.#realms.get(realmId);
        if (realm) await saveAnnounced(ledger, realm, seq);
      },
      onStatus: (status) => {
        this.#status = status;
        return this.#storeStatus();
      },
      log,
    });
    this.#bot.start();
  }

  /** Somebody looks at a problem, and may have mended it. */
  recheck(): void {
    if (performance.now() - this.#checkedAt < RECHECK_MS) return;
    this.#checkedAt = performance.now();
    this.onChanged();
  }

  /** A realm was linked, or unlinked. */
  onChanged(): void {
    this.#bot?.realmsChanged();
  }

  async handle(interaction: object): Promise<object> {
    if (!this.#bot) throw new Error('the bot is not running');
    return this.#bot.handle(interaction);
  }

  pictureOf(userId: string): Promise<Picture | null> {
    return this.#pictures.of(userId);
  }

  async stop(): Promise<void> {
    await this.#bot?.stop();
    await this.#lease.release().catch(() => {});
  }

  async #linked(): Promise<LinkedRealm[]> {
    const { ledger } = this.#parts;
    const realms = new Map<string, Realm>();
    const servers: LinkedRealm[] = [];
    const claims = await claimedServers(ledger);
    for (const realmId of new Set(claims.map((claim) => claim.realmId))) {
      const realm = await ledger.query('realm', { realmId });
      const own = new Set(claims.flatMap((one) => (one.realmId === realmId ? one.guildId : [])));
      const links = linksOf(realm?.settings.discord ?? null);
      const linked = links.filter(({ guildId }) => own.has(guildId));
      const key = realm && linked.length > 0 ? await this.#keys.of(realm) : null;
      if (!realm || key === null) continue;
      realms.set(realmId, realm);
      servers.push(...linked.map((link) => ({ realmId, key, ...link })));
    }
    this.#realms = realms;
    await this.#keys.keep(new Set(realms.keys()));
    await this.#storeStatus();
    return servers;
  }

  /** Other processes answer by it. */
  async #storeStatus(): Promise<void> {
    const status = this.#status;
    if (!status || status.state === 'waiting' || !this.#lease.isHeld) return;
    const text = JSON.stringify({ ...status, at: Date.now() } satisfies StoredStatus);
    await changeNote(this.#parts.ledger, 'discord_status', () => text);
  }
}

/** The status of the app in whichever process it is connected; null if it is in none. */
export async function discordStatus(ledger: Pick<Ledger, 'query'>): Promise<BotStatus | null> {
  const text = await ledger.query('note', { name: 'discord_status' });
  if (!text) return null;
  const { at, ...status } = JSON.parse(text) as StoredStatus;
  return Date.now() - at < FRESH_MS ? status : null;
}

/** What it is called among the keys of its realm. */
const KEY_NAME = 'Discord';

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
    const fields = { newKey, name: KEY_NAME, scopes: ['write' as const], expiresAt: null };
    const idempotency = { key: `discord-key:${newKey.id}`, fingerprint: newKey.id };
    const by = { actor: 'service', idempotency, realmId };
    const command = { ...by, type: 'key.create' as const, ...fields };
    return 'answer' in (await this.#ledger.execute(command));
  }

  #derive({ id, createdAt }: Realm, turn: number): { key: string; newKey: NewKey } {
    const text = `Discord ${turn} of realm ${id} of ${createdAt}`;
    return keyFrom(createHmac('sha512', this.#secretKey).update(text).digest());
  }
}

const LEASE_NOTE: NoteName = 'discord_lease';
const FREE = 'free';
/** Renewed every two seconds, so that a short pause of its process does not lose it. */
const LEASE_MS = 6_000;

/**
 * Of the processes that share a database, one is connected to Discord. It writes another text every
 * time that it renews the lease; a text that has not changed for so long, by the clock of whoever
 * looks, is that of a process that has died.
 */
export class Lease {
  readonly #ledger: Pick<Ledger, 'query' | 'housekeeping'>;
  readonly #owner = randomText(12);
  readonly #leaseMs: number;
  #turn = 0;
  /** What this process has written last; null if it has not, or has lost the lease since. */
  #own: string | null = null;
  #seen: { text: string | null; since: number } = { text: null, since: 0 };

  constructor(ledger: Pick<Ledger, 'query' | 'housekeeping'>, leaseMs = LEASE_MS) {
    this.#ledger = ledger;
    this.#leaseMs = leaseMs;
  }

  get isHeld(): boolean {
    return this.#own !== null;
  }

  /** Renews the lease, or takes it if it is free. While the database is away it stays as it is. */
  async renew(): Promise<boolean> {
    try {
      await this.#renew();
    } catch {
      // Then nobody else can take it either.
    }
    return this.isHeld;
  }

  async #renew(): Promise<void> {
    const text = await this.#ledger.query('note', { name: LEASE_NOTE });
    const now = performance.now();
    if (text !== this.#seen.text) this.#seen = { text, since: now };
    const isDead = now - this.#seen.since >= this.#leaseMs;
    const isFree = text === null || text === FREE || isDead;
    if (text !== this.#own && !isFree) {
      this.#own = null;
      return;
    }
    this.#turn += 1;
    const value = `${this.#owner}.${this.#turn}`;
    const note = { name: LEASE_NOTE, value, replaced: text };
    this.#own = (await this.#ledger.housekeeping.storeNote(note)) ? value : null;
  }

  /** So that another process need not wait until it counts as dead. */
  async release(): Promise<void> {
    const replaced = this.#own;
    this.#own = null;
    if (replaced === null) return;
    await this.#ledger.housekeeping.storeNote({ name: LEASE_NOTE, value: FREE, replaced });
  }
}
