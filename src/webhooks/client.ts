import http, { type ClientRequest } from 'node:http';
import https from 'node:https';
import type { Delivery, DeliveryError } from '../domain/webhook.ts';
import { parseRetryAfter } from './retries.ts';
import { NameNotResolved, RefusedTarget, type Targets } from './targets.ts';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The end of an attempt. */
export interface Outcome extends Pick<Delivery, 'status' | 'latencyMs' | 'answer' | 'error'> {
  retryAfterMs: number | null;
}

/** For connecting, the head of the answer and its body together. */
const DEADLINE_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_ANSWER_CHUNKS = 64;
const KEPT_ANSWER_BYTES = 1024;
/** Answers before the answer, such as 103 Early Hints. */
const MAX_INFORMATIONAL = 8;
/** Shorter than most receivers keep a connection, so that none is used that was just closed. */
const IDLE_MS = 4_000;

/** The attempt was interrupted from here, so that nothing is known of its outcome. */
export class Interrupted extends Error {}

/** A receiver answers in a way that no receiver in good order does. */
class InvalidAnswer extends Error {}

/** Posts messages. It follows no redirect, and sends nothing to an address that is not allowed. */
export class WebhookClient {
  readonly #targets: Targets;
  readonly #deadlineMs: number;
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };

  constructor(targets: Targets, deadlineMs = DEADLINE_MS) {
    this.#targets = targets;
    this.#deadlineMs = deadlineMs;
  }

  /** Never rejects, except with `Interrupted` if the signal ends the attempt. */
  async post(message: Post, signal: AbortSignal): Promise<Outcome> {
    const start = performance.now();
    const latencyMs = () => Math.round(performance.now() - start);
    const deadline = AbortSignal.timeout(this.#deadlineMs);
    try {
      if (this.#targets.fault(message.url) !== null) throw new RefusedTarget(message.url);
      const ends = AbortSignal.any([signal, deadline]);
      const answered = await readAnswer(this.#send(message, ends));
      return { ...answered, latencyMs: latencyMs(), error: null };
    } catch (error) {
      if (signal.aborted) throw new Interrupted('the attempt was interrupted', { cause: error });
      const why = deadline.aborted ? 'timeout' : errorOf(error);
      return { status: null, latencyMs: latencyMs(), answer: null, error: why, retryAfterMs: null };
    }
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #send({ url, headers, body }: Post, signal: AbortSignal): ClientRequest {
    const isTls = url.startsWith('https:');
    const options = {
      method: 'POST',
      lookup: this.#targets.lookup,
      agent: isTls ? this.#agents.https : this.#agents.http,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'accept-encoding': 'identity',
        'user-agent': 'Realmkeep',
        ...headers,
      },
    };
    return (isTls ? https : http).request(url, options).end(body);
  }
}

type Answered = Pick<Outcome, 'status' | 'answer' | 'retryAfterMs'>;

function readAnswer(request: ClientRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Without another event if the answer is 101, which Node takes for the end of HTTP.
    request.on('close', () => reject(new Error('the connection was closed')));
    let informational = 0;
    request.on('information', () => {
      informational += 1;
      if (informational <= MAX_INFORMATIONAL) return;
      request.destroy(new InvalidAnswer('the receiver does not come to its answer'));
    });
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const kept: Buffer[] = [];
      let [bytes, chunks] = [0, 0];
      const finish = (): void => {
        const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
        resolve({ status, answer: textOf(kept), retryAfterMs });
      };
      response.on('error', reject);
      response.on('end', finish);
      response.on('data', (chunk: Buffer) => {
        if (bytes < KEPT_ANSWER_BYTES) kept.push(chunk);
        bytes += chunk.length;
        chunks += 1;
        if (bytes <= MAX_ANSWER_BYTES && chunks <= MAX_ANSWER_CHUNKS) return;
        finish();
        request.destroy();
      });
    });
  });
}

/** PostgreSQL stores no NUL. */
const textOf = (chunks: Buffer[]): string =>
  Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES).toString().replaceAll('\0', '\ufffd');

const TLS = /^(EPROTO|ERR_(SSL|TLS)|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

function errorOf(error: unknown): DeliveryError {
  if (error instanceof RefusedTarget) return 'refused-target';
  if (error instanceof NameNotResolved) return 'name-not-resolved';
  if (error instanceof InvalidAnswer) return 'invalid-answer';
  const code = String((error as NodeJS.ErrnoException).code);
  if (TLS.test(code)) return 'tls-failed';
  return code.startsWith('HPE_') ? 'invalid-answer' : 'connection-failed';
}
