import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyThread, type Thread } from '../../src/store/sqlite/threads/thread.ts';

/** A thread that answers with the name of the method, and counts its starts and ends. */
function counted() {
  const counts = { starts: 0, closes: 0 };
  const start = async (): Promise<Thread> => {
    counts.starts += 1;
    const call = async (method: string) => method;
    const close = async () => {
      counts.closes += 1;
    };
    return { call, close } as unknown as Thread;
  };
  return { counts, lazy: new LazyThread(start, (error) => assert.fail(error)) };
}

test('a thread starts with the first call, once', async () => {
  const { counts, lazy } = counted();
  assert.equal(counts.starts, 0);
  const answers = await Promise.all([lazy.call('verify', {}), lazy.call('verification', {})]);
  assert.deepEqual(answers, ['verify', 'verification']);
  await lazy.close();
  assert.deepEqual(counts, { starts: 1, closes: 1 });
});

test('a thread that nobody called is closed without a start', async () => {
  const { counts, lazy } = counted();
  await lazy.close();
  await assert.rejects(lazy.call('verify', {}), /closed/);
  assert.deepEqual(counts, { starts: 0, closes: 0 });
});

test('a thread that is still starting is closed once it has started', async () => {
  const { counts, lazy } = counted();
  const answer = lazy.call('verify', {});
  await lazy.close();
  assert.equal(await answer, 'verify');
  assert.deepEqual(counts, { starts: 1, closes: 1 });
});

test('a start that fails is a death, and every call fails', async () => {
  const deaths: Error[] = [];
  const start = async () => assert.fail('no memory');
  const lazy = new LazyThread(start, (error) => deaths.push(error));
  const calls = [lazy.call('verify', {}), lazy.call('verification', {})];
  for (const call of calls) await assert.rejects(call, /no memory/);
  assert.equal(deaths.length, 1);
  await lazy.close();
});
