import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { ServiceNode } from './service-node.ts';

/** What is asked for: of the books, of what follows them, or of the realm itself. */
export type Kind = 'write' | 'read' | 'view' | 'admin';

export interface Call {
  kind: Kind;
  method: string;
  path: string;
  key: string;
  body?: object;
  idempotencyKey?: string;
}

export interface Answer {
  node: ServiceNode;
  call: Call;
  /** 0 where none came: the connection was cut, or nothing was said for too long. */
  status: number;
  /** The code of a problem, or why there is no answer. */
  code: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
  json: any;
  askedAt: number;
  tookMs: number;
}

type Heard = Pick<Answer, 'status' | 'headers' | 'text'>;

/** Nobody waits longer. What has no answer by then hangs. */
const GIVE_UP_MS = 30_000;

/** Asks nodes, and shows every answer to whoever watches. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  readonly #watchers = new Set<(answer: Answer) => void>();

  /** Answers how to stop that. */
  watch(see: (answer: Answer) => void): () => void {
    this.#watchers.add(see);
    return () => void this.#watchers.delete(see);
  }

  async ask(node: ServiceNode, call: Call): Promise<Answer> {
    const askedAt = performance.now();
    const heard = await this.#send(node, call).catch(
      ({ message }: Error): Heard => ({ status: 0, headers: {}, text: message }),
    );
    const json = /json/.test(heard.headers['content-type'] ?? '') ? JSON.parse(heard.text) : null;
    const code = heard.status === 0 ? heard.text : heard.status < 400 ? '' : (json?.code ?? '');
    const tookMs = performance.now() - askedAt;
    const answer: Answer = { node, call, ...heard, code, json, askedAt, tookMs };
    for (const see of this.#watchers) see(answer);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ url }: ServiceNode, { method, path, key, body, idempotencyKey }: Call): Promise<Heard> {
    const payload = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    return new Promise((resolve, reject) => {
      const { hostname: host, port } = url;
      const outgoing = request({ host, port, path, method, agent: this.#agent, headers });
      const hangs = () => outgoing.destroy(new Error(`no answer for ${GIVE_UP_MS} ms`));
      const timer = setTimeout(hangs, GIVE_UP_MS);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      });
      outgoing.end(payload);
    });
  }
}

export const isGood = ({ status }: Answer): boolean => status >= 200 && status < 300;
