import { Realmkeep } from '@realmkeep/client';
import type { BotOptions, LinkedRealm } from './options.ts';
import { isAway } from './refusal.ts';
import type { Call } from './steps.ts';

/** A call that takes longer has failed for the member. A deferred answer leaves time for it. */
const CALL_MS = 10_000;
const RETRIES = 3;

type Options = Pick<BotOptions, 'realms' | 'serviceUrl' | 'fetch' | 'log'>;

/** The linked realms, and calls to them. */
export class Realms {
  readonly #options: Options;
  readonly #clients = new Map<string, Realmkeep>();
  #byGuild = new Map<string, LinkedRealm>();
  #isAway = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get all(): LinkedRealm[] {
    return [...this.#byGuild.values()];
  }

  of(guildId: string | undefined): LinkedRealm | undefined {
    return guildId === undefined ? undefined : this.#byGuild.get(guildId);
  }

  serversOf(realmId: string): LinkedRealm[] {
    return this.all.filter((realm) => realm.realmId === realmId);
  }

  /** Asks for the links again; without an answer, those that are known stay. */
  async refresh(): Promise<void> {
    const realms = await this.#options.realms();
    this.#byGuild = new Map(realms.map((realm) => [realm.guildId, realm]));
  }

  clientOf({ key }: LinkedRealm): Realmkeep {
    const known = this.#clients.get(key);
    if (known) return known;
    const { serviceUrl: url, fetch } = this.#options;
    const client = new Realmkeep({ url, key, timeoutMs: CALL_MS, retries: RETRIES, fetch });
    this.#clients.set(key, client);
    return client;
  }

  async send(realm: LinkedRealm, { operation, path, fields }: Call): Promise<unknown> {
    const client = this.clientOf(realm);
    const call = client.call.bind(client) as (...sent: unknown[]) => Promise<unknown>;
    try {
      const answer = await call(operation, { ...path, realmID: realm.realmId }, fields);
      this.#note(false);
      return answer;
    } catch (error) {
      if (isAway(error)) this.#note(true, error);
      throw error;
    }
  }

  /** Said once, however many members notice. */
  #note(isAway: boolean, error?: unknown): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    if (isAway) this.#options.log('warn', 'the service does not answer', { why: String(error) });
    else this.#options.log('info', 'the service answers again');
  }
}
