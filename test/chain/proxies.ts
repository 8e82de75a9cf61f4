import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a node that can delay answers or cut connections. */
export class TcpProxy {
  /** The delay of every chunk of an answer. */
  delayMs = 0;
  #isCut = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(target: string) {
    const { hostname, port } = new URL(target);
    this.#server = createServer((client) => {
      if (this.#isCut) {
        client.destroy();
        return;
      }
      const node = connect(Number(port), hostname);
      for (const [one, other] of [
        [client, node],
        [node, client],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      client.on('data', (data) => node.write(data));
      node.on('data', (data) => this.#later(() => client.write(data)));
    });
  }

  static async before(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next connection is made. */
  async asked(): Promise<void> {
    await once(this.#server, 'connection');
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut;
    if (isCut) for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  #later(act: () => void): void {
    if (this.delayMs === 0) {
      act();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, this.delayMs);
    this.#timers.add(timer);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON-RPC message.
type Rpc = any;

/** Forwards JSON-RPC to a real node, records the requests, and can change the answers. */
export class RpcProxy {
  /** The parsed bodies of the requests. */
  readonly asked: Rpc[] = [];
  /** The credentials of the requests. */
  readonly authorizations = new Set<string | undefined>();
  /** The highest number of concurrent requests. */
  mostAtOnce = 0;
  /** Makes the body of an answer from the request and the real answer. */
  twist: (asked: Rpc, answer: Rpc) => string | Promise<string> = (_, answer) =>
    JSON.stringify(answer);
  status = 200;
  readonly #server: HttpServer;
  #inFlight = 0;

  private constructor(target: string) {
    this.#server = createHttpServer(async (request, response) => {
      this.#inFlight += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#inFlight);
      this.authorizations.add(request.headers.authorization);
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString();
        const asked = JSON.parse(body);
        this.asked.push(asked);
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(target, { method: 'POST', headers, body });
        const text = await this.twist(asked, await answer.json());
        response.writeHead(this.status, headers).end(text);
      } catch {
        response.destroy();
      } finally {
        this.#inFlight -= 1;
      }
    });
  }

  static async before(target: string): Promise<RpcProxy> {
    const proxy = new RpcProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of calls of a method, in batches or not. */
  count(method: string): number {
    return this.asked.flat().filter((one) => one.method === method).length;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
