import { RouteLimits } from './rest-limits.ts';

/** Discord's answer to a request that it refuses. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError';
  /** 0 without an answer. */
  readonly status: number;
  /** Discord's own number for the reason; 0 without one. */
  readonly code: number;

  constructor(status: number, code: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }

  /** It would be refused again, however often it is repeated. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/** What Discord's numbers mean. */
export const UNKNOWN_INTERACTION = 10062;
export const ALREADY_ACKNOWLEDGED = 40060;
export const MISSING_ACCESS = 50001;
export const MISSING_PERMISSIONS = 50013;
export const UNKNOWN_CHANNEL = 10003;
export const UNKNOWN_MEMBER = 10007;
export const UNKNOWN_ROLE = 10011;

export interface RestOptions {
  apiUrl: string;
  token: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The token is refused: nothing is sent any more. */
  onRefused(): void;
}

export interface Sending {
  body?: unknown;
  /** Without the bot's token: what is authorised by the token of an interaction. */
  isInteraction?: boolean;
  /** How often it is sent again after a failure without an answer, or one of Discord's own. */
  retries?: number;
  signal?: AbortSignal | undefined;
}

const REQUEST_MS = 10_000;
const USER_AGENT = 'DiscordBot (https://www.npmjs.com/package/realmkeep, 0.1.0)';

/** Discord's REST API: within its limits, repeating what is worth it, and never a refused token. */
export class Rest {
  readonly #options: RestOptions;
  readonly #limits = new RouteLimits();
  #isRefused = false;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  async request<T>(method: string, path: string, sending: Sending = {}): Promise<T> {
    const { isInteraction = false, retries = 3 } = sending;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#limits.turn(method, path, isInteraction, () =>
        this.#send(method, path, sending),
      );
      if (answer.ok) return answer.body as T;
      const { failure } = answer;
      // Waiting for its turn, it keeps to what a 429 says.
      if (failure.isFinal || attempt >= retries) throw failure;
      if (failure.status !== 429) await pause(300 * 2 ** attempt, sending.signal);
    }
  }

  async #send(
    method: string,
    path: string,
    { body, isInteraction, signal }: Sending,
  ): Promise<Outcome> {
    if (this.#isRefused && !isInteraction) return failed(401, 0, 'the token was refused');
    const timeout = AbortSignal.timeout(REQUEST_MS);
    const headers: Record<string, string> = { 'user-agent': USER_AGENT };
    if (!isInteraction) headers.authorization = `Bot ${this.#options.token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const response = await this.#options.fetch(this.#options.apiUrl + path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const text = await response.text();
      const json = text === '' ? undefined : parsed(text);
      if (response.ok) return { ok: true, headers: response.headers, body: json };
      if (response.status === 401 && !isInteraction) this.#refuse();
      const { code = 0, message = text.slice(0, 200), retry_after = 0 } = Object(json);
      return { ...failed(response.status, code, message), headers: response.headers, retry_after };
    } catch (error) {
      signal?.throwIfAborted();
      return failed(0, 0, `no answer from Discord: ${reasonOf(error)}`, error);
    }
  }

  #refuse(): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#options.onRefused();
  }
}

type Answered = { headers?: Headers; retry_after?: number };
export type Outcome = Answered &
  ({ ok: true; body: unknown } | { ok: false; failure: DiscordError });

const failed = (
  status: number,
  code: number,
  message: string,
  cause?: unknown,
): Outcome & { ok: false } => ({
  ok: false,
  failure: new DiscordError(status, code, message, cause),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in front of Discord may answer with a page.
    return undefined;
  }
}

const reasonOf = (error: unknown): string => {
  const { message, cause } = Object(error) as { message?: string; cause?: { message?: string } };
  return cause?.message ?? message ?? String(error);
};

/** Waits; rejects if the signal comes first. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
