import type { FastifyReply } from 'fastify';
import { invalidRequest, ProblemError } from '../contract/problems.ts';
import { Unavailable } from '../ledger/errors.ts';
import type { EventFilter } from '../ledger/feeds/event-page.ts';
import { type Feeds, type RealmFeed, StreamKey } from '../ledger/feeds/realm-feed.ts';
import { dropSlowest, turns, WHOLE_TURN } from './connections.ts';
import { EventStream, type StreamCounts } from './event-stream.ts';
import type { KeyRing, Principal } from './key-ring.ts';
import { wrongKey } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';

const TICK_MS = 1_000;
/** A proxy or a reader may take a connection for dead that is silent for 30 seconds. */
const TICKS_PER_BEAT = 15;
/**
 * Those of all readers that have left the most unread are dropped until it is less than this. That
 * is looked at after as many bytes have been sent, so there are never more than twice as many.
 */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * How many may be open in this process, and what a realm may have even when all together have too
 * many. An event takes as long to hand out as its realm has streams, and nothing else runs then.
 */
const MAX = { ofKey: 1_000, ofRealm: 2_000, inAll: 10_000, reserved: 20 };

interface StreamRequest {
  realmId: string;
  principal: Principal;
  filter: EventFilter;
  /** The last event that it has, and where it has said so. */
  after: number;
  pointer: string;
}

export class EventStreams {
  readonly counts: StreamCounts = { events: 0, dropped: 0 };
  readonly #feeds: Feeds;
  readonly #keyRing: KeyRing;
  readonly #sessions: Sessions;
  /** What is open, or about to be. */
  readonly #entered = new Set<StreamRequest>();
  readonly #open = new Set<EventStream>();
  /** Since the unread bytes of all readers were last added up. */
  #sentBytes = 0;
  #isStopping = false;

  constructor(feeds: Feeds, keyRing: KeyRing, sessions: Sessions) {
    this.#feeds = feeds;
    this.#keyRing = keyRing;
    this.#sessions = sessions;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream as the answer to a request; rejects if there is a problem instead. */
  async open(asked: StreamRequest, reply: FastifyReply): Promise<void> {
    if (this.#isStopping) throw stopping();
    this.#enter(asked);
    const { feed, release } = this.#feeds.acquire(asked.realmId);
    const close = (): void => {
      this.#entered.delete(asked);
      release();
    };
    try {
      await feed.ready;
      if (!(await feed.reaches(asked.after))) throw beyondTheEnd(asked.pointer);
      await turns.next(asked.realmId, WHOLE_TURN);
      const key = await this.#keyOf(asked.principal, feed);
      this.#start(feed, asked, key, reply, close);
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Ends all streams; resolves when they are closed. None is opened from now on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = Array.from(this.#open, (stream) => stream.closed);
    for (const stream of this.#open) stream.end('the service is stopping');
    await Promise.all(closed);
  }

  #enter(asked: StreamRequest): void {
    const { keyId } = asked.principal;
    let [ofKey, ofRealm] = [0, 0];
    for (const { realmId, principal } of this.#entered) {
      if (realmId === asked.realmId) ofRealm += 1;
      if (keyId !== null && principal.keyId === keyId) ofKey += 1;
    }
    if (ofKey >= MAX.ofKey) {
      const reason = `This key has ${MAX.ofKey} streams open. Close some of them.`;
      throw new ProblemError('rate-limited', { reason });
    }
    const isFull = this.#entered.size >= MAX.inAll && ofRealm >= MAX.reserved;
    if (ofRealm >= MAX.ofRealm || isFull) throw new ProblemError('overloaded');
    this.#entered.add(asked);
  }

  /** What the feed hands out from now on says when the key is revoked; what came before may not. */
  async #keyOf({ keyId, person }: Principal, feed: RealmFeed): Promise<StreamKey | null> {
    if (keyId === null) return null;
    // What was removed meanwhile is found by the session, which is looked at every second.
    if (person) return new StreamKey([keyId], null);
    for (;;) {
      const { keyChanges } = feed;
      const lineage = await this.#keyRing.lineage(keyId);
      if (lineage === null) throw wrongKey();
      if (feed.keyChanges === keyChanges) return new StreamKey(lineage.keyIds, lineage.expiresAt);
    }
  }

  #start(
    feed: RealmFeed,
    { filter, after, principal }: StreamRequest,
    key: StreamKey | null,
    reply: FastifyReply,
    close: () => void,
  ): void {
    if (this.#isStopping) throw stopping();
    if (feed.isClosed) throw new Unavailable('overloaded', 'the realm is being deleted');
    // Nobody would notice the end of a stream whose reader has left already.
    if (hasLeft(reply)) throw new Unavailable('overloaded', 'the reader has left');
    const { raw: response } = reply;
    const { socket } = reply.request.raw;
    const stream = new EventStream({
      response,
      socket,
      filter,
      key,
      position: after,
      counts: this.counts,
      onSent: (bytes) => this.#onSent(bytes),
    });
    this.#open.add(stream);
    feed.add(stream);
    const unwatch = this.#watch(stream, principal);
    void stream.closed.then(() => {
      unwatch();
      feed.remove(stream);
      this.#open.delete(stream);
      close();
    });
    const headers = reply.getHeaders();
    reply.hijack();
    stream.begin(headers);
    // What a reader lacks cannot be read now: it comes back for it.
    feed.bringUp(stream).catch(() => stream.end('the events cannot be read now'));
  }

  /** Looks after a stream every second, until told otherwise. */
  #watch(stream: EventStream, { session, person }: Principal): () => void {
    let ticks = 0;
    const { ended } = this.#sessions;
    const end = (): void => stream.end('the session has ended');
    const endedBy = [session?.id, person?.id].filter((id) => id !== undefined);
    for (const id of endedBy) ended.on(id, end);
    const tick = (): void => {
      ticks += 1;
      if (ticks % TICKS_PER_BEAT === 0) stream.beat();
      const expiresAt = stream.key?.expiresAt ?? null;
      if (expiresAt !== null && expiresAt <= Date.now()) stream.end('the key has expired');
      if (session) void this.#isOver(session.id).then((isOver) => isOver && end());
    };
    const timer = setInterval(tick, TICK_MS).unref();
    return () => {
      clearInterval(timer);
      for (const id of endedBy) ended.off(id, end);
    };
  }

  /** A journal says when a key is revoked, but not when another process ends a session. */
  async #isOver(sessionId: string): Promise<boolean> {
    // What cannot be read now is read a second later.
    return !(await this.#sessions.isOpen(sessionId).catch(() => true));
  }

  /** What is unread grows by no more than what is sent, so it is not added up each time. */
  #onSent(bytes: number): void {
    this.#sentBytes += bytes;
    if (this.#sentBytes <= MAX_UNREAD_BYTES) return;
    this.#sentBytes = 0;
    dropSlowest(this.#open, MAX_UNREAD_BYTES);
  }
}

const hasLeft = ({ raw, request }: FastifyReply): boolean =>
  raw.destroyed || request.raw.socket.readableEnded;

const stopping = (): Unavailable => new Unavailable('overloaded', 'the service is stopping');

const beyondTheEnd = (pointer: string): ProblemError =>
  invalidRequest([
    {
      pointer,
      detail:
        'must not be beyond the end of the journal: what you have is of another journal, or of ' +
        'one that was restored from a copy',
    },
  ]);
