import { setTimeout as pause } from 'node:timers/promises';

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
 * too slow for the rate has fewer of them, and no backlog.
 */
export class PacedWrites {
  /** The descriptions of those that were answered with 200, in the order of the answers. */
  readonly acknowledged: string[] = [];
  readonly #target: Target;
  #writing: Promise<void>[] = [];
  #sent = 0;
  #isOver = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Resolves when so many were acknowledged; the callers go on. */
  begin(callers: number, perSecond: number, count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const everyMs = (1_000 * callers) / perSecond;
    const onAcknowledged = () => (this.acknowledged.length >= count ? resolve() : undefined);
    this.#writing = Array.from({ length: callers }, () => this.#write(everyMs, onAcknowledged));
    Promise.all(this.#writing).catch(reject);
    return promise;
  }

  /** Makes no more of them, and waits for the answers. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writing);
  }

  async #write(everyMs: number, onAcknowledged: () => void): Promise<void> {
    while (!this.#isOver) {
      const due = performance.now() + everyMs;
      const mark = `write-${++this.#sent}`;
      const status = await this.#credit(1 + (this.#sent % this.#target.members), mark);
      if (status === 200) {
        this.acknowledged.push(mark);
        onAcknowledged();
      } else if (status !== OVERLOADED) {
        throw new Error(`a write was answered with ${status}`);
      }
      await pause(Math.max(0, due - performance.now()));
    }
  }

  async #credit(memberId: number, mark: string): Promise<number> {
    const { url, realmId, key } = this.#target;
    const path = `/api/v4/realms/${realmId}/members/${memberId}/tokenBalance`;
    const response = await fetch(new URL(path, url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': mark,
      },
      body: JSON.stringify({ tokens: 1, description: mark }),
    });
    await response.text();
    return response.status;
  }
}
