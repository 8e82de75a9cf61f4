import type { APIInteraction } from 'discord-api-types/v10';
import type { LogLevel } from './options.ts';
import { pause } from './rest.ts';

export type GatewayInfo = {
  url: string;
  session_start_limit: { remaining: number; reset_after: number };
};

interface GatewayOptions {
  token: string;
  info(): Promise<GatewayInfo>;
  /** `isReplayed`: it happened while there was no connection. */
  onInteraction(interaction: APIInteraction, isReplayed: boolean): void;
  onState(state: 'connecting' | 'ready'): void;
  /** Discord refuses for good; the gateway has ended. */
  onRefused(why: string): void;
  log(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

type Session = { id: string; url: string; seq: number };

// biome-ignore lint/suspicious/noExplicitAny: what `d` is depends on the rest.
type Payload = { op: number; d?: any; s?: number | null; t?: string | null };

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6 };
const FROM_DISCORD = { reconnect: 7, invalidSession: 9, hello: 10, acknowledged: 11 };

/** Only a person can mend these. */
const FINAL_CODES = new Set([4004, 4010, 4011, 4012, 4013, 4014]);
export const REFUSED = 'Discord refuses the token. Reset it on its page, and set the new one.';
const SESSION_ENDED = new Set([1000, 1001, 4003, 4007, 4009]);

/** Other than 1000 and 1001, which would end the session. */
const CLOSE_TO_RESUME = 4900;
const HELLO_MS = 20_000;
const LONGEST_PAUSE_MS = 60_000;

/** Resumes its session whenever it can: Discord allows a thousand new ones a day. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #stopping = new AbortController();
  #session: Session | null = null;
  #connection: Connection | null = null;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** Connects again and again, until it is stopped or refused. */
  async run(): Promise<void> {
    const { onState, onRefused, log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await pause(backoffMs(failures), signal);
        onState('connecting');
        const { code, wasStable } = await this.#connect();
        if (FINAL_CODES.has(code))
          return onRefused(code === 4004 ? REFUSED : `Discord refuses us (${code}).`);
        log('info', 'the connection to the gateway ended', { code });
        if (wasStable) failures = -1;
      } catch (error) {
        if (!signal.aborted) log('warn', 'the gateway is out of reach', { why: String(error) });
      }
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#connection?.close(1000);
  }

  async #connect(): Promise<End & { wasStable: boolean }> {
    const { signal } = this.#stopping;
    const url = this.#session?.url ?? (await this.#urlForNewSession());
    signal.throwIfAborted();
    const connection = new Connection(`${url.replace(/\/$/, '')}/?v=10&encoding=json`, {
      greeting: () => this.#greeting(),
      onDispatch: (payload) => this.#dispatch(connection, payload),
      seq: () => this.#session?.seq ?? null,
    });
    this.#connection = connection;
    const end = await connection.ended;
    if (end.isInvalid || SESSION_ENDED.has(end.code)) this.#session = null;
    // Its own address is out of reach: Discord's first one leads to the session as well.
    else if (!connection.wasOpen && this.#session)
      this.#session.url = (await this.#options.info()).url;
    if (end.isInvalid) await pause(1_000 + Math.random() * 1_000, signal);
    return { ...end, wasStable: connection.wasStable };
  }

  async #urlForNewSession(): Promise<string> {
    const { url, session_start_limit: limit } = await this.#options.info();
    if (limit.remaining < 1) {
      this.#options.log('error', 'no new sessions are left for today', limit);
      await pause(limit.reset_after, this.#stopping.signal);
    }
    return url;
  }

  #greeting(): Payload {
    const { token } = this.#options;
    if (this.#session) {
      const { id: session_id, seq } = this.#session;
      return { op: OP.resume, d: { token, session_id, seq } };
    }
    const properties = { os: 'linux', browser: 'realmkeep', device: 'realmkeep' };
    return { op: OP.identify, d: { token, intents: 0, properties } };
  }

  #dispatch(connection: Connection, { t, s, d }: Payload): void {
    if (t === 'READY') this.#session = { id: d.session_id, url: d.resume_gateway_url, seq: 0 };
    if (this.#session && typeof s === 'number') this.#session.seq = s;
    if (t === 'READY' || t === 'RESUMED') {
      connection.isReady = true;
      this.#options.onState('ready');
    }
    if (t === 'INTERACTION_CREATE') this.#options.onInteraction(d, !connection.isReady);
  }
}

/** The first attempt at once, later ones ever more rarely, at random. */
const backoffMs = (failures: number): number =>
  failures === 0
    ? 0
    : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);

/** `code` is 0 if the connection was lost, or given up. */
type End = { code: number; isInvalid: boolean };

class Connection {
  readonly #socket: WebSocket;
  readonly listener: {
    greeting(): Payload;
    onDispatch(payload: Payload): void;
    seq(): number | null;
  };
  readonly #end = Promise.withResolvers<End>();
  readonly ended = this.#end.promise;
  #timer: ReturnType<typeof setTimeout>;
  #isAcknowledged = true;
  #isOver = false;
  wasOpen = false;
  isReady = false;
  /** A heartbeat was acknowledged after the session began. */
  wasStable = false;

  constructor(url: string, listener: Connection['listener']) {
    this.listener = listener;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    this.#socket.addEventListener('close', ({ code }) => this.#finish(code));
    this.#socket.addEventListener('error', () => this.#finish(0));
    this.#timer = setTimeout(() => this.close(CLOSE_TO_RESUME), HELLO_MS);
  }

  /** Without waiting for an answer, which may never come. */
  close(code: number, isInvalid = false): void {
    this.#finish(0, isInvalid);
    if (this.#socket.readyState <= WebSocket.OPEN) this.#socket.close(code);
  }

  #finish(code: number, isInvalid = false): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end.resolve({ code, isInvalid });
  }

  #receive(text: string): void {
    // What arrives after the end is sent again to who resumes.
    if (this.#isOver) return;
    const payload = JSON.parse(text) as Payload;
    const { op, d } = payload;
    if (op === FROM_DISCORD.hello) {
      this.wasOpen = true;
      clearTimeout(this.#timer);
      // The first beat comes at random, lest all clients beat at once.
      this.#timer = setTimeout(
        () => this.#beat(d.heartbeat_interval),
        d.heartbeat_interval * Math.random(),
      );
      this.#send(this.listener.greeting());
    } else if (op === OP.heartbeat) this.#sendHeartbeat();
    else if (op === FROM_DISCORD.acknowledged) {
      this.#isAcknowledged = true;
      this.wasStable ||= this.isReady;
    } else if (op === FROM_DISCORD.reconnect) this.close(CLOSE_TO_RESUME);
    else if (op === FROM_DISCORD.invalidSession) this.close(CLOSE_TO_RESUME, d !== true);
    else if (op === OP.dispatch) this.listener.onDispatch(payload);
  }

  #beat(intervalMs: number): void {
    // Nobody is at the other end any more.
    if (!this.#isAcknowledged) this.close(CLOSE_TO_RESUME);
    if (this.#isOver) return;
    this.#isAcknowledged = false;
    this.#sendHeartbeat();
    this.#timer = setTimeout(() => this.#beat(intervalMs), intervalMs);
  }

  #sendHeartbeat(): void {
    this.#send({ op: OP.heartbeat, d: this.listener.seq() });
  }

  #send(payload: Payload): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(payload));
  }
}
