import type { Ledger } from '../engine/ledger.ts';
import type { JournalWatch } from './journal-watch.ts';
import { RealmFeed } from './realm-feed.ts';

interface SharedFeed {
  feed: RealmFeed;
  users: number;
}

/** The feeds of the realms that somebody follows. */
export class Feeds {
  readonly #ledger: Ledger;
  readonly #watch: JournalWatch;
  readonly #feeds = new Map<string, SharedFeed>();

  constructor(ledger: Ledger, watch: JournalWatch) {
    this.#ledger = ledger;
    this.#watch = watch;
  }

  /** The feed of a realm, which has to be released. */
  acquire(realmId: string): { feed: RealmFeed; release: () => void } {
    const shared = this.#feeds.getOrInsertComputed(realmId, () => this.#open(realmId));
    shared.users += 1;
    return {
      feed: shared.feed,
      release: () => {
        shared.users -= 1;
        if (shared.users === 0) shared.feed.close();
      },
    };
  }

  #open(realmId: string): SharedFeed {
    const feed = new RealmFeed(realmId, this.#ledger, this.#watch, () => {
      if (this.#feeds.get(realmId)?.feed === feed) this.#feeds.delete(realmId);
    });
    return { feed, users: 0 };
  }
}
