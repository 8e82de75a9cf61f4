import { backoffMs, Deadline, pause } from './deadline.ts';
import { failureOf, lost, timedOut, unexpected } from './failures.ts';
import { type OperationId, type Operations, operations } from './generated.ts';
import type { RealmkeepError } from './problem.ts';
import { bodyOf, type Call, idempotencyKeyOf, pathOf, personOf, queryOf } from './request.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://points.example.com`; '' for the origin of a page. */
  url: string;
  /** A key of the realm, or the root key. */
  key?: string | undefined;
  /** Sent with every call. */
  headers?: Record<string, string> | undefined;
  /** How long a call may take, retries included; 30 seconds by default. */
  timeoutMs?: number | undefined;
  /** How often a call is repeated where that is safe and helps; by default while there is time. */
  retries?: number | undefined;
  /** Instead of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** What every call accepts besides the fields of its operation. */
export interface CallOptions {
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Instead of the client’s. */
  timeoutMs?: number | undefined;
}

/** What a change accepts. */
export interface ChangeOptions extends CallOptions {
  /** For whom it is made, such as `discord:80351110224678912`: stands beside the actor. */
  onBehalfOf?: string | undefined;
}

/** What a write accepts; a deletion needs no key. */
export interface WriteOptions extends ChangeOptions {
  /** Writes with the same key take effect once. By default each call has a key of its own. */
  idempotencyKey?: string | undefined;
}

export type Path<Op extends OperationId> = Operations[Op]['path'];
export type Fields<Op extends OperationId> = Operations[Op]['fields'];
export type Answer<Op extends OperationId> = Operations[Op]['answer'];

/** The fields of an operation and the options of its call, in one object. */
export type Sent<Op extends OperationId> = Fields<Op> & OptionsOf<Op>;

/** The options of a call, by its method. */
export type OptionsOf<Op extends OperationId> = (typeof operations)[Op][0] extends 'GET' | 'QUERY'
  ? CallOptions
  : (typeof operations)[Op][0] extends 'DELETE'
    ? ChangeOptions
    : WriteOptions;

/** Sends calls, and repeats them where that is safe, until they are answered or out of time. */
export class Transport {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: NonNullable<ClientOptions['fetch']>;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: ClientOptions) {
    const { url, key, timeoutMs = 30_000, retries = Number.POSITIVE_INFINITY } = options;
    if (!/^(https?:\/\/|\/|$)/i.test(url)) {
      throw new TypeError(`url must start with http:// or https://, unlike "${url}"`);
    }
    this.#url = url.replace(/\/+$/, '');
    // Refuses what cannot be sent now, rather than in each call.
    const headers = new Headers(options.headers);
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    this.#headers = Object.fromEntries(headers);
    this.#fetch = options.fetch ?? ((address, init) => fetch(address, init));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  async call<Op extends OperationId>(
    operation: Op,
    path: Path<Op>,
    fields: Sent<Op>,
  ): Promise<Answer<Op>> {
    const { signal, timeoutMs = this.#timeoutMs, onBehalfOf, ...sent }: ChangeOptions = fields;
    const call = this.#prepare(operation, path, sent);
    if (onBehalfOf !== undefined) call.headers['x-realmkeep-on-behalf-of'] = personOf(onBehalfOf);
    const deadline = new Deadline(timeoutMs, signal);
    try {
      return (await this.#carryOut(call, deadline)) as Answer<Op>;
    } catch (error) {
      throw deadline.hasPassed ? timedOut(call, timeoutMs) : error;
    } finally {
      deadline.clear();
    }
  }

  /** Opens the stream of a realm's events, in one attempt and without a deadline. */
  async open(
    path: Path<'listEvents'>,
    fields: Fields<'listEvents'>,
    signal: AbortSignal,
  ): Promise<Response> {
    const call = this.#prepare('listEvents', path, fields);
    const headers = { ...call.headers, accept: 'text/event-stream' };
    const response = await this.#fetch(call.url, { headers, signal, redirect: 'manual' }).catch(
      (cause) => {
        throw lost(call, cause);
      },
    );
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.ok && isStream) return response;
    const text = await response.text();
    throw isCut(response, text) ? lost(call, CUT) : failureOf(call, response, text);
  }

  /** GET and DELETE send their fields in the query, the others in the body. */
  #prepare(operation: OperationId, path: object, fields: object): Call {
    const [method, template] = operations[operation];
    const url = this.#url + pathOf(template, path as Record<string, unknown>);
    const headers = { ...this.#headers };
    const call: Call = { operation, method, url, headers, body: null };
    if (method === 'GET' || method === 'DELETE') {
      call.url += queryOf(fields as Record<string, unknown>);
      return call;
    }
    const { idempotencyKey, ...sent } = fields as WriteOptions;
    call.body = bodyOf(sent);
    headers['content-type'] = 'application/json';
    if (method === 'QUERY') return call;
    call.idempotencyKey = idempotencyKeyOf(idempotencyKey);
    headers['idempotency-key'] = call.idempotencyKey;
    // A mistyped field is an error, unless the program prefers otherwise.
    headers.prefer ??= 'handling=strict';
    return call;
  }

  async #carryOut(call: Call, deadline: Deadline): Promise<unknown> {
    const { url, method, headers, body } = call;
    const { signal } = deadline;
    // The service never redirects, and whoever follows a redirection makes a GET of a POST.
    const init: RequestInit = { method, headers, body, signal, redirect: 'manual' };
    let isInDoubt = false;
    for (let attempt = 0; ; attempt += 1) {
      let response: Response | undefined;
      let text = '';
      let cause: unknown = CUT;
      try {
        response = await this.#fetch(url, init);
        text = await response.text();
        if (isCut(response, text)) response = undefined;
      } catch (error) {
        signal.throwIfAborted();
        response = undefined;
        cause = error;
      }
      if (response?.ok) return answerOf(call, response.status, text);
      const failure = response ? failureOf(call, response, text) : lost(call, cause);
      if (isInDoubt && isGone(call, failure)) return undefined;
      isInDoubt ||= leavesDoubt(failure);
      const pauseMs = (failure.retryAfterMs ?? 0) + backoffMs(attempt);
      if (!isRetried(failure) || attempt >= this.#retries || pauseMs >= deadline.leftMs) {
        throw failure;
      }
      await pause(pauseMs, signal);
    }
  }
}

const CUT = 'the connection was cut';

/**
 * Browsers take a head for whole whose connection ended within it, whatever its status is. Answers
 * of the service have a body, except for 204; others without one say so, or redirect.
 */
const isCut = ({ status, type, headers }: Response, text: string): boolean =>
  text === '' &&
  type !== 'opaqueredirect' &&
  status !== 204 &&
  (status < 300 || status >= 400) &&
  headers.get('content-length') !== '0';

function answerOf(call: Call, status: number, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text, LONG_NUMBER.test(text) ? exact : undefined);
  } catch {
    throw unexpected(call, status, text);
  }
}

const LONG_NUMBER = /[:,[-]\d{16}/;

/** A sum that no number holds becomes a bigint, where the runtime tells its digits. */
const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
    ? BigInt(context.source)
    : value;

/** A 500 is a bug, and so it would be again. */
const isRetried = ({ code, status }: RealmkeepError): boolean =>
  code === 'connection-failed' || [408, 429, 502, 503, 504].includes(status);

/** Whether the call may have taken effect nevertheless, as when a proxy has passed it on. */
const leavesDoubt = ({ code, status }: RealmkeepError): boolean =>
  code === 'connection-failed' || code === 'outcome-unknown' || status === 502 || status === 504;

/** Whether a repeated DELETE does not find what an earlier attempt may have deleted. */
const isGone = ({ operation, method }: Call, { code }: RealmkeepError): boolean => {
  const [noun = ''] = /[A-Z][a-z]*$/.exec(operation) ?? [];
  return method === 'DELETE' && code === `${noun.toLowerCase()}-not-found`;
};
