import type { IncomingMessage } from 'node:http';
import type { ClientNetworks } from './rate-limits.ts';

/** As long as a session lasts at most: it ends earlier on the server. */
const MAX_AGE_SECONDS = 7 * 24 * 3600;

/**
 * The cookie of a session. Over https it has the prefix by which browsers make sure that this host
 * has set it, not a neighbour under the same domain.
 */
export class SessionCookie {
  readonly #networks: ClientNetworks;
  readonly #isAlwaysHttps: boolean;

  constructor(networks: ClientNetworks, isAlwaysHttps: boolean) {
    this.#networks = networks;
    this.#isAlwaysHttps = isAlwaysHttps;
  }

  /** Null if there is none, or several: which one was meant must not be guessed. */
  read(request: IncomingMessage): string | null {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const start = `${this.#name(request)}=`;
    const found = cookie.split(/; */).filter((pair) => pair.startsWith(start));
    return found.length === 1 ? (found[0]?.slice(start.length) ?? null) : null;
  }

  /** The header that sets it. */
  set(request: IncomingMessage, value: string): string {
    return this.#header(request, value, MAX_AGE_SECONDS);
  }

  /** The header that deletes it. */
  clear(request: IncomingMessage): string {
    return this.#header(request, '', 0);
  }

  #header(request: IncomingMessage, value: string, maxAge: number): string {
    const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
    const secure = this.#isHttps(request) ? '; Secure' : '';
    return `${this.#name(request)}=${value}; ${attributes}${secure}`;
  }

  #name(request: IncomingMessage): string {
    return this.#isHttps(request) ? '__Host-realmkeep' : 'realmkeep';
  }

  #isHttps(request: IncomingMessage): boolean {
    return this.#isAlwaysHttps || this.#networks.isHttps(request);
  }
}
