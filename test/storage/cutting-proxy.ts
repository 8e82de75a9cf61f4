import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to a connection that sends a COMMIT. */
type Fate = 'pass' | 'cut before' | 'cut after' | 'gone after' | 'error after';

const COMMIT = Buffer.from('COMMIT\0');

/** A proxy in front of PostgreSQL that cuts connections at the worst moments. */
export class CuttingProxy {
  readonly url: string;
  /** For the next COMMIT; afterwards it is `pass` again. */
  fate: Fate = 'pass';
  cuts = 0;
  /** How many COMMITs pass before that. */
  commitsToPass = 0;
  /** The error that answers a successful COMMIT whose fate is `error after`. */
  errorCode = '';
  /** Every connection that sends this is cut. */
  poison: string | null = null;
  onSent: (chunk: Buffer) => void = () => undefined;
  /** Further connections are accepted and never answered, as by a full pool. */
  maxConnections = Number.POSITIVE_INFINITY;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Set<Socket>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(target: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(target);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const own = typeof address === 'object' && address ? address.port : 0;
    const proxy = new CuttingProxy(server, Object.assign(new URL(target), { port: own }).href);
    server.on('connection', (client) => {
      if (proxy.#clients.size >= proxy.maxConnections) return proxy.#keepWaiting(client);
      proxy.#join(client, connect(Number(port), hostname));
    });
    return proxy;
  }

  /** From now on nothing passes, and nobody is notified. */
  silence(): void {
    for (const socket of this.#sockets) {
      socket.removeAllListeners('data');
      socket.on('data', () => undefined);
    }
    this.#server.removeAllListeners('connection');
    this.#server.on('connection', (client) => this.#keepWaiting(client));
  }

  async stop(): Promise<void> {
    this.#server.removeAllListeners('connection');
    this.#server.on('connection', (client) => client.destroy());
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Connections that pass. */
  get connections(): number {
    return this.#clients.size;
  }

  #keepWaiting(client: Socket): void {
    this.#sockets.add(client);
    client.on('error', () => undefined);
    client.on('close', () => this.#sockets.delete(client));
    // Unless it is read, its end is not noticed.
    client.resume();
  }

  /** From now on every connection is closed at once. */
  #goUnavailable(): void {
    this.#server.removeAllListeners('connection');
    this.#server.on('connection', (socket) => socket.destroy());
    for (const client of this.#clients) client.destroy();
  }

  #join(client: Socket, server: Socket): void {
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        // Unlike destroy(), it sends what was written, so that a COMMIT arrives.
        other.end();
      });
    }
    server.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk: Buffer) => this.#forward(chunk, client, server));
  }

  #forward(chunk: Buffer, client: Socket, server: Socket): void {
    this.onSent(chunk);
    if (this.poison !== null && chunk.includes(this.poison)) {
      this.cuts += 1;
      return void client.destroy();
    }
    const isCommit = chunk.includes(COMMIT) && this.commitsToPass-- <= 0;
    const fate = isCommit ? this.fate : ('pass' as const);
    if (fate === 'pass') return void server.write(chunk);
    this.fate = 'pass';
    this.cuts += 1;
    if (fate === 'cut before') {
      // Everything before the message arrives; it starts with a letter and a length of four bytes.
      server.write(chunk.subarray(0, chunk.indexOf(COMMIT) - 5));
      return void client.destroy();
    }
    if (fate === 'error after') answerByError(client, server, this.errorCode);
    // The server commits, and its answer is lost with the connection.
    server.write(chunk);
    if (fate !== 'error after') client.destroy();
    if (fate === 'gone after') this.#goUnavailable();
  }
}

/** Replaces the next successful answer to a COMMIT by a fatal error. */
function answerByError(client: Socket, server: Socket, code: string): void {
  let answer = Buffer.alloc(0);
  server.removeAllListeners('data');
  server.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    const tag = answer.indexOf(COMMIT);
    if (tag < 0 || client.writableEnded) return;
    client.end(Buffer.concat([answer.subarray(0, tag - 5), errorMessage(code)]));
  });
}

function errorMessage(code: string): Buffer {
  const fields = Buffer.from(`SPANIC\0VPANIC\0C${code}\0Mcould not write to the log\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
