import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_PERSONAL_PART } from '../../src/domain/records.ts';
import { EventFilter } from '../../src/ledger/feeds/event-page.ts';
import type { JournalListener, JournalWatch } from '../../src/ledger/feeds/journal-watch.ts';
import { RealmFeed, type Subscriber } from '../../src/ledger/feeds/realm-feed.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

const record = (seq: number) => ({
  seq,
  type: 'points.added',
  at: 0,
  actor: 'root',
  data: '{}',
  ...NO_PERSONAL_PART,
  hash: Buffer.alloc(0),
});

/** A feed of a journal that grows by a record. */
async function feedOf() {
  let lastSeq = 1;
  let reads = 0;
  let listener: JournalListener | null = null;
  const ledger = {
    query: async (name: string, { after }: { after: number }) => {
      if (name === 'lastSeq') return lastSeq;
      reads += 1;
      return { rows: after < lastSeq ? [record(lastSeq)] : [], hasMore: false };
    },
  };
  const watch = {
    watch: (_: string, one: JournalListener) => {
      listener = one;
      return () => undefined;
    },
  };
  const feed = new RealmFeed(
    'acme',
    ledger as unknown as Ledger,
    watch as unknown as JournalWatch,
    () => undefined,
  );
  await feed.ready;
  const grow = (): void => {
    lastSeq += 1;
    listener?.onGrown();
  };
  return { feed, grow, reads: () => reads };
}

/** One that is up to date. */
function subscriber(advance: (seq: number) => void, end = () => {}, position = 1): Subscriber {
  return {
    filter: new EventFilter(),
    key: null,
    get position() {
      return position;
    },
    isClosed: false,
    advance: (seq) => {
      position = seq;
      advance(seq);
    },
    drained: async () => undefined,
    end,
  };
}

test('thousands of subscribers do not keep the thread from others', async () => {
  const { feed, grow } = await feedOf();
  const SUBSCRIBERS = 50;
  const received: number[] = [];
  const { promise: isDone, resolve } = Promise.withResolvers<void>();
  for (let index = 0; index < SUBSCRIBERS; index++) {
    const each = subscriber(() => {
      // Each takes a millisecond, as a hundred of them would.
      for (const end = performance.now() + 1; performance.now() < end; );
      received.push(index);
      if (received.length === SUBSCRIBERS) resolve();
    });
    feed.add(each);
    await feed.bringUp(each);
  }
  grow();
  while (received.length === 0) await new Promise((next) => setImmediate(next));
  assert.ok(received.length < SUBSCRIBERS / 2, `${received.length} in one turn`);
  // One that joins in between has the event already.
  const late = subscriber((seq) => assert.equal(seq, 2, 'its own page'));
  feed.add(late);
  await feed.bringUp(late);
  await isDone;
  assert.deepEqual(
    received,
    Array.from({ length: SUBSCRIBERS }, (_, index) => index),
  );
  assert.equal(late.position, 2);
});

test('those that begin at the same position share what is read for them', async () => {
  const { feed, reads } = await feedOf();
  const before = reads();
  const received: number[] = [];
  const all = Array.from({ length: 50 }, () =>
    subscriber((seq) => received.push(seq), undefined, 0),
  );
  for (const one of all) feed.add(one);
  await Promise.all(all.map((one) => feed.bringUp(one)));
  assert.deepEqual(received, Array(50).fill(1));
  assert.equal(reads() - before, 1);
});

test('if a page cannot be handed out, nobody misses it unawares', async () => {
  const { feed, grow } = await feedOf();
  const ended: Promise<void>[] = [];
  for (let index = 0; index < 3; index++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const fail = (): void => {
      if (index === 1) throw new Error('an event that is no text');
    };
    const each = subscriber(fail, resolve);
    feed.add(each);
    await feed.bringUp(each);
    ended.push(promise);
  }
  grow();
  await Promise.all(ended);
});
