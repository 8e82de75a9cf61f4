/** Discord's refusal of a request, or that there was no answer. */
export class DiscordError extends Error {
  readonly status: number;
  /** Discord's own number for the reason; 0 without one. */
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** It would be refused again, however often it is repeated. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/** What Discord's numbers mean. */
export const CODES = {
  unknownMember: 10007,
  unknownRole: 10011,
  unknownInteraction: 10062,
  alreadyAcknowledged: 40060,
  missingPermissions: 50013,
} as const;

interface RestOptions {
  apiUrl: string;
  token: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The token is refused: nothing is sent by it any more. */
  onRefused(): void;
}

interface Sending {
  body?: object | undefined;
  /** Authorised by the token in its path, and under no common limit. */
  isInteraction?: boolean;
  /** How often it is sent again without an answer, or after a failure of Discord's own. */
  retries?: number;
  signal?: AbortSignal | undefined;
}

const REQUEST_MS = 10_000;
const USER_AGENT = 'DiscordBot (https://www.npmjs.com/package/realmkeep, 0.1.0)';
/** How many requests of ours Discord takes in a second; it counts to 50. */
const PER_SECOND = 45;

/** The requests of one route: sent one after the other, as many as it takes. */
interface Route {
  remaining: number;
  resetAt: number;
  last: Promise<unknown>;
}

/** Discord's REST API, within the limits that it tells in its answers. */
export class Rest {
  readonly #options: RestOptions;
  readonly #routes = new Map<string, Route>();
  readonly #sentAt: number[] = [];
  #freeAt = 0;
  #isRefused = false;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  async request<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
    const route = sending.isInteraction ? newRoute() : this.#routeOf(method, path);
    for (let attempt = 0; ; attempt += 1) {
      const previous = route.last;
      const answer = previous.then(async () => {
        if (route.remaining <= 0) await until(route.resetAt);
        if (!sending.isInteraction) await this.#globalTurn();
        return this.#send(method, path, sending, route);
      });
      route.last = answer.catch(() => {});
      try {
        return (await answer) as T;
      } catch (error) {
        const { isFinal = true, status } = error as Partial<DiscordError>;
        if (isFinal || attempt >= (sending.retries ?? 3)) throw error;
        // What a 429 asks for is waited for at its next turn.
        if (status !== 429) await pause(300 * 2 ** attempt, sending.signal);
      }
    }
  }

  async #send(method: string, path: string, sending: Sending, route: Route): Promise<unknown> {
    const { body, isInteraction = false, signal } = sending;
    const { token, apiUrl, fetch } = this.#options;
    if (this.#isRefused && !isInteraction) throw new DiscordError(401, 0, 'the token is refused');
    const timeout = AbortSignal.timeout(REQUEST_MS);
    const init = {
      method,
      headers: {
        'user-agent': USER_AGENT,
        ...(!isInteraction && { authorization: `Bot ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    let response: Response;
    let text: string;
    try {
      response = await fetch(apiUrl + path, init);
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const { message, cause } = Object(error) as { message?: string; cause?: Error };
      throw new DiscordError(0, 0, `no answer from Discord: ${cause?.message ?? message}`);
    }
    // A proxy in front of Discord may answer with a page.
    const isJson = response.headers.get('content-type')?.includes('json');
    const json = isJson && text !== '' ? JSON.parse(text) : {};
    this.#learn(route, response, json);
    if (response.ok) return json;
    if (response.status === 401 && !isInteraction && !this.#isRefused) {
      this.#isRefused = true;
      this.#options.onRefused();
    }
    throw new DiscordError(response.status, json.code ?? 0, json.message ?? text.slice(0, 200));
  }

  /** Paths that differ in minor ids are one route; channels and servers are major ones. */
  #routeOf(method: string, path: string): Route {
    const minor = path.replaceAll(/(?<!^\/channels|^\/guilds)\/\d{15,}/g, '/:id');
    const route = this.#routes.get(`${method} ${minor}`) ?? newRoute();
    this.#routes.set(`${method} ${minor}`, route);
    return route;
  }

  #learn(route: Route, { status, headers }: Response, json: { retry_after?: number }): void {
    const now = performance.now();
    const remaining = headers.get('x-ratelimit-remaining');
    if (remaining !== null) {
      route.remaining = Number(remaining);
      route.resetAt = now + 1_000 * Number(headers.get('x-ratelimit-reset-after'));
    }
    if (status !== 429) return;
    const freeAt = now + 1_000 * (json.retry_after ?? (Number(headers.get('retry-after')) || 1));
    if (headers.has('x-ratelimit-global')) this.#freeAt = freeAt;
    else Object.assign(route, { remaining: 0, resetAt: freeAt });
  }

  async #globalTurn(): Promise<void> {
    for (;;) {
      const now = performance.now();
      const busyUntil = (this.#sentAt.at(-PER_SECOND) ?? -1_000) + 1_000;
      const freeAt = Math.max(this.#freeAt, busyUntil);
      if (freeAt <= now) break;
      await until(freeAt);
    }
    this.#sentAt.push(performance.now());
    if (this.#sentAt.length > PER_SECOND) this.#sentAt.shift();
  }
}

const newRoute = (): Route => ({ remaining: 1, resetAt: 0, last: Promise.resolve() });

const until = (instant: number): Promise<void> => pause(instant - performance.now());

/** Waits; rejects if the signal comes first. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
}

export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const enough = new AbortController();
  const late = pause(ms, enough.signal).then(() => undefined);
  return Promise.race([promise, late]).finally(() => enough.abort());
}
