import type { APIInteraction } from 'discord-api-types/v10';
import type { LogLevel } from './options.ts';
import { pause } from './rest.ts';

/** What Discord says of its gateway. */
export interface GatewayInfo {
  url: string;
  session_start_limit: { remaining: number; reset_after: number };
}

export interface GatewayOptions {
  token: string;
  info(): Promise<GatewayInfo>;
  /** `isReplayed`: it happened while there was no connection. */
  onInteraction(interaction: APIInteraction, isReplayed: boolean): void;
  onState(state: 'connecting' | 'ready'): void;
  /** Discord refuses for good; the gateway has ended. */
  onRefused(why: string): void;
  log(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
}

interface Session {
  id: string;
  url: string;
  seq: number;
}

interface Payload {
  op: number;
  d?: unknown;
  s?: number | null;
  t?: string | null;
}

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const;

/** Only a person can mend these. */
const FINAL_CODES: Record<number, string> = {
  4004: 'Discord refuses the token. Copy it again from the page Bot of the application.',
  4010: 'Discord refuses the connection: invalid shard.',
  4011: 'The app is in too many servers for one connection.',
  4012: 'Discord refuses this version of its gateway.',
  4013: 'Discord refuses the intents.',
  4014: 'Discord refuses the intents.',
};
/** After these, and after a normal end, the session is gone. */
const SESSION_ENDED = new Set([1000, 1001, 4003, 4007, 4009]);

/** Other than 1000 and 1001, which would end the session. */
const CLOSE_TO_RESUME = 4900;
const HELLO_MS = 20_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A connection to Discord's gateway for interactions, which need no intent. It resumes its session
 * whenever it can: Discord allows a thousand new ones a day.
 */
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
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await pause(backoffMs(failures), signal);
        this.#options.onState('connecting');
        const isStable = await this.#connectOnce();
        if (isStable) failures = -1;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused) {
          this.#options.onRefused(error.message);
          return;
        }
        this.#options.log('warn', 'the gateway cannot be reached', { why: String(error) });
      }
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#connection?.close(1000);
  }

  /** One connection, until it ends. Whether it lasted, so that the next may come at once. */
  async #connectOnce(): Promise<boolean> {
    const url = this.#session?.url ?? (await this.#urlForNewSession());
    if (this.#stopping.signal.aborted) return false;
    const connection = new Connection(`${url.replace(/\/$/, '')}/?v=10&encoding=json`, {
      onHello: () => this.#greet(connection),
      onDispatch: (payload) => this.#dispatch(connection, payload),
      seq: () => this.#session?.seq ?? null,
    });
    this.#connection = connection;
    const { code, forgetsSession, wasOpen } = await connection.ended;
    this.#connection = null;
    const final = FINAL_CODES[code];
    if (final) throw new Refused(final);
    if (forgetsSession || SESSION_ENDED.has(code)) this.#session = null;
    // Where the session was cannot be reached: Discord's own address leads to it as well.
    else if (!wasOpen && this.#session) this.#session.url = (await this.#options.info()).url;
    this.#options.log('info', 'the connection to the gateway ended', { code });
    if (forgetsSession) await pause(1_000 + Math.random() * 1_000, this.#stopping.signal);
    return connection.wasStable;
  }

  async #urlForNewSession(): Promise<string> {
    const { url, session_start_limit: limit } = await this.#options.info();
    if (limit.remaining < 1) {
      this.#options.log('error', 'no new sessions are left for today', limit);
      await pause(limit.reset_after, this.#stopping.signal);
    }
    return url;
  }

  #greet(connection: Connection): void {
    const { token } = this.#options;
    const session = this.#session;
    if (session) {
      const { id, seq } = session;
      connection.send({ op: OP.resume, d: { token, session_id: id, seq } });
    } else {
      const properties = { os: 'linux', browser: 'realmkeep', device: 'realmkeep' };
      connection.send({ op: OP.identify, d: { token, intents: 0, properties } });
    }
  }

  #dispatch(connection: Connection, { t, s, d }: Payload): void {
    if (t === 'READY') {
      const { session_id: id, resume_gateway_url: url } = d as {
        session_id: string;
        resume_gateway_url: string;
      };
      this.#session = { id, url, seq: s ?? 0 };
    }
    if (this.#session && typeof s === 'number') this.#session.seq = s;
    if (t === 'READY' || t === 'RESUMED') {
      connection.isReady = true;
      this.#options.onState('ready');
    }
    if (t === 'INTERACTION_CREATE') {
      this.#options.onInteraction(d as APIInteraction, !connection.isReady);
    }
  }
}

class Refused extends Error {}

/** The first attempt at once, later ones ever more rarely, at random. */
const backoffMs = (failures: number): number =>
  failures === 0
    ? 0
    : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);

interface End {
  /** 0 if the connection was lost, or given up. */
  code: number;
  forgetsSession: boolean;
  wasOpen: boolean;
}

interface Listener {
  onHello(): void;
  onDispatch(payload: Payload): void;
  seq(): number | null;
}

/** One WebSocket with its heartbeats. */
class Connection {
  readonly #socket: WebSocket;
  readonly #listener: Listener;
  readonly #end = Promise.withResolvers<End>();
  #timer: ReturnType<typeof setTimeout>;
  #isAcknowledged = true;
  #wasOpen = false;
  #isOver = false;
  isReady = false;
  /** A heartbeat was acknowledged after the session began. */
  wasStable = false;

  constructor(url: string, listener: Listener) {
    this.#listener = listener;
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    this.#socket.addEventListener('close', ({ code }) => this.#finish(code));
    this.#socket.addEventListener('error', () => this.#finish(0));
    this.#timer = setTimeout(() => this.giveUp(), HELLO_MS);
  }

  get ended(): Promise<End> {
    return this.#end.promise;
  }

  send(payload: Payload): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(payload));
  }

  close(code: number): void {
    this.#finish(0);
    if (this.#socket.readyState <= WebSocket.OPEN) this.#socket.close(code);
  }

  /** Ends it so that the session can be resumed, without waiting for an answer. */
  giveUp(forgetsSession = false): void {
    this.#finish(0, forgetsSession);
    this.close(CLOSE_TO_RESUME);
  }

  #finish(code: number, forgetsSession = false): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end.resolve({ code, forgetsSession, wasOpen: this.#wasOpen });
  }

  #receive(text: string): void {
    // What arrives after the end is sent again to who resumes.
    if (this.#isOver) return;
    const payload = JSON.parse(text) as Payload;
    switch (payload.op) {
      case OP.hello:
        this.#wasOpen = true;
        this.#beatEvery((payload.d as { heartbeat_interval: number }).heartbeat_interval);
        this.#listener.onHello();
        break;
      case OP.heartbeat:
        this.#beat();
        break;
      case OP.heartbeatAck:
        this.#isAcknowledged = true;
        this.wasStable ||= this.isReady;
        break;
      case OP.reconnect:
        this.giveUp();
        break;
      case OP.invalidSession:
        this.giveUp(payload.d !== true);
        break;
      case OP.dispatch:
        this.#listener.onDispatch(payload);
    }
  }

  /** The first beat comes at random, lest all clients beat at once. */
  #beatEvery(intervalMs: number): void {
    const beat = (): void => {
      // Nobody is at the other end any more.
      if (!this.#isAcknowledged) {
        this.giveUp();
        return;
      }
      this.#isAcknowledged = false;
      this.#beat();
      this.#timer = setTimeout(beat, intervalMs);
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(beat, intervalMs * Math.random());
  }

  #beat(): void {
    this.send({ op: OP.heartbeat, d: this.#listener.seq() });
  }
}
