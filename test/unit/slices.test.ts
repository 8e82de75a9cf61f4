import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { Slices } from '../../src/engine/slices.ts';

const caller = { destroyed: false };

/** Work of so many steps, each of which takes a millisecond. */
function* steps(count: number, onStep: () => void = () => {}): Generator<void, number> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return count;
}

test('other work runs between slices', async () => {
  const slices = new Slices();
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  assert.equal(await slices.run('a', caller, steps(60)), 60);
  isDone = true;
  // A slice lasts three milliseconds.
  assert(turns >= 15, `${turns} turns`);
});

test('realms take turns, however much one of them has to do', async () => {
  const slices = new Slices();
  const done: string[] = [];
  const heavy = Array.from({ length: 5 }, () =>
    slices.run('heavy', caller, steps(30)).then(() => done.push('heavy')),
  );
  const light = slices.run('light', caller, steps(15)).then(() => done.push('light'));
  await Promise.all([...heavy, light]);
  assert.deepEqual(done, ['light', 'heavy', 'heavy', 'heavy', 'heavy', 'heavy']);
});

test('within a realm, work is done one piece after another', async () => {
  const slices = new Slices();
  const order: string[] = [];
  await Promise.all(
    ['a', 'b'].map((name) =>
      slices.run(
        'r',
        caller,
        steps(10, () => order.push(name)),
      ),
    ),
  );
  assert.equal(order.join(''), 'aaaaaaaaaabbbbbbbbbb');
});

test('an error rejects its own work only', async () => {
  const slices = new Slices();
  function* broken(): Generator<void, void> {
    yield;
    throw new Error('broken');
  }
  const [first, second] = await Promise.allSettled([
    slices.run('r', caller, broken()),
    slices.run('r', caller, steps(2)),
  ]);
  assert.equal(first.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: 2 });
  assert.equal(await slices.run('r', caller, steps(1)), 1);
});

test('the work of a caller that has left is dropped', async () => {
  const slices = new Slices();
  let done = 0;
  const leaving = { destroyed: false };
  const work = steps(1_000, () => {
    done += 1;
    leaving.destroyed = done >= 10;
  });
  await assert.rejects(slices.run('r', leaving, work), Unavailable);
  assert(done < 20, `${done} steps`);
});

test('short work is done at once', async () => {
  const slices = new Slices();
  const short = slices.run(
    'r',
    caller,
    (function* () {
      yield;
      return 1;
    })(),
  );
  const first = await Promise.race([short, new Promise((next) => setImmediate(next))]);
  assert.equal(first, 1);
});

test('short work of many callers is done in slices', async () => {
  const slices = new Slices();
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const halfMillisecond = (): void => {
    const end = performance.now() + 0.5;
    while (performance.now() < end);
  };
  const callers = Array.from({ length: 100 }, () => slices.runStep('r', caller, halfMillisecond));
  await Promise.all(callers);
  isDone = true;
  // Fifty milliseconds of work in slices of three.
  assert(turns >= 12, `${turns} turns`);
});

test('slices wait while callers connect, but not for ever', async () => {
  const slices = new Slices();
  let turns = 0;
  let isDone = false;
  const connect = (): void => {
    turns += 1;
    slices.delay.want();
    if (!isDone) setImmediate(connect);
  };
  setImmediate(connect);
  assert.equal(await slices.run('r', caller, steps(12)), 12);
  isDone = true;
  // Four slices, and many turns without one before each.
  assert(turns > 40, `${turns} turns`);
});
