import { readFile, rename, writeFile } from 'node:fs/promises';
import type { LinkedRealm } from 'realmkeep-discord';
import type { RealmSettings } from '../domain/model.ts';
import { linksOf } from '../domain/rules/discord-links.ts';
import { BotThread, type LogLine } from './bot-thread.ts';

interface RemoteParts {
  token: string;
  apiUrl: string | null;
  /** Of the service that it works with, and a key of it. */
  serviceUrl: string;
  key: string;
  /** Where it is noted up to which record each realm was told. */
  stateFile: string;
  log: (line: LogLine) => void;
}

/** What is wrong with the service or the key, as a sentence for whoever starts the app. */
export class NotUsable extends Error {}

interface RemoteRealm {
  id: string;
  createdAt: string;
  settings: Pick<RealmSettings, 'discord'>;
}

const TIMEOUT_MS = 10_000;

/** The app beside no service: it knows of the linked realms what its key may read. */
export class RemoteDiscord {
  readonly #parts: RemoteParts;
  readonly #bot: BotThread;
  readonly #refusal = Promise.withResolvers<string>();
  /** Why Discord refuses the token or the application: then there is nothing left to do. */
  readonly refused = this.#refusal.promise;
  /** The realm of the key; null for the root key. */
  #realmId: string | null = null;
  #createdAt = new Map<string, string>();
  #saved: Promise<void> = Promise.resolve();

  constructor(parts: RemoteParts) {
    this.#parts = parts;
    const { token, apiUrl, serviceUrl, log } = parts;
    const data = { token, apiUrl: apiUrl ?? undefined, serviceUrl, overHttp: false };
    this.#bot = new BotThread(
      { ...data, hasLease: false },
      {
        realms: () => this.realms(),
        isLeader: async () => true,
        announced: async (realmId) => (await this.#state())[this.#nameOf(realmId)] ?? null,
        saveAnnounced: ({ realmId, seq }) => {
          // One after the other: the file is of all realms.
          const save = () => this.#save(realmId, seq);
          this.#saved = this.#saved.then(save, save);
          return this.#saved;
        },
        onStatus: ({ state, detail }) => {
          log({ level: 'info', message: state, fields: { detail } });
          if (state === 'refused') this.#refusal.resolve(detail ?? state);
        },
        log,
      },
    );
  }

  /** Checks the key, and connects; returns the ids of the linked realms. */
  async start(): Promise<string[]> {
    const { realmId, scopes } = await this.#get<{ realmId: string | null; scopes: string[] }>(
      '/api/v4/sessions/current',
    );
    if (!scopes.includes('write')) throw new NotUsable('REALMKEEP_KEY needs the scope "write".');
    this.#realmId = realmId;
    const linked = await this.realms();
    this.#bot.start();
    return [...new Set(linked.map(({ realmId: id }) => id))];
  }

  stop(): Promise<void> {
    return this.#bot.stop();
  }

  async realms(): Promise<LinkedRealm[]> {
    const realms = this.#realmId === null ? await this.#all() : [await this.#one(this.#realmId)];
    this.#createdAt = new Map(realms.map(({ id, createdAt }) => [id, createdAt]));
    const { key } = this.#parts;
    return realms.flatMap(({ id: realmId, settings }) =>
      linksOf(settings.discord).map((link) => ({ realmId, key, ...link })),
    );
  }

  #one(realmId: string): Promise<RemoteRealm> {
    return this.#get(`/api/v4/realms/${realmId}`);
  }

  async #all(): Promise<RemoteRealm[]> {
    const realms: RemoteRealm[] = [];
    let cursor: string | null = '';
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const page = await this.#get<{ items: RemoteRealm[]; nextCursor: string | null }>(
        `/api/v4/realms?limit=500${query}`,
      );
      realms.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return realms;
  }

  async #get<T>(path: string): Promise<T> {
    const { serviceUrl, key } = this.#parts;
    const headers = { authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(serviceUrl.replace(/\/$/, '') + path, { headers, signal }).catch(
      () => {
        throw new NotUsable(`There is no answer from ${serviceUrl}. Check REALMKEEP_URL.`);
      },
    );
    const body = await response.json().catch(() => null);
    if (response.ok && body) return body as T;
    const why = (body as { detail?: string } | null)?.detail;
    throw new NotUsable(
      why
        ? `${serviceUrl} refuses REALMKEEP_KEY: ${why}`
        : `At ${serviceUrl} there is no Realmkeep service. Check REALMKEEP_URL.`,
    );
  }

  async #state(): Promise<Record<string, number>> {
    const text = await readFile(this.#parts.stateFile, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    return JSON.parse(text);
  }

  async #save(realmId: string, seq: number): Promise<void> {
    const { stateFile } = this.#parts;
    const state = { ...(await this.#state()), [this.#nameOf(realmId)]: seq };
    await writeFile(`${stateFile}.new`, `${JSON.stringify(state)}\n`);
    await rename(`${stateFile}.new`, stateFile);
  }

  /** A later realm of the same id is another one. */
  #nameOf(realmId: string): string {
    return `${realmId} of ${this.#createdAt.get(realmId)}`;
  }
}
