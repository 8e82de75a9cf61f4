import { Realmkeep } from '@realmkeep/client';
import type { BotOptions, LinkedRealm } from './options.ts';
import { isAway } from './refusal.ts';
import type { Call } from './steps.ts';

/** How long a call may take: a deferred answer leaves time for it. */
const CALL_MS = 10_000;
const RETRIES = 3;

/** The linked realms, and calls to them. */
export class Realms {
  readonly #options: BotOptions;
  readonly #clients = new Map<string, Realmkeep>();
  all: readonly LinkedRealm[] = [];
  #isAway = false;

  constructor(options: BotOptions) {
    this.#options = options;
  }

  of(guildId: string | undefined): LinkedRealm | undefined {
    return this.all.find((realm) => realm.guildId === guildId);
  }

  /** Asks for the links again; without an answer, those that are known stay. */
  async refresh(): Promise<void> {
    this.all = await this.#options.realms();
  }

  clientOf({ key }: LinkedRealm): Realmkeep {
    const { serviceUrl: url, fetch } = this.#options;
    const client =
      this.#clients.get(key) ??
      new Realmkeep({ url, key, timeoutMs: CALL_MS, retries: RETRIES, fetch });
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
