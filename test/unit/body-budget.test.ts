import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { BodyBudget, Reservation } from '../../src/http/body-budget.ts';

const MB = 1024 * 1024;
const LARGEST = 4 * MB;

/** How many bodies a realm may have at once. */
function fill(budget: BodyBudget, realm: string, bytes = LARGEST): Reservation[] {
  const held: Reservation[] = [];
  for (;;) {
    const reserved = budget.reserve(realm, bytes);
    if (!(reserved instanceof Reservation)) {
      reserved.catch(() => {});
      return held;
    }
    held.push(reserved);
  }
}

const release = (reservations: Reservation[]): void => {
  for (const reservation of reservations) reservation.shrinkTo(0);
};

test('a realm alone holds an eighth of the memory, and something is left for seven others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const budget = new BodyBudget(LARGEST);
  const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
    (realm) => fill(budget, realm).length,
  );
  assert.deepEqual(counts, [1, 1, 1, 1, 1, 1, 1, 1, 0]);
});

test('the next body waits for memory of its own realm, in order', async () => {
  const budget = new BodyBudget(LARGEST);
  const held = [budget.reserve('a', LARGEST) as Reservation];
  const admitted: number[] = [];
  const waiting = [1, 2].map(async (number) => {
    const reservation = await budget.reserve('a', LARGEST);
    admitted.push(number);
    reservation.shrinkTo(0);
  });
  const other = budget.reserve('b', LARGEST);
  assert(other instanceof Reservation, 'another realm does not wait');
  held[0]?.shrinkTo(LARGEST - MB / 4);
  await new Promise(setImmediate);
  assert.deepEqual(admitted, []);
  release([...held, other]);
  await Promise.all(waiting);
  assert.deepEqual(admitted, [1, 2]);
});

test('realms take turns for memory that becomes free', async () => {
  const budget = new BodyBudget(LARGEST);
  const huge = budget.reserve('x', 16 * LARGEST) as Reservation;
  const order: string[] = [];
  const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map((realm) =>
    Promise.resolve(budget.reserve(realm, LARGEST / 4)).then(() => order.push(realm)),
  );
  huge.shrinkTo(0);
  await Promise.all(waiting);
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('who waits too long is refused, and everything held is returned in the end', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const budget = new BodyBudget(LARGEST);
    const held = [budget.reserve('a', LARGEST) as Reservation];
    const waiting = budget.reserve('a', LARGEST) as Promise<Reservation>;
    const refused = assert.rejects(waiting, Unavailable);
    mock.timers.tick(5_000);
    await refused;
    for (const reservation of held) {
      reservation.shrinkTo(0);
      reservation.shrinkTo(0);
    }
    assert.equal(fill(budget, 'a').length, 1);
  } finally {
    mock.timers.reset();
  }
});

test('a body beyond every share is admitted if nothing else is held', () => {
  const budget = new BodyBudget(LARGEST);
  assert(budget.reserve('a', 16 * LARGEST) instanceof Reservation);
});
