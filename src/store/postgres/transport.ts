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

const internals = (client: pg.Client): Internals => client as unknown as Internals;

export async function connect(url: string, purpose: string): Promise<pg.Client> {
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
    return client;
  } catch (error) {
    internals(client).connection.stream.destroy();
    throw error;
  }
}

/** The socket of a connection and its driver. It never reconnects. */
export abstract class Transport {
  protected readonly client: pg.Client;
  /** The server's process for this connection. */
  protected readonly processId: number;
  /** Why the connection is lost; null while it is not. */
  protected lost: ConnectionLost | null = null;
  readonly #socket: Socket;
  #isCorked = false;

  constructor(client: pg.Client) {
    this.client = client;
    this.processId = internals(client).processID;
    this.#socket = internals(client).connection.stream;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
  }

  get isLost(): boolean {
    return this.lost !== null;
  }

  /** Cuts the connection: every request without an answer fails. */
  destroy(reason: Error): void {
    this.#lose(reason);
    this.#socket.destroy();
  }

  async close(): Promise<void> {
    if (this.lost) return;
    this.#lose(new Error('the connection was closed'));
    const cut = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    await this.client.end();
    clearTimeout(cut);
  }

  /** Calls the listener with the payload of each NOTIFY on a channel that is listened on. */
  onNotification(listener: (payload: string) => void): void {
    this.client.on('notification', ({ payload }) => listener(payload ?? ''));
  }

  /** Everything sent until the current tick ends goes out in one system call. */
  protected cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  protected abstract onLost(): void;

  #lose(reason: Error): void {
    if (this.lost) return;
    this.lost = new ConnectionLost(reason.message, { cause: reason });
    this.onLost();
  }
}
