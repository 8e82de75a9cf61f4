import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/ledger/errors.ts';
import type { BatchWriter } from '../../src/ledger/store.ts';
import { command } from './histories.ts';
import {
  create,
  credits,
  enrol,
  has,
  inRealm,
  queueOf,
  queueOn,
  recording,
  turn,
  UNLIMITED,
} from './queues.ts';

const SINGLE_REALM = { realmsPerBatch: 1, inFlight: 1 };

async function batchesOf(limits: BatchWriter['limits'], realmIds: string[]): Promise<string[]> {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, limits);
  await Promise.all([...new Set(realmIds)].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  await Promise.all(realmIds.map((realmId, index) => queue.push(enrol(realmId, index + 1))));
  await close();
  return batches;
}

test('a batch takes everything that is pending', async () => {
  assert.deepEqual(await batchesOf(UNLIMITED, ['b', 'a', 'b']), ['b 1 3, a 2']);
});

test('a single-realm batch takes the first command and all others of its realm', async () => {
  const batches = await batchesOf(SINGLE_REALM, ['b', 'a', 'b', 'c', 'a', 'b']);
  assert.deepEqual(batches, ['b 1 3 6', 'a 2 5', 'c 4']);
});

test('commands of other realms keep their places when more arrive', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, SINGLE_REALM);
  await Promise.all(['a', 'b'].map((realmId) => queue.push(create(realmId))));
  batches.splice(0);
  const first = queue.push(enrol('a', 1));
  const second = queue.push(enrol('b', 2));
  await first;
  // It arrived after the command of the other realm, so it must not be written before it.
  await Promise.all([queue.push(enrol('a', 3)), second]);
  assert.deepEqual(batches, ['a 1', 'b 2', 'a 3']);
  await close();
});

test('batches are bounded, and in order', async () => {
  const batches = await batchesOf(SINGLE_REALM, [...Array(1_200).fill('a'), 'b']);
  assert.deepEqual(
    batches.map((batch) => batch.split(' ').length - 1),
    [1_000, 1, 200],
  );
  assert.match(batches[2] ?? '', /^a 1001 1002 /);
});

test('what a command costs counts: a batch of batches is bounded, too', async () => {
  const { commit, close } = recording();
  const sizes: number[] = [];
  const queue = queueOf(async (batch) => {
    const decision = await commit(batch);
    sizes.push(decision.outcomes.length);
    return decision;
  });
  await queue.push(create('a'));
  await queue.push(enrol('a', 1));
  sizes.splice(0);
  await Promise.all(Array.from({ length: 5 }, () => queue.push(credits('a', 400))));
  assert.deepEqual(sizes, [2, 2, 1]);
  await close();
});

for (const [name, busy] of [
  ['commands', Array.from({ length: 5_000 }, (_, id) => enrol('busy', id + 2))],
  ['entries', Array.from({ length: 10 }, () => credits('busy'))],
] as const) {
  test(`a light realm waits for one batch at most, however many ${name} of another`, async () => {
    const { commit, batches, close } = recording();
    const queue = queueOf(commit);
    await Promise.all(['busy', 'light'].map((realmId) => queue.push(create(realmId))));
    await queue.push(enrol('busy', 1));
    batches.splice(0);
    let left = busy.length;
    const pushed = busy.map((one) => queue.push(one).then(() => (left -= 1)));
    while (batches.length < 1) await turn();
    for (let id = 1; id <= 2; id++) {
      const before = batches.length;
      await queue.push(enrol('light', id));
      const next = batches.slice(before, before + 2).join();
      assert.ok(next.includes(`light ${id}`), batches.join('\n'));
    }
    assert.ok(left > 0, 'the other still had something pending');
    await Promise.all(pushed);
    await close();
  });
}

test('commands of a realm keep their order around a large one', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit);
  await queue.push(create('a'));
  await queue.push(enrol('a', 1));
  batches.splice(0);
  const credit = { tokens: 1, realmPointId: null, description: null };
  const seqs = await Promise.all(
    [
      inRealm('a', command('points.change', { ...credit, memberId: '1' })),
      credits('a'),
      inRealm('a', command('points.change', { ...credit, memberId: '1' })),
    ].map(async (one) => {
      const outcome = await queue.push(one);
      assert.ok('answer' in outcome);
      const [first] = [outcome.answer].flat() as { transactionId: number }[];
      return first?.transactionId ?? 0;
    }),
  );
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  );
  await close();
});

test('a realm beyond its budget is refused, and another is not', async () => {
  const { commit, close } = recording();
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const queue = queueOf(async (batch) => {
    await isOpen;
    return commit(batch);
  });
  const pushed = Array.from({ length: 24 }, () => queue.push(credits('heavy')));
  const refused = Promise.allSettled(pushed).then(
    (all) => all.filter(({ status }) => status === 'rejected').length,
  );
  const light = queue.push(create('light'));
  open();
  assert.ok('answer' in (await light));
  assert.equal(await refused, 4);
  await close();
});

test('the next batch follows once a batch is sent', async () => {
  const { commit, batches, close } = recording();
  const { promise: isDurable, resolve: flush } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: reportSent } = Promise.withResolvers<void>();
  const queue = queueOf(
    async (batch, onSent) => {
      const decision = await commit(batch);
      onSent();
      reportSent();
      if (has(batch, 'slow')) await isDurable;
      return decision;
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  const slow = queue.push(create('slow'));
  await isSent;
  await queue.push(create('quick'));
  assert.deepEqual(batches, ['slow', 'quick']);
  const drained = queue.drained().then(() => 'drained');
  assert.equal(await Promise.race([drained, Promise.resolve('in flight')]), 'in flight');
  flush();
  assert.ok('answer' in (await slow));
  assert.equal(await drained, 'drained');
  await close();
});

test('no more batches are in flight than the writer allows', async () => {
  const { commit, close } = recording();
  let [inFlight, most] = [0, 0];
  const queue = queueOf(
    async (batch, onSent) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      const decision = await commit(batch);
      onSent();
      await new Promise((next) => setTimeout(next, 5));
      inFlight -= 1;
      return decision;
    },
    { ...UNLIMITED, inFlight: 2 },
  );
  await queue.push(create('a'));
  const pushed: Promise<unknown>[] = [];
  for (let id = 1; id <= 10; id++) {
    pushed.push(queue.push(enrol('a', id)));
    await new Promise((next) => setTimeout(next, 1));
  }
  await Promise.all(pushed);
  assert.equal(most, 2);
  await close();
});

test('two batches in flight share all commands equally', async () => {
  const { commit, batches, close } = recording();
  const queue = queueOf(commit, { ...UNLIMITED, inFlight: 2 });
  await queue.push(create('a'));
  batches.splice(0);
  await Promise.all(Array.from({ length: 40 }, (_, index) => queue.push(enrol('a', index + 1))));
  const sizes = batches.map((batch) => batch.split(' ').length - 1);
  assert.deepEqual(sizes, [20, 10, 10]);
  await close();
});

test('a fault of the writer rejects the batch and does not stop the queue', async () => {
  const { commit, close } = recording();
  let isFaulty = true;
  const queue = queueOn({
    limits: UNLIMITED,
    write: (batch) => {
      if (isFaulty) throw new RangeError('made up');
      return { sent: Promise.resolve(), done: commit(batch) };
    },
  });
  await assert.rejects(queue.push(create('a')), RangeError);
  isFaulty = false;
  assert.ok('answer' in (await queue.push(create('a'))));
  await close();
});

test('a batch that fails takes along nothing of its realm that waits', async () => {
  for (const cause of [new Error('a fault'), new Unavailable('overloaded', 'not in time')]) {
    const { commit, batches, close } = recording();
    const { promise: isOver, resolve: fail } = Promise.withResolvers<void>();
    let writes = 0;
    const queue = queueOf(async (batch) => {
      writes += 1;
      if (writes !== 2) return commit(batch);
      await isOver;
      throw cause;
    });
    await queue.push(create('a'));
    const failed = assert.rejects(queue.push(enrol('a', 1)), cause);
    while (writes < 2) await turn();
    const waiting = [2, 3].map((id) => queue.push(enrol('a', id)));
    fail();
    await failed;
    for (const outcome of await Promise.all(waiting)) assert.ok('answer' in outcome);
    assert.deepEqual(batches, ['a', 'a 2 3']);
    await close();
  }
});
