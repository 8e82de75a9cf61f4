import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { Random } from '../../src/cli/demo/people.ts';
import { EventReader } from '../support/event-reader.ts';
import { done, give } from '../support/points.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

const [READERS, WRITERS, WRITES] = [100, 8, 400];
const FILTER = ['points.transferred', 'member.created'];

const service = await serviceForFile();

interface Followed {
  isFiltered: boolean;
  seqs: number[];
}

/** Follows the realm to an end that is only known later, and disconnects now and then. */
async function follow(realm: TestRealm, random: Random, end: () => number): Promise<Followed> {
  const isFiltered = random.next() < 0.3;
  const query = isFiltered ? `?types=${FILTER}` : '';
  const seqs: number[] = [];
  let lastEventId = 0;
  while (lastEventId < end()) {
    const reader = await EventReader.open(realm, { query, lastEventId });
    const stopAt = random.next() < 0.7 ? random.between(1, 80) : Number.POSITIVE_INFINITY;
    const isOver = () => reader.events.length >= stopAt || (reader.lastEventId ?? 0) >= end();
    await reader.until(isOver);
    reader.close();
    seqs.push(...reader.seqs);
    lastEventId = reader.lastEventId ?? lastEventId;
  }
  return { isFiltered, seqs };
}

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

test(`readers that come and go miss nothing, and get nothing twice (seed ${seed})`, async () => {
  const realm = await service.realm('busy', { autoEnroll: true });
  for (let id = 1; id <= WRITERS; id++) await realm.member(String(id), 1_000);
  let end = Number.POSITIVE_INFINITY;
  const following = Array.from({ length: READERS }, (_, index) =>
    follow(realm, new Random(seed + index), () => end),
  );
  const write = async (id: number): Promise<void> => {
    const to = String((id % WRITERS) + 1);
    for (let count = 0; count < WRITES / WRITERS; count++) {
      await done(give(realm, String(id), to, 1));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index + 1)));
  // Readers look for the end when they receive something, so it is known before it is written.
  end = (await realm.expect(200, 'GET', '/events?limit=500')).json.lastSeq + 1;
  await realm.expect(201, 'POST', '/members', { body: { id: '99' } });
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  const all: number[] = items.map(({ seq }: { seq: number }) => seq);
  const some: number[] = items
    .filter(({ type }: { type: string }) => FILTER.includes(type))
    .map(({ seq }: { seq: number }) => seq);
  assert.ok(all.length > WRITES && some.length > WRITES && some.length < all.length);
  for (const { isFiltered, seqs } of await Promise.all(following)) {
    assert.deepEqual(seqs, isFiltered ? some : all);
  }
});
