import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Write } from './writes.ts';

/** Before an attacker tries again to connect, or to do anything that failed at once. */
const PAUSE_MS = 50;
/** How long an attack that has not begun goes on after its time. */
const MAX_WAIT_MS = 60_000;

/** How often each status, or other end of a request, occurred. */
export type Counts = Record<string, number>;

/** A request as bytes. */
export interface Outgoing {
  parts: readonly (string | Buffer)[];
  /** What it writes, if the audit is to find that in the journal. */
  write?: Pick<Write, 'mark' | 'records'>;
}

interface RequestOptions {
  /** The realm's key by default; null for none. */
  key?: string | null;
  /** What the answer may be, if not JSON. */
  accept?: string;
  body?: readonly (string | Buffer)[];
  /** Whether a body in chunks will follow. */
  isChunked?: boolean;
  write?: Outgoing['write'];
}

export interface AttackerSettings {
  url: string;
  /** Of another process on the same database; null if there is none. */
  otherUrl: string | null;
  realmId: string;
  key: string;
  rootKey: string;
  seconds: number;
}

/** What the attacks are made of: callers that behave badly, on raw sockets. */
export class Attacker {
  readonly answers: Counts = {};
  readonly writes: Write[] = [];
  readonly rootKey: string;
  readonly #settings: AttackerSettings;
  readonly #url: URL;
  readonly otherUrl: URL;
  /** Closes every connection when the time is over. */
  readonly #end = new AbortController();
  readonly #firsts: Promise<void>[] = [];
  /** A process may attack the same realm again, after a restart of the service. */
  readonly #run = randomBytes(4).toString('hex');
  #count = 0;

  constructor(settings: AttackerSettings) {
    this.#settings = settings;
    this.#url = new URL(settings.url);
    this.otherUrl = new URL(settings.otherUrl ?? settings.url);
    this.rootKey = settings.rootKey;
    setMaxListeners(0, this.#end.signal);
  }

  /** Runs an attack for the time given, then closes every connection. */
  async during(attack: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => this.#endOnceBegun(), this.#settings.seconds * 1_000);
    await attack();
    clearTimeout(timer);
  }

  /** What has to happen once: a short attack on a slow machine has attacked nothing before it. */
  doesNotEndBefore(first: Promise<void>): void {
    this.#firsts.push(first);
  }

  async #endOnceBegun(): Promise<void> {
    await Promise.race([Promise.all(this.#firsts), pause(MAX_WAIT_MS, null, { ref: false })]);
    this.#end.abort();
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  count(what: string | number): void {
    this.answers[what] = (this.answers[what] ?? 0) + 1;
  }

  recordWrite(write: Pick<Write, 'mark' | 'records'>, status: number | null): void {
    this.writes.push({ ...write, fate: fateOf(status) });
  }

  /** A text that no other write contains. */
  mark(): string {
    this.#count += 1;
    return `${this.#settings.realmId}-${this.#run}-${String(this.#count).padStart(9, '0')}`;
  }

  path(rest: string, realmId = this.#settings.realmId): string {
    return `/api/v4/realms/${realmId}${rest}`;
  }

  request(method: string, path: string, options: RequestOptions = {}): Outgoing {
    const { key = this.#settings.key, accept, body, isChunked, write } = options;
    const lines = [`${method} ${path} HTTP/1.1`, `host: ${this.#url.host}`];
    if (key !== null) lines.push(`authorization: Bearer ${key}`);
    if (accept) lines.push(`accept: ${accept}`);
    if (write) lines.push(`idempotency-key: ${write.mark}`);
    if (isChunked) lines.push('content-type: application/json', 'transfer-encoding: chunked');
    if (body) {
      const length = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      lines.push('content-type: application/json', `content-length: ${length}`);
    }
    const head = `${lines.join('\r\n')}\r\n\r\n`;
    return { parts: [head, ...(body ?? [])], ...(write && { write }) };
  }

  /** Calls the realm as anybody would, for what an attack needs first. */
  async call<T>(method: string, path: string, body: object): Promise<T> {
    const headers = {
      authorization: `Bearer ${this.#settings.key}`,
      'content-type': 'application/json',
    };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(new URL(this.path(path), this.#url), init);
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}`);
    return (await response.json()) as T;
  }

  /** A connection, as soon as the service accepts one; null when the attack is over. */
  async connect(url = this.#url): Promise<Connection | null> {
    while (!this.isOver) {
      const connection = await Connection.open(url, this.#end.signal);
      if (connection) return connection;
      if (!this.isOver) this.count('not connected');
      await pause(PAUSE_MS);
    }
    return null;
  }

  /** Repeats something with a connection, for each of several callers at once. */
  async callers(
    count: number,
    behave: (connection: Connection, caller: number) => Promise<void>,
    url = this.#url,
  ): Promise<void> {
    const run = async (caller: number): Promise<void> => {
      while (!this.isOver) {
        const connection = await this.connect(url);
        if (!connection) return;
        await behave(connection, caller);
        connection.destroy();
      }
    };
    await Promise.all(Array.from({ length: count }, (_, caller) => run(caller)));
  }

  /** Clients that send their next request as soon as the last one is answered. */
  clients(count: number, next: (client: number) => Outgoing, url = this.#url): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.doesNotEndBefore(first.promise);
    const behave = async (connection: Connection, client: number): Promise<void> => {
      while (connection.isUsable) {
        const { parts, write } = next(client);
        connection.send(parts);
        const status = await connection.answer();
        if (status !== null) first.resolve();
        this.count(status ?? (this.isOver ? 'unfinished' : 'closed'));
        if (write) this.recordWrite(write, status);
        if (status === null && !this.isOver) await pause(PAUSE_MS);
      }
    };
    return this.callers(count, behave, url);
  }

  /** Clients that send many requests at once, and more when all of them are answered. */
  pipelines(count: number, requests: number, one: Outgoing): Promise<void> {
    const bytes = Buffer.concat(one.parts.map((part) => Buffer.from(part)));
    const all = Buffer.alloc(bytes.length * requests, bytes);
    const first = Promise.withResolvers<void>();
    this.doesNotEndBefore(first.promise);
    return this.callers(count, async (connection) => {
      connection.watch((status) => {
        this.count(status);
        first.resolve();
      });
      while (connection.isUsable) {
        connection.send([all]);
        await connection.answer(requests);
      }
      if (!this.isOver) this.count('closed');
    });
  }

  /** Waits until the attack is over or the connection closes. */
  async untilOver(connection: Connection, whenClosed: string): Promise<void> {
    while (!this.isOver && !connection.isClosed) await pause(PAUSE_MS);
    this.count(this.isOver ? 'open to the end' : whenClosed);
  }
}

/** Whatever is neither done nor refused may still have been done. */
function fateOf(status: number | null): Write['fate'] {
  if (status === null || status >= 500) return 'unknown';
  return status < 300 ? 'done' : 'refused';
}
