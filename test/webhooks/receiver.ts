import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedEvent {
  realmId: string;
  seq: number;
  type: string;
  at: string;
  timestamp: string;
  actor: string;
  data: Record<string, unknown>;
}

/** A message as it arrived. */
interface Received {
  path: string;
  headers: Record<string, string>;
  text: string;
  event: ReceivedEvent;
}

type Answer = (response: ServerResponse, received: Received) => void;

/** Answers 204. */
const accept: Answer = (response) => {
  response.writeHead(204).end();
};

/** A server that receives webhooks, and answers as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = accept;
  /** The most messages that were being received or answered at the same time. */
  mostInFlight = 0;
  #inFlight = 0;
  readonly #server = createServer((request, response) => this.#receive(request, response));
  readonly #waiting = new Set<() => void>();

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((done) => receiver.#server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The `seq` of each event, in the order of its first receipt. */
  get seqs(): number[] {
    return [...new Set(this.received.map(({ event }) => event.seq))];
  }

  /** Resolves when the condition holds; it is checked after each receipt. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((done) => {
        this.#waiting.add(done);
      });
    }
  }

  /** Resolves when there are at least so many: an event may come again. */
  receives(count: number): Promise<void> {
    return this.until(() => this.received.length >= count);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    response.on('close', () => {
      this.#inFlight -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The sender was killed.
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url ?? '', headers, text, event: JSON.parse(text) };
    this.received.push(received);
    this.answer(response, received);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
