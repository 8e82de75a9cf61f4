import type { ServerResponse } from 'node:http';
import { ProblemError } from '../contract/problems.ts';

const MIB = 1024 * 1024;

export interface Bounds {
  /** What one realm may use. */
  realm: number;
  /** What all realms together may use. */
  all: number;
  /** What a realm may use even then: one that asks for little is served whatever others do. */
  reserved: number;
}

const REQUESTS: Bounds = { realm: 2_048, all: 4_096, reserved: 64 };
const UNSENT_BYTES: Bounds = { realm: 16 * MIB, all: 64 * MIB, reserved: 2 * MIB };

/** What the callers of one realm use. All uses of the root key are one realm here. */
export interface Share {
  requests: number;
  unsentBytes: number;
}

/** Idle shares are dropped beyond this, so that the map does not grow with realms of the past. */
const MAX_SHARES = 10_000;

/**
 * Bounds the requests being handled and the bytes of answers that their callers have not read, per
 * realm and in all. Beyond the bounds the answer is 503 `overloaded`.
 */
export class Load {
  readonly all: Share = { requests: 0, unsentBytes: 0 };
  readonly #shares = new Map<string | null, Share>();

  /** Throws if the realm, or everybody together, has too much in progress already. */
  enter(realmId: string | null): Share {
    const share = this.#shares.get(realmId) ?? this.#newShare(realmId);
    if (exceeds(share.requests, this.all.requests, REQUESTS)) throw overloaded();
    this.checkUnsent(share);
    share.requests += 1;
    this.all.requests += 1;
    return share;
  }

  leave(share: Share): void {
    share.requests -= 1;
    this.all.requests -= 1;
  }

  checkUnsent(share: Share): void {
    if (exceeds(share.unsentBytes, this.all.unsentBytes, UNSENT_BYTES)) throw overloaded();
  }

  /** Counts what the socket has not accepted of an answer. Mostly it has accepted all of it. */
  countUnsent(share: Share, response: ServerResponse): void {
    const bytes = response.socket?.writableLength ?? 0;
    if (bytes === 0) return;
    share.unsentBytes += bytes;
    this.all.unsentBytes += bytes;
    response.once('close', () => {
      share.unsentBytes -= bytes;
      this.all.unsentBytes -= bytes;
    });
  }

  #newShare(realmId: string | null): Share {
    if (this.#shares.size >= MAX_SHARES) {
      for (const [id, { requests, unsentBytes }] of this.#shares) {
        if (requests === 0 && unsentBytes === 0) this.#shares.delete(id);
      }
    }
    const share = { requests: 0, unsentBytes: 0 };
    this.#shares.set(realmId, share);
    return share;
  }
}

/** Whether somebody who uses this much of a total may not have more. */
export const exceeds = (own: number, all: number, bounds: Bounds): boolean =>
  own >= bounds.realm || (all >= bounds.all && own >= bounds.reserved);

const overloaded = (): ProblemError => new ProblemError('overloaded');
