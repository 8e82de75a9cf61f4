import { backoffMs, Deadline, pause } from './deadline.ts';
import { type OperationId, type Operations, operations } from './generated.ts';
import { RealmkeepError } from './problem.ts';
import { bodyOf, newIdempotencyKey, pathOf, queryOf } from './request.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://points.example.com`. */
  url: string;
  /** A key of the realm, or the root key. */
  key?: string;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** How long a call may take, retries included; 30 seconds by default. */
  timeoutMs?: number;
  /** How often a call is repeated where that is safe and may help; 4 times by default. */
  retries?: number;
  /** Instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What every call accepts besides the fields of its operation. */
export interface CallOptions {
  /** Writes with the same key take effect once. By default each call has a key of its own. */
  idempotencyKey?: string;
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal;
  /** Instead of the client’s. */
  timeoutMs?: number;
}

export type Path<Op extends OperationId> = Operations[Op]['path'];
export type Fields<Op extends OperationId> = Operations[Op]['fields'];
export type Answer<Op extends OperationId> = Operations[Op]['answer'];

/** A call, the same in every attempt: hence one idempotency key, and at most one effect. */
interface Call {
  operation: OperationId;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  idempotencyKey?: string;
}

/** Worth another attempt. A 500 is a bug, and so it would be again. */
const RETRIED = [408, 429, 502, 503, 504];
/** A proxy that gives one of these may have passed the request on. */
const IN_DOUBT = [0, 502, 504];

/** Sends calls, and repeats them where that is safe, until they are answered or out of time. */
export class Transport {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: NonNullable<ClientOptions['fetch']>;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: ClientOptions) {
    const { url, key, headers, timeoutMs = 30_000, retries = 4 } = options;
    this.#url = url.replace(/\/+$/, '');
    this.#headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers };
    this.#fetch = options.fetch ?? ((address, init) => fetch(address, init));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  async call<Op extends OperationId>(
    operation: Op,
    path: Path<Op>,
    fields: Fields<Op> & CallOptions,
  ): Promise<Answer<Op>> {
    const { signal, timeoutMs = this.#timeoutMs, ...sent }: CallOptions = fields;
    const call = this.#prepare(operation, path, sent);
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
    const response = await this.#fetch(call.url, { headers, signal });
    if (response.ok) return response;
    throw problemOf(call, response.status, await response.text());
  }

  /** GET and DELETE send their fields in the query, the others in the body. */
  #prepare(operation: OperationId, path: object, fields: object): Call {
    const { idempotencyKey, ...sent } = fields as CallOptions;
    const [method, template] = operations[operation];
    const url = this.#url + pathOf(template, path as Record<string, unknown>);
    const headers = { ...this.#headers };
    const call: Call = { operation, method, url, headers, body: null };
    if (method === 'GET' || method === 'DELETE') {
      call.url += queryOf(sent);
      return call;
    }
    call.body = bodyOf(sent);
    headers['content-type'] = 'application/json';
    if (method === 'QUERY') return call;
    call.idempotencyKey = idempotencyKey ?? newIdempotencyKey();
    headers['idempotency-key'] = call.idempotencyKey;
    return call;
  }

  async #carryOut(call: Call, deadline: Deadline): Promise<unknown> {
    let isInDoubt = false;
    for (let attempt = 0; ; attempt += 1) {
      const { ok, status, text, retryAfterMs, cause } = await this.#send(call, deadline.signal);
      if (ok) return answerOf(call, status, text);
      // What a repeated DELETE does not find is what an earlier attempt has deleted.
      if (isInDoubt && status === 404 && call.method === 'DELETE') return undefined;
      isInDoubt ||= IN_DOUBT.includes(status);
      const failure = status === 0 ? lost(call, cause) : problemOf(call, status, text);
      const isRetried = status === 0 || RETRIED.includes(status);
      const pauseMs = retryAfterMs + backoffMs(attempt);
      if (!isRetried || attempt >= this.#retries || pauseMs >= deadline.leftMs) throw failure;
      await pause(pauseMs, deadline.signal);
    }
  }

  /** One attempt; its status is 0 if the connection failed. */
  async #send({ url, method, headers, body }: Call, signal: AbortSignal): Promise<Sent> {
    try {
      const response = await this.#fetch(url, { method, headers, body, signal });
      const { ok, status } = response;
      const retryAfterMs = ok ? 0 : 1_000 * (Number(response.headers.get('retry-after')) || 0);
      return { ok, status, retryAfterMs, text: await response.text() };
    } catch (cause) {
      signal.throwIfAborted();
      return { ok: false, status: 0, retryAfterMs: 0, text: '', cause };
    }
  }
}

interface Sent {
  ok: boolean;
  status: number;
  text: string;
  retryAfterMs: number;
  cause?: unknown;
}

function answerOf(call: Call, status: number, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(call, status, text);
  }
}

function problemOf(call: Call, status: number, text: string): RealmkeepError {
  try {
    const problem = JSON.parse(text);
    if (typeof problem.code === 'string' && typeof problem.message === 'string') {
      return errorOf(call, { ...problem, status });
    }
  } catch {
    // Not even JSON: then it is no problem of ours.
  }
  return unexpected(call, status, text);
}

type Members = ConstructorParameters<typeof RealmkeepError>[1];

const errorOf = ({ operation, idempotencyKey }: Call, members: Members): RealmkeepError =>
  new RealmkeepError(operation, { ...members, ...(idempotencyKey && { idempotencyKey }) });

const unexpected = (call: Call, status: number, text: string): RealmkeepError => {
  const message = `This is no answer of Realmkeep (status ${status}): ${text.slice(0, 200)}`;
  return errorOf(call, { code: 'unexpected-answer', status, message });
};

const lost = (call: Call, cause: unknown): RealmkeepError => {
  const message = `No answer from ${new URL(call.url, 'http://this-host').origin}: ${cause}`;
  return errorOf(call, { code: 'connection-failed', message, cause });
};

const timedOut = (call: Call, timeoutMs: number): RealmkeepError =>
  errorOf(call, { code: 'timed-out', message: `No answer within ${timeoutMs} ms` });
