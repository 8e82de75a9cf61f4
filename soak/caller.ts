import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { ServiceNode } from './service-node.ts';

/** Writes, reads, and administration of the realm. */
export type Kind = 'write' | 'read' | 'admin';

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
  /** 0 if there is none: the connection was cut or timed out. */
  status: number;
  /** The code of a problem, or why there is no answer. */
  code: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes.
  json: any;
  sentAt: number;
  tookMs: number;
}

type Response = Pick<Answer, 'status' | 'headers' | 'text'>;

const TIMEOUT_MS = 30_000;

/** Sends calls to nodes and passes every answer to the watchers. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  readonly #watchers = new Set<(answer: Answer) => void>();

  /** Returns a function that removes the watcher. */
  watch(onAnswer: (answer: Answer) => void): () => void {
    this.#watchers.add(onAnswer);
    return () => void this.#watchers.delete(onAnswer);
  }

  async send(node: ServiceNode, call: Call): Promise<Answer> {
    const sentAt = performance.now();
    const response = await this.#request(node, call).catch(
      ({ message }: Error): Response => ({ status: 0, headers: {}, text: message }),
    );
    const json = /json/.test(response.headers['content-type'] ?? '')
      ? JSON.parse(response.text)
      : null;
    const code =
      response.status === 0 ? response.text : response.status < 400 ? '' : (json?.code ?? '');
    const tookMs = performance.now() - sentAt;
    const answer: Answer = { node, call, ...response, code, json, sentAt, tookMs };
    for (const onAnswer of this.#watchers) onAnswer(answer);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(
    { url }: ServiceNode,
    { method, path, key, body, idempotencyKey }: Call,
  ): Promise<Response> {
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
      const timeOut = () => outgoing.destroy(new Error(`no answer for ${TIMEOUT_MS} ms`));
      const timer = setTimeout(timeOut, TIMEOUT_MS);
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
