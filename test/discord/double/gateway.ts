import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { onWebSocket, type ServerSocket } from './web-socket-server.ts';

interface Session {
  id: string;
  /** Everything that was dispatched, with its number. */
  events: { s: number; t: string; d: unknown }[];
  isValid: boolean;
}

interface Payload {
  op: number;
  d: { token?: string; session_id?: string; seq?: number; intents?: number };
}

/** Discord's gateway: sessions that outlive their connections, and everything that can go wrong. */
export class GatewayDouble {
  readonly #token: () => string;
  readonly #url: () => string;
  readonly #sessions = new Map<string, Session>();
  readonly #sockets = new Set<ServerSocket>();
  /** The connection that gets events, of the last session that began or was resumed. */
  #current: { socket: ServerSocket; session: Session } | null = null;
  heartbeatMs = 60;
  acknowledges = true;
  greets = true;
  /** Cuts each message in two frames. */
  isFragmenting = false;
  /** Closes with this code instead of READY. */
  refusesWith: number | null = null;
  readonly seen = {
    connections: 0,
    identifies: 0,
    resumes: 0,
    heartbeats: 0,
    closes: [] as number[],
  };

  constructor(server: Server, token: () => string, url: () => string) {
    this.#token = token;
    this.#url = url;
    onWebSocket(server, (socket, request) => {
      assert.match(request.url ?? '', /^\/(resume)?\/?\?v=10&encoding=json$/);
      this.#accept(socket);
    });
  }

  get isConnected(): boolean {
    return this.#current !== null;
  }

  #accept(socket: ServerSocket): void {
    this.#sockets.add(socket);
    this.seen.connections += 1;
    socket.onText = (text) => this.#receive(socket, JSON.parse(text));
    socket.onClose = (code) => {
      this.#sockets.delete(socket);
      this.seen.closes.push(code);
      if (this.#current?.socket !== socket) return;
      // These two codes end the session; after any other it waits to be resumed.
      if (code === 1000 || code === 1001) this.#current.session.isValid = false;
      this.#current = null;
    };
    if (this.greets) this.#send(socket, { op: 10, d: { heartbeat_interval: this.heartbeatMs } });
  }

  #receive(socket: ServerSocket, { op, d }: Payload): void {
    if (op === 1) {
      this.seen.heartbeats += 1;
      if (this.acknowledges) this.#send(socket, { op: 11 });
    } else if (op === 2) this.#identify(socket, d);
    else if (op === 6) this.#resume(socket, d);
    else socket.close(4001);
  }

  #identify(socket: ServerSocket, { token, intents }: Payload['d']): void {
    this.seen.identifies += 1;
    if (token !== this.#token()) {
      socket.close(4004);
      return;
    }
    if (this.refusesWith !== null) {
      socket.close(this.refusesWith);
      return;
    }
    assert.equal(intents, 0, 'no intents are needed');
    const session: Session = {
      id: `session-${this.#sessions.size + 1}`,
      events: [],
      isValid: true,
    };
    this.#sessions.set(session.id, session);
    this.#current = { socket, session };
    const resume_gateway_url = `${this.#url()}/resume`;
    this.dispatch('READY', { v: 10, session_id: session.id, resume_gateway_url, guilds: [] });
  }

  #resume(socket: ServerSocket, { token, session_id = '', seq = 0 }: Payload['d']): void {
    this.seen.resumes += 1;
    if (token !== this.#token()) {
      socket.close(4004);
      return;
    }
    const session = this.#sessions.get(session_id);
    if (!session?.isValid) {
      this.#send(socket, { op: 9, d: false });
      return;
    }
    if (seq > session.events.length) {
      socket.close(4007);
      return;
    }
    this.#current = { socket, session };
    for (const { s, t, d } of session.events.slice(seq)) this.#send(socket, { op: 0, s, t, d });
    this.dispatch('RESUMED', {});
  }

  /** Sends an event; while nobody is connected, it is kept for who resumes. */
  dispatch(t: string, d: unknown): void {
    const session = this.#current?.session ?? [...this.#sessions.values()].at(-1);
    if (!session) return;
    const event = { s: session.events.length + 1, t, d };
    session.events.push(event);
    if (this.#current) this.#send(this.#current.socket, { op: 0, ...event });
  }

  askForHeartbeat(): void {
    if (this.#current) this.#send(this.#current.socket, { op: 1, d: null });
  }

  askToReconnect(): void {
    if (this.#current) this.#send(this.#current.socket, { op: 7, d: null });
  }

  invalidate(isResumable: boolean): void {
    if (!this.#current) return;
    this.#current.session.isValid = isResumable;
    this.#send(this.#current.socket, { op: 9, d: isResumable });
  }

  /** Ends connections: without a word, or with a code. */
  drop(code?: number): void {
    if ((code === 4009 || code === 4007) && this.#current) this.#current.session.isValid = false;
    this.#current = null;
    for (const socket of this.#sockets) {
      if (code === undefined) socket.destroy();
      else socket.close(code);
    }
  }

  #send(socket: ServerSocket, payload: object): void {
    const text = Buffer.from(JSON.stringify(payload));
    const half = Math.ceil(text.length / 2);
    if (this.isFragmenting) socket.send(text.subarray(0, half), text.subarray(half));
    else socket.send(text);
  }
}
