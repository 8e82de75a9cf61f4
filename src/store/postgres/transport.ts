import type { Socket } from 'node:net';
import pg from 'pg';
import { ConnectionLost } from './errors.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const CLOSE_MS = 1_000;

/** What the driver has but its types do not declare. */
interface Internals {
  connection: { stream: Socket };
  processID: number;
}

/** The socket of a connection and its driver. It never reconnects. */
export class Transport {
  readonly client: pg.Client;
  readonly #onLost: () => void;
  #lost: ConnectionLost | null = null;
  #isCorked = false;

  private constructor(client: pg.Client, onLost: () => void) {
    this.client = client;
    this.#onLost = onLost;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
  }

  static async open(url: string, purpose: string, onLost: () => void): Promise<Transport> {
    const client = new pg.Client({
      connectionString: url,
      application_name: `realmkeep ${purpose}`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      internals(client).connection.stream.destroy();
      throw error;
    }
    return new Transport(client, onLost);
  }

  /** Why the connection is lost; null while it is not. */
  get lost(): ConnectionLost | null {
    return this.#lost;
  }

  /** The server's process for this connection. */
  get processId(): number {
    return internals(this.client).processID;
  }

  /** Everything sent until the current tick ends goes out in one system call. */
  cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const socket = this.#socket;
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }

  /** Cuts the connection: every request without an answer fails. */
  destroy(reason: Error): void {
    this.#lose(reason);
    this.#socket.destroy();
  }

  async close(): Promise<void> {
    if (this.#lost) return;
    this.#lose(new Error('the connection was closed'));
    const cut = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    await this.client.end();
    clearTimeout(cut);
  }

  get #socket(): Socket {
    return internals(this.client).connection.stream;
  }

  #lose(reason: Error): void {
    if (this.#lost) return;
    this.#lost = new ConnectionLost(reason.message, { cause: reason });
    this.#onLost();
  }
}

const internals = (client: pg.Client): Internals => client as unknown as Internals;
