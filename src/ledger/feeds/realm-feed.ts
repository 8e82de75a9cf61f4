import { decodeRecord } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import type { Page } from '../../domain/rules/pages.ts';
import type { Ledger } from '../ledger.ts';
import type { EventFilter } from './event-page.ts';
import { EventPage } from './event-page.ts';
import type { JournalListener, JournalWatch } from './journal-watch.ts';

/** Mostly one batch has been written; only if there is more is it read in full pages. */
const [FIRST_PAGE, FULL_PAGE] = [32, 1_000];
/** What a subscriber further back gets. It may not read on, so it gets less at a time. */
const HISTORY_PAGE = 50;
const RETRY_MS = 1_000;
/** After each page, for each subscriber: many get larger pages less often. */
const [PAUSE_MS, MAX_PAUSE_MS] = [1, 20];
/** How long a page is handed out before others are let in: subscribers may be thousands. */
const SLICE_MS = 3;

export interface Subscriber {
  readonly filter: EventFilter;
  /** Null for the root key. */
  readonly key: StreamKey | null;
  /** Up to which record it has everything that its filter admits. */
  readonly position: number;
  readonly isClosed: boolean;
  /** Sends events, if there are any, which bring it to a position. */
  advance(position: number, bytes: Buffer | null, events: number): void;
  /** Resolves when it has read what was sent, or is closed. */
  drained(): Promise<void>;
  end(reason: string): void;
}

/**
 * Reads the journal of a realm once for all its subscribers in this process. One that starts
 * further back gets other pages until it has reached the position of the feed: from there on,
 * whatever the feed hands out is the next that it needs.
 */
export class RealmFeed implements JournalListener {
  /** Resolves when the position is known. */
  readonly ready: Promise<void>;
  /** How many have acquired and not released it. */
  users = 0;
  /** Whether the realm is gone, or nobody follows it any more. */
  isClosed = false;
  /** How many changes of keys it has handed out. */
  keyChanges = 0;
  readonly #realmId: string;
  readonly #ledger: Ledger;
  readonly #onClosed: () => void;
  readonly #unwatch: () => void;
  readonly #subscribers = new Set<Subscriber>();
  /** Those that have reached the position. */
  readonly #live = new Set<Subscriber>();
  /** What is being read for those that have not, by the position before it. */
  readonly #history = new Map<number, Promise<EventPage>>();
  #position = 0;
  #hasGrown = false;
  #isReading = false;

  constructor(realmId: string, ledger: Ledger, watch: JournalWatch, onClosed: () => void) {
    this.#realmId = realmId;
    this.#ledger = ledger;
    this.#onClosed = onClosed;
    // Before the position is read, so that no record falls in between.
    this.#isReading = true;
    this.#unwatch = watch.watch(realmId, this);
    this.ready = this.#open();
  }

  /** Whether a position is one of the journal's, and not beyond its end. */
  async reaches(position: number): Promise<boolean> {
    if (position <= this.#position) return true;
    return position <= (await this.#ledger.query('lastSeq', { realmId: this.#realmId }));
  }

  /** From now on, the subscriber ends with its key or the realm. */
  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    this.#live.delete(subscriber);
  }

  /** Sends the subscriber what it lacks; resolves when it is up to date, or closed. */
  async bringUp(subscriber: Subscriber): Promise<void> {
    while (!subscriber.isClosed && subscriber.position < this.#position) {
      await this.#sendHistory(subscriber);
      await subscriber.drained();
    }
    if (!subscriber.isClosed) this.#live.add(subscriber);
  }

  /** Apart from the wait for the subscriber, so that idle readers hold no page. */
  async #sendHistory(subscriber: Subscriber): Promise<void> {
    const page = await this.#historyAfter(subscriber.position);
    if (subscriber.isClosed) return;
    // Every position below that of the feed has records after it, unless they were removed.
    if (page.records.length === 0) subscriber.end('the realm was deleted');
    else send(page, subscriber);
  }

  /** After a restart or an outage many begin at the same position: they share its page. */
  #historyAfter(position: number): Promise<EventPage> {
    return this.#history.getOrInsertComputed(position, () =>
      this.#read(position, HISTORY_PAGE)
        .then(({ rows }) => new EventPage(rows))
        .finally(() => this.#history.delete(position)),
    );
  }

  onGrown(): void {
    this.#hasGrown = true;
    if (!this.#isReading) void this.#readOn();
  }

  onGone(): void {
    this.close();
    for (const subscriber of this.#subscribers) subscriber.end('the realm was deleted');
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#unwatch();
    this.#onClosed();
  }

  async #open(): Promise<void> {
    this.#position = await this.#ledger.query('lastSeq', { realmId: this.#realmId });
    void this.#readOn();
  }

  #read(after: number, limit: number): Promise<Page<JournalRecord>> {
    return this.#ledger.query('records', { realmId: this.#realmId, after, limit });
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#hasGrown && !this.isClosed) {
        this.#hasGrown = false;
        await this.#readToEnd();
      }
    } catch {
      // The storage is unavailable: the subscribers wait, and nothing is lost.
      this.#hasGrown = true;
      setTimeout(() => this.onGrown(), RETRY_MS).unref();
    }
    this.#isReading = false;
  }

  async #readToEnd(): Promise<void> {
    for (let limit = FIRST_PAGE; !this.isClosed; limit = FULL_PAGE) {
      const { rows, hasMore } = await this.#read(this.#position, limit);
      if (rows.length === 0) return;
      await this.#handOut(new EventPage(rows));
      const pause = Math.min(this.#live.size * PAUSE_MS, MAX_PAUSE_MS);
      await new Promise((next) => setTimeout(next, pause));
      if (!hasMore) return;
    }
  }

  async #handOut(page: EventPage): Promise<void> {
    this.#endRevoked(page);
    this.#position = page.lastSeq;
    try {
      await this.#sendAll(page);
    } catch (error) {
      // It is not known who has the page. They come back, and begin with what they have.
      for (const subscriber of this.#live) subscriber.end('the events cannot be read now');
      throw error;
    }
    if (page.records.some(({ type }) => type === 'realm.deleted')) this.onGone();
  }

  /** One that joins meanwhile has the page already. */
  async #sendAll(page: EventPage): Promise<void> {
    let end = performance.now() + SLICE_MS;
    for (const subscriber of this.#live) {
      send(page, subscriber);
      if (performance.now() < end) continue;
      await new Promise((next) => setImmediate(next));
      end = performance.now() + SLICE_MS;
    }
  }

  #endRevoked(page: EventPage): void {
    for (const record of page.records) {
      if (!/^(key|person)\./.test(record.type)) continue;
      this.keyChanges += 1;
      for (const subscriber of this.#subscribers) {
        if (!subscriber.key?.isRevokedBy(record)) continue;
        const isPerson = record.type.startsWith('person.');
        subscriber.end(isPerson ? 'the person was removed' : 'the key was revoked');
      }
    }
  }
}

function send(page: EventPage, subscriber: Subscriber): void {
  const { filter, position } = subscriber;
  // It may have read further by itself before it joined.
  if (position >= page.lastSeq) return;
  const { bytes, events } = page.select(filter, position);
  subscriber.advance(page.lastSeq, bytes, events);
}

/** The feeds of the realms that somebody follows. */
export class Feeds {
  readonly #ledger: Ledger;
  readonly #watch: JournalWatch;
  readonly #feeds = new Map<string, RealmFeed>();

  constructor(ledger: Ledger, watch: JournalWatch) {
    this.#ledger = ledger;
    this.#watch = watch;
  }

  /** The feed of a realm, which has to be released. */
  acquire(realmId: string): { feed: RealmFeed; release: () => void } {
    const feed = this.#feeds.getOrInsertComputed(realmId, () => this.#open(realmId));
    feed.users += 1;
    return {
      feed,
      release: () => {
        feed.users -= 1;
        if (feed.users === 0) feed.close();
      },
    };
  }

  #open(realmId: string): RealmFeed {
    const feed = new RealmFeed(realmId, this.#ledger, this.#watch, () => {
      if (this.#feeds.get(realmId) === feed) this.#feeds.delete(realmId);
    });
    return feed;
  }
}

/**
 * The key or person that a stream was opened with, and the keys that have replaced it. What becomes
 * of them is in the journal that the stream follows anyway, so it costs no look-ups. A rotation
 * does not end the stream, not even after the overlap: its holder has the new key.
 */
export class StreamKey {
  /** A key that replaces another expires with it. */
  readonly expiresAt: number | null;
  readonly #keyIds: Set<string>;

  constructor(keyIds: readonly string[], expiresAt: number | null) {
    this.#keyIds = new Set(keyIds);
    this.expiresAt = expiresAt;
  }

  /** Takes note of a record; returns whether it ends the stream. */
  isRevokedBy(record: JournalRecord): boolean {
    const removed = decodeRecord(record, ['person.removed']);
    if (removed) return this.#keyIds.has(removed.data.personId);
    const change = decodeRecord(record, ['key.revoked', 'key.rotated']);
    if (!change || !this.#keyIds.has(change.data.keyId)) return false;
    if (change.type === 'key.revoked') return true;
    this.#keyIds.add(change.data.newKeyId);
    return false;
  }
}
