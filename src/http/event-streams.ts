import type { FastifyReply } from 'fastify';
import { invalidRequest, type ProblemError } from '../contract/problems.ts';
import { Unavailable } from '../ledger/errors.ts';
import type { EventFilter } from '../ledger/feeds/event-filter.ts';
import type { Feeds, RealmFeed } from '../ledger/feeds/realm-feed.ts';
import { StreamKey } from '../ledger/feeds/stream-key.ts';
import { dropSlowest } from './connections.ts';
import { EventStream, type StreamCounts } from './event-stream.ts';
import type { KeyRing, Principal } from './key-ring.ts';
import type { Sessions } from './sessions.ts';
import { StreamLimits } from './stream-limits.ts';
import { wrongKey } from './wrong-keys.ts';

const TICK_MS = 1_000;
/** A proxy or a reader may take a connection for dead that is silent for 30 seconds. */
const TICKS_PER_BEAT = 15;
/**
 * Those of all readers that have left the most unread are dropped until it is less than this. That
 * is looked at after as many bytes have been sent, so there are never more than twice as many.
 */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** What a reader asks for. */
interface StreamRequest {
  realmId: string;
  principal: Principal;
  filter: EventFilter;
  /** The last event that it has, and where it has said so. */
  after: number;
  pointer: string;
}

/** The streams of server-sent events of this process. */
export class EventStreams {
  readonly counts: StreamCounts = { events: 0, dropped: 0 };
  readonly #feeds: Feeds;
  readonly #keyRing: KeyRing;
  readonly #sessions: Sessions;
  readonly #limits = new StreamLimits();
  /** Each with the tick of its next beat. */
  readonly #open = new Map<EventStream, number>();
  /** Of those that belong to a session of the console, its id. */
  readonly #sessionIds = new Map<EventStream, string>();
  /** One for all streams, while there are any. */
  #timer: NodeJS.Timeout | null = null;
  #tick = 0;
  /** Since the unread bytes of all readers were last added up. */
  #sentBytes = 0;
  #isStopping = false;

  constructor(feeds: Feeds, keyRing: KeyRing, sessions: Sessions) {
    this.#feeds = feeds;
    this.#keyRing = keyRing;
    this.#sessions = sessions;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream as the answer to a request; rejects if there is a problem instead. */
  async open(asked: StreamRequest, reply: FastifyReply): Promise<void> {
    if (this.#isStopping) throw stopping();
    const { realmId, principal } = asked;
    const leave = this.#limits.enter(realmId, principal.keyId);
    const { feed, release } = this.#feeds.acquire(realmId);
    const close = (): void => {
      leave();
      release();
    };
    try {
      await feed.ready;
      if (!(await feed.reaches(asked.after))) throw beyondTheEnd(asked.pointer);
      const key = await this.#keyOf(principal, feed);
      this.#start(feed, asked, key, reply, close);
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Ends all streams; resolves when they are closed. None is opened from now on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = Array.from(this.#open.keys(), (stream) => stream.closed);
    for (const stream of this.#open.keys()) stream.end('the service is stopping');
    await Promise.all(closed);
  }

  /** What the feed hands out from now on says when the key is revoked; what came before may not. */
  async #keyOf({ keyId }: Principal, feed: RealmFeed): Promise<StreamKey | null> {
    if (keyId === null) return null;
    for (;;) {
      const { keyChanges } = feed;
      const lineage = await this.#keyRing.lineage(keyId);
      if (lineage === null) throw wrongKey();
      if (feed.keyChanges === keyChanges) return new StreamKey(lineage.keyIds, lineage.expiresAt);
    }
  }

  #start(
    feed: RealmFeed,
    { filter, after, principal: { session } }: StreamRequest,
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
    this.#add(stream);
    if (session) this.#sessionIds.set(stream, session.id);
    feed.add(stream);
    void stream.closed.then(() => {
      feed.remove(stream);
      this.#remove(stream);
      close();
    });
    const headers = reply.getHeaders();
    reply.hijack();
    stream.begin(headers);
    // What a reader lacks cannot be read now: it comes back for it.
    feed.bringUp(stream).catch(() => stream.end('the events cannot be read now'));
  }

  /** The beats of all streams are spread over the seconds. */
  #add(stream: EventStream): void {
    this.#timer ??= setInterval(() => this.#onTick(), TICK_MS).unref();
    this.#open.set(stream, this.#tick + Math.ceil(Math.random() * TICKS_PER_BEAT));
  }

  #remove(stream: EventStream): void {
    this.#open.delete(stream);
    this.#sessionIds.delete(stream);
    if (this.#open.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #onTick(): void {
    this.#tick += 1;
    const now = Date.now();
    for (const [stream, beatAt] of this.#open) {
      const expiresAt = stream.key?.expiresAt ?? null;
      if (expiresAt !== null && expiresAt <= now) stream.end('the key has expired');
      if (beatAt > this.#tick) continue;
      stream.beat();
      this.#open.set(stream, this.#tick + TICKS_PER_BEAT);
    }
    for (const [stream, sessionId] of this.#sessionIds) void this.#checkSession(stream, sessionId);
  }

  /** A journal says when a key is revoked, but not when a session ends. */
  async #checkSession(stream: EventStream, sessionId: string): Promise<void> {
    // What cannot be read now is read a second later.
    const isOpen = await this.#sessions.isOpen(sessionId).catch(() => true);
    if (!isOpen) stream.end('the session has ended');
  }

  /** What is unread grows by no more than what is sent, so it is not added up each time. */
  #onSent(bytes: number): void {
    this.#sentBytes += bytes;
    if (this.#sentBytes <= MAX_UNREAD_BYTES) return;
    this.#sentBytes = 0;
    dropSlowest(this.#open.keys(), MAX_UNREAD_BYTES);
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
