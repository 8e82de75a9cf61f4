import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movementName } from '../../console/text/movements.ts';
import { eventTypes } from '../../src/contract/event-types.ts';
import {
  MOVEMENT_TYPES,
  MOVEMENTS,
  type Movement,
  type MovementType,
  postingsOf,
} from '../../src/domain/movements.ts';
import type { RecordType } from '../../src/domain/records.ts';
import { earnedBy } from '../../src/domain/rules/leaderboards.ts';

/** The compiler asks about a new movement where its facts are; this finds one that it overlooks. */
const types = Object.keys(eventTypes) as RecordType[];
const originals = Object.keys(MOVEMENTS) as (keyof typeof MOVEMENTS)[];

const movement = (type: MovementType, data: object): Movement =>
  ({ seq: 1, type, data }) as Movement;

const reversalOf = (reversedType: (typeof originals)[number]): Movement => {
  const { example } = eventTypes[reversedType];
  return movement('points.reversed', { ...example, reversalOf: 1, reversedType, newBalance: 0 });
};

test('a record that states a balance is a movement, and the console has a name for it', () => {
  const stating = types.filter((type) =>
    Object.keys(eventTypes[type].example).some((field) =>
      /^(?:newB|senderB|b)alances?$/.test(field),
    ),
  );
  assert.deepEqual(new Set(stating), new Set(MOVEMENT_TYPES));
  for (const type of MOVEMENT_TYPES) assert.ok(movementName(type));
});

for (const type of originals) {
  test(`a reversal takes back what ${type} did`, () => {
    const [done, undone] = [movement(type, eventTypes[type].example), reversalOf(type)];
    const tokensOf = (one: Movement): number[] => postingsOf(one).map(({ tokens }) => tokens);
    assert.deepEqual(
      tokensOf(undone),
      tokensOf(done).map((tokens) => -tokens),
    );
    const earned = (one: Movement): number =>
      postingsOf(one).reduce((sum, posting) => sum + earnedBy(one, posting), 0);
    assert.equal(earned(done) > 0, type === 'points.added');
    assert.equal(earned(done) + earned(undone), 0);
  });
}
