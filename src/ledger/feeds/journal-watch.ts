import type { Ledger } from '../ledger.ts';

/** How late a write is noticed at most, if nothing hints at it. */
const POLL_MS = 1_000;
/** The most realms that one query looks at. */
const REALMS_PER_QUERY = 500;

export interface JournalListener {
  /** Its journal may have grown: read on from where you are. A false alarm is possible. */
  onGrown(): void;
  /** There is no such realm any more. */
  onGone(): void;
}

interface WatchedRealm {
  listeners: Set<JournalListener>;
  /** As the last poll found it; null before the first one. */
  lastSeq: number | null;
}

/**
 * Knows when the journals of realms grow, whoever writes to them. Writes of this process are known
 * at once, and those of others where the storage tells; a poll finds whatever was missed, such as
 * writes of the command line on SQLite. It only says when to read: the journal is the truth.
 */
export class JournalWatch {
  readonly #ledger: Ledger;
  readonly #realms = new Map<string, WatchedRealm>();
  readonly #pollMs: number;
  #timer: NodeJS.Timeout | null = null;
  #polling: Promise<void> | null = null;
  #isStopped = false;

  constructor(ledger: Ledger, pollMs = POLL_MS) {
    this.#ledger = ledger;
    this.#pollMs = pollMs;
  }

  /** Calls the listener from now on, until the result is called. */
  watch(realmId: string, listener: JournalListener): () => void {
    if (this.#timer === null) this.#start();
    const realm = this.#realms.getOrInsertComputed(realmId, () => ({
      listeners: new Set<JournalListener>(),
      lastSeq: null,
    }));
    realm.listeners.add(listener);
    return () => {
      const isLast = realm.listeners.delete(listener) && realm.listeners.size === 0;
      if (isLast) this.#realms.delete(realmId);
    };
  }

  /** Resolves when it no longer uses the ledger. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#polling;
  }

  /** Not before something is watched: to listen takes a connection, or time of every batch. */
  #start(): void {
    this.#ledger.onWritten((realmIds) => {
      for (const realmId of realmIds ?? this.#realms.keys()) this.#report(realmId);
    });
    this.#timer = setInterval(() => this.#pollOnce(), this.#pollMs).unref();
  }

  #report(realmId: string): void {
    const realm = this.#realms.get(realmId);
    if (realm) for (const listener of realm.listeners) listener.onGrown();
  }

  /** One poll at a time. What fails is found by a later one. */
  #pollOnce(): void {
    if (this.#realms.size === 0) return;
    this.#polling ??= this.#poll()
      .catch(() => undefined)
      .finally(() => {
        this.#polling = null;
      });
  }

  async #poll(): Promise<void> {
    const watched = [...this.#realms.keys()];
    for (let from = 0; from < watched.length && !this.#isStopped; from += REALMS_PER_QUERY) {
      const realmIds = watched.slice(from, from + REALMS_PER_QUERY);
      for (const { realmId, seq } of await this.#ledger.query('lastSeqs', { realmIds })) {
        const realm = this.#realms.get(realmId);
        if (realm) compare(realm, seq);
      }
    }
  }
}

/** The first poll of a realm reports it: it may have grown before it was watched. */
function compare(realm: WatchedRealm, lastSeq: number | null): void {
  const { lastSeq: before, listeners } = realm;
  // A shorter journal is that of a new realm with the id of a deleted one.
  const isGone = lastSeq === null || lastSeq < (before ?? 0);
  realm.lastSeq = lastSeq;
  if (isGone) for (const listener of listeners) listener.onGone();
  else if (lastSeq !== before) for (const listener of listeners) listener.onGrown();
}
