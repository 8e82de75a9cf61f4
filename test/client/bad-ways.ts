import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import type { TestService } from '../support/service.ts';

const CUT_CHANCE = 0.15;

/** A proxy in front of a service, also after that has restarted, on its own port. */
export class ServiceProxy {
  readonly #service: TestService;
  readonly #server: Server;
  readonly #random: () => number;
  readonly #sockets = new Set<Socket>();

  private constructor(service: TestService, server: Server, random: () => number) {
    this.#service = service;
    this.#server = server;
    this.#random = random;
    server.on('connection', (client) => this.#join(client));
  }

  /** By default no connection is cut; with a source of random numbers, many are. */
  static async start(service: TestService, random: () => number = () => 1): Promise<ServiceProxy> {
    const proxy = new ServiceProxy(service, await listening(), random);
    after(() => proxy.#stop());
    return proxy;
  }

  get url(): string {
    return urlOf(this.#server);
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #stop(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket): void {
    if (!this.#service.isUp) return void client.destroy();
    const { port } = new URL(this.#service.url);
    const server = connect(Number(port), '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      // Unlike destroy(), it sends what was written: the request arrives, and its answer is lost.
      one.on('close', () => {
        this.#sockets.delete(one);
        other.end();
      });
      one.on('data', (chunk: Buffer) => this.#forward(chunk, client, other));
    }
  }

  /** Passes a chunk on. If it is to be cut, all, none or part of the chunk arrives. */
  #forward(chunk: Buffer, client: Socket, to: Socket): void {
    const isCut = this.#random() < CUT_CHANCE;
    const size = isCut ? Math.floor(this.#random() * (chunk.length + 1)) : chunk.length;
    // Every other cut has the whole chunk arrive.
    to.write(isCut && this.#random() < 0.5 ? chunk : chunk.subarray(0, size));
    if (isCut) client.destroy();
  }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': 'GET, DELETE',
};

/**
 * The URL of a server with members that can be read, but not found when they are removed. Its first
 * answer about each, in each realm, ends after as many bytes as the member's id says.
 */
export async function shortUrl(): Promise<string> {
  const asked = new Set<string>();
  const server = createHttpServer(({ method = '', url = '', socket }, response) => {
    if (method === 'OPTIONS') return void response.writeHead(204, CORS).end();
    const id = url.split('/').at(-1);
    const code = 'member-not-found';
    const body = JSON.stringify(method === 'GET' ? { id } : { code, message: code });
    const headers = { ...CORS, 'content-type': 'application/json', 'content-length': body.length };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const status = method === 'GET' ? '200 OK' : '404 Not Found';
    const answer = `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
    const isFirst = asked.size < asked.add(`${method} ${url}`).size;
    socket.end(isFirst ? answer.slice(0, Number(id)) : answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return urlOf(server);
}

/** The URL of a server that accepts connections and never answers. */
export async function silentUrl(): Promise<string> {
  const server = await listening();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return urlOf(server);
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
