import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { EventStreams } from '../../src/http/event-streams.ts';
import type { KeyRing, Principal } from '../../src/http/key-ring.ts';
import type { Sessions } from '../../src/http/sessions.ts';
import { EventFilter } from '../../src/ledger/feeds/event-page.ts';
import type { Feeds, Subscriber } from '../../src/ledger/feeds/realm-feed.ts';

const SECOND = 1_000;

const SOCKET = { writableLength: 0, cork: () => undefined, uncork: () => undefined };

/** The answer to a request for a stream, which is never sent anywhere. */
class FakeReply extends EventEmitter {
  readonly written: string[] = [];
  readonly raw = this;
  readonly request = { raw: { socket: Object.assign(new EventEmitter(), SOCKET) } };
  getHeaders = () => ({});
  hijack = () => undefined;
  removeHeader = () => undefined;
  writeHead = () => undefined;
  write = (text: string | Buffer) => this.written.push(String(text));
  end = (text: string) => {
    this.written.push(text);
    this.emit('close');
  };
  destroy = () => this.emit('close');
}

function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'] });
  const subscribers: Subscriber[] = [];
  let released = 0;
  const feed = {
    ready: Promise.resolve(),
    reaches: async () => true,
    add: (subscriber: Subscriber) => subscribers.push(subscriber),
    remove: () => undefined,
    bringUp: async () => undefined,
    keyChanges: 0,
  };
  const feeds = { acquire: () => ({ feed, release: () => (released += 1) }) };
  const keys = { lineage: async (keyId: string) => ({ keyIds: [keyId], expiresAt: 60 * SECOND }) };
  const sessions = { isOpen: async () => true };
  const streams = new EventStreams(
    feeds as unknown as Feeds,
    keys as unknown as KeyRing,
    sessions as unknown as Sessions,
  );
  const open = async (keyId: string | null, realmId = 'acme'): Promise<FakeReply> => {
    const reply = new FakeReply();
    const principal = { keyId, session: null } as Principal;
    const filter = new EventFilter();
    const asked = { realmId, principal, filter, after: 7, pointer: '/query/after' };
    await streams.open(asked, reply as unknown as FastifyReply);
    return reply;
  };
  return { streams, subscribers, open, released: () => released };
}

test('a stream has a comment every 15 seconds, or an id that its filter has passed', async (t) => {
  const { subscribers, open } = setUp(t);
  const reply = await open(null);
  const beats = () => reply.written.filter((text) => !text.startsWith('retry'));
  t.mock.timers.tick(15 * SECOND);
  assert.deepEqual(beats(), [':\n\n']);
  t.mock.timers.tick(30 * SECOND);
  assert.equal(beats().length, 3);
  subscribers[0]?.advance(9, null, 0);
  t.mock.timers.tick(15 * SECOND);
  assert.deepEqual(beats().slice(3), ['id: 9\n\n']);
  reply.request.raw.socket.writableLength = 1;
  t.mock.timers.tick(60 * SECOND);
  assert.equal(beats().length, 4, 'not while the reader has something to read');
});

test('a stream ends with its key, and leaves nothing behind', async (t) => {
  const { streams, open, released } = setUp(t);
  const [expiring, lasting] = [await open('a'), await open(null)];
  assert.equal(streams.size, 2);
  t.mock.timers.tick(60 * SECOND);
  await Promise.resolve();
  assert.match(expiring.written.at(-1) ?? '', /^: the key has expired\nretry: \d+\n\n$/);
  assert.deepEqual([streams.size, released()], [1, 1]);
  lasting.destroy();
  await Promise.resolve();
  assert.deepEqual([streams.size, released()], [0, 2]);
});

test('readers that leave too much unread are dropped at once, the worst first', async (t) => {
  const { streams, subscribers, open } = setUp(t);
  const page = Buffer.alloc(1024 * 1024);
  for (let count = 0; count < 70; count++) {
    const reply = await open(null);
    const { socket } = reply.request.raw;
    // Only the first one reads.
    if (count > 0) reply.write = (bytes) => (socket.writableLength += bytes.length);
  }
  for (const subscriber of subscribers) subscriber.advance(8, page, 1);
  await Promise.resolve();
  // After 66 pages, 65 were not read: 32 are left of these, and then there are four more.
  assert.deepEqual([streams.size, streams.counts.dropped], [70 - 33, 33]);
  assert.equal(subscribers[0]?.isClosed, false);
  await streams.stop();
  await assert.rejects(open(null), /stopping/);
});

test('a reader that does not take the end of its stream is cut off', async (t) => {
  const { streams, subscribers, open } = setUp(t);
  const reply = await open('a');
  reply.end = (text: string) => void reply.written.push(text);
  subscribers[0]?.end('the key was revoked');
  assert.equal(streams.size, 1, 'it has a moment');
  t.mock.timers.tick(SECOND);
  await Promise.resolve();
  assert.equal(streams.size, 0);
});

test('a stream counts against the limits until it is closed', async (t) => {
  const { open } = setUp(t);
  const first = await open('a');
  for (let count = 1; count < 1_000; count++) await open('a');
  await assert.rejects(open('a'), { code: 'rate-limited' });
  first.destroy();
  await Promise.resolve();
  await open('a');
});

test('when all realms together are at the limit, each still has a reserve', async (t) => {
  const { open } = setUp(t);
  for (const realmId of ['a', 'b', 'c', 'd', 'e']) {
    for (let count = 0; count < 2_000; count++) await open(null, realmId);
    await assert.rejects(open(null, realmId), { code: 'overloaded' });
  }
  for (let count = 0; count < 20; count++) await open('light', 'light');
  await assert.rejects(open('light', 'light'), { code: 'overloaded' });
});
