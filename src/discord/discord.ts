import type { BotStatus, LinkedRealm } from 'realmkeep-discord';
import type { Realm } from '../domain/model.ts';
import { linksOf } from '../domain/rules/discord-links.ts';
import { announcedOf, changeNote, claimedServers, saveAnnounced } from '../ledger/discord-notes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { AppKeys } from './app-keys.ts';
import { BotThread, type LogLine } from './bot-thread.ts';
import { Lease } from './lease.ts';
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
  /** Overrides for tests. */
  leaseMs?: number | undefined;
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
    this.#lease = new Lease(parts.ledger, parts.leaseMs);
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
