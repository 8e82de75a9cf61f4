import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { JournalWatch } from '../../src/ledger/feeds/journal-watch.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { WrittenListener } from '../../src/ledger/store.ts';

const POLL_MS = 1_000;

/** A watch over a ledger whose journals are numbers. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const ledger = {
    lastSeqs: new Map([
      ['a', 1],
      ['b', 1],
    ]),
    listeners: [] as WrittenListener[],
    queries: 0,
    isFailing: false,
    onWritten(listener: WrittenListener): void {
      this.listeners.push(listener);
    },
    async query(_: string, { realmIds }: { realmIds: string[] }) {
      this.queries += 1;
      if (this.isFailing) throw new Error('unavailable');
      return realmIds.map((realmId) => ({ realmId, seq: this.lastSeqs.get(realmId) ?? null }));
    },
  };
  const watch = new JournalWatch(ledger as unknown as Ledger, POLL_MS);
  const heard: string[] = [];
  return {
    ledger,
    follow: (realmId: string) =>
      watch.watch(realmId, {
        onGrown: () => heard.push(realmId),
        onGone: () => heard.push(`no ${realmId}`),
      }),
    /** What was heard since the last call. */
    heard: () => heard.splice(0),
    poll: async () => {
      t.mock.timers.tick(POLL_MS);
      await new Promise(setImmediate);
      return heard.splice(0);
    },
  };
}

test('what the ledger reports is passed on at once', (t) => {
  const { ledger, follow, heard } = setUp(t);
  assert.equal(ledger.listeners.length, 0, 'nobody listens before somebody watches');
  const unwatch = follow('a');
  follow('b');
  follow('b');
  assert.equal(ledger.listeners.length, 1);
  const [report] = ledger.listeners;
  report?.(['a', 'c']);
  assert.deepEqual(heard(), ['a']);
  report?.(['b']);
  assert.deepEqual(heard(), ['b', 'b']);
  report?.(null);
  assert.deepEqual(heard(), ['a', 'b', 'b']);
  unwatch();
  unwatch();
  report?.(null);
  assert.deepEqual(heard(), ['b', 'b']);
});

test('a poll finds what was not reported, and only that', async (t) => {
  const { ledger, follow, poll } = setUp(t);
  follow('a');
  follow('b');
  assert.deepEqual(await poll(), ['a', 'b'], 'they may have grown before they were watched');
  assert.deepEqual(await poll(), []);
  ledger.lastSeqs.set('b', 7);
  assert.deepEqual(await poll(), ['b']);
  ledger.lastSeqs.set('a', 2);
  ledger.isFailing = true;
  assert.deepEqual(await poll(), []);
  ledger.isFailing = false;
  assert.deepEqual(await poll(), ['a']);
  assert.equal(ledger.queries, 5, 'one query for all realms');
});

test('a realm that is gone, or that another one has replaced, is reported as gone', async (t) => {
  const { ledger, follow, poll } = setUp(t);
  follow('a');
  const unwatch = follow('b');
  ledger.lastSeqs.set('b', 9);
  await poll();
  ledger.lastSeqs.delete('a');
  ledger.lastSeqs.set('b', 3);
  assert.deepEqual(await poll(), ['no a', 'no b']);
  unwatch();
  assert.deepEqual(await poll(), ['no a']);
});

test('nothing is queried while nothing is watched', async (t) => {
  const { ledger, follow, poll } = setUp(t);
  follow('a')();
  await poll();
  assert.equal(ledger.queries, 0);
});
