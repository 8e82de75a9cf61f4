import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';

/** Of a service that has too much to do at the moment. */
const OVERLOADED = 503;

interface Target {
  url: URL;
  realmId: string;
  key: string;
  /** Those with the ids 1 to this get a point in turn. */
  members: number;
}

/**
 * Credits by some callers, each of which waits for its answer before the next: a machine that is
 * too slow for the rate has fewer of them, and no backlog. On raw sockets, which cost little.
 */
export class PacedWrites {
  /** The descriptions of those that were answered with 200, in the order of the answers. */
  readonly acknowledged: string[] = [];
  readonly #target: Target;
  #writing: Promise<void>[] = [];
  #sent = 0;
  #isOver = false;
  #onAcknowledged = (): void => undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  start(callers: number, perSecond: number): void {
    const everyMs = (1_000 * callers) / perSecond;
    this.#writing = Array.from({ length: callers }, () => this.#write(everyMs));
  }

  /** Resolves when so many more were acknowledged; rejects if a caller fails first. */
  async acknowledge(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const enough = this.acknowledged.length + count;
    this.#onAcknowledged = () => (this.acknowledged.length >= enough ? resolve() : undefined);
    await Promise.race([promise, Promise.all(this.#writing)]);
  }

  /** Makes no more of them, and waits for the answers. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writing);
  }

  async #write(everyMs: number): Promise<void> {
    let connection = await this.#connect();
    while (!this.#isOver) {
      const due = performance.now() + everyMs;
      const mark = `write-${++this.#sent}`;
      connection.send([this.#credit(1 + (this.#sent % this.#target.members), mark)]);
      const status = await connection.answer();
      if (status === 200) {
        this.acknowledged.push(mark);
        this.#onAcknowledged();
      } else if (status !== OVERLOADED) {
        throw new Error(`a write was answered with ${status}`);
      }
      if (!connection.isUsable) connection = await this.#connect();
      await pause(Math.max(0, due - performance.now()));
    }
    connection.destroy();
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#target.url, new AbortController().signal);
    if (connection) return connection;
    throw new Error('the service accepts no connection');
  }

  #credit(memberId: number, mark: string): string {
    const { url, realmId, key } = this.#target;
    const body = JSON.stringify({ tokens: 1, description: mark });
    const lines = [
      `PATCH /api/v4/realms/${realmId}/members/${memberId}/tokenBalance HTTP/1.1`,
      `host: ${url.host}`,
      `authorization: Bearer ${key}`,
      `idempotency-key: ${mark}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  }
}
