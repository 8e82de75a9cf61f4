import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counters, times } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';
import { SESSIONS } from '../support/sessions.ts';

/** One realm asks for as much as it can, and another for little. */
const service = await serviceForFile();

const entries = Array.from({ length: 1_000 }, (_, index) => ({
  memberId: String(index + 1),
  tokens: 1,
}));
const BATCHES = 40;
const LARGE_BATCH = JSON.stringify({ entries });

test('clients with batches of 1,000 entries delay no other realm', async () => {
  const heavy = await service.realm('heavy', { autoEnroll: true });
  const light = await service.realm('light');
  await light.member('1', 1);
  let answered = 0;
  const clients = times(BATCHES / 2, async () => {
    const sent = { raw: LARGE_BATCH, headers: { 'content-type': 'application/json' } };
    const reply = await heavy.send('PATCH', '/members/tokenBalance', sent);
    answered += 1;
    return reply;
  });
  const replies = [];
  const meanwhile: number[] = [];
  while (answered < BATCHES / 2) {
    const before = answered;
    const body = { tokens: 1 };
    replies.push(await light.send('PATCH', '/members/1/tokenBalance', { body }));
    meanwhile.push(answered - before);
    replies.push(await light.send('GET', '/members/1'));
    replies.push(await light.send('GET', '/members/1/transactions'));
  }
  assert.deepEqual(counters(replies), { 200: replies.length });
  assert.ok(meanwhile.length >= 3, `${meanwhile.length} writes`);
  // The first ones may wait for the machine, which is busy with the connections of the others.
  const median = meanwhile.toSorted((a, b) => a - b)[Math.floor(meanwhile.length / 2)] ?? 0;
  assert.ok(median <= BATCHES / 4, `batches during each write: ${meanwhile}`);
  assert.deepEqual(counters(await clients), { 200: BATCHES / 2 });
});

test('a realm that sends more than its budget gets 503, and another realm does not', async () => {
  const greedy = await service.realm('greedy', { autoEnroll: true });
  const modest = await service.realm('modest');
  await modest.member('1', 1);
  const clients = times(2 * BATCHES, () => {
    const sent = { raw: LARGE_BATCH, headers: { 'content-type': 'application/json' } };
    return greedy.send('PATCH', '/members/tokenBalance', sent);
  });
  let isOver = false;
  const ended = clients.finally(() => {
    isOver = true;
  });
  const replies = [];
  while (!isOver) {
    replies.push(await modest.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } }));
    replies.push(await modest.send('GET', '/members/1/transactions'));
  }
  assert.deepEqual(counters(replies), { 200: replies.length });
  const { 200: done = 0, overloaded = 0 } = counters(await ended);
  assert.equal(done + overloaded, 2 * BATCHES);
  assert.ok(done >= BATCHES / 2 && overloaded > 0, `${done} and ${overloaded}`);
});

test('long lists of one realm refuse or drop nothing of another', async () => {
  const heavy = await service.realm('lists');
  const light = await service.realm('single');
  await Promise.all([heavy.member('1'), light.member('1')]);
  const lists = times(200, () => heavy.send('GET', '/members?limit=500'));
  const reads = times(50, () => light.send('GET', '/members/1'));
  assert.deepEqual(counters(await reads), { 200: 50 });
  const answers = counters(await lists);
  assert.equal((answers[200] ?? 0) + (answers.overloaded ?? 0), 200);
});

test('sign-ins of one realm delay neither sign-ins nor writes of another', async () => {
  const many = await service.realm('many-sign-ins');
  const few = await service.realm('few-sign-ins');
  await few.member('1', 1);
  let answered = 0;
  const first = Promise.withResolvers<void>();
  const signIns = times(300, async () => {
    const reply = await service.send('POST', SESSIONS, { key: many.key });
    answered += 1;
    first.resolve();
    return reply;
  });
  await first.promise;
  const write = few.send('PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  const signIn = service.send('POST', SESSIONS, { key: few.key });
  assert.deepEqual(counters(await Promise.all([write, signIn])), { 200: 1, 201: 1 });
  assert.ok(answered < 200, `${answered} were answered before`);
  assert.equal(answersOf(await signIns), 300);
});

test('a realm with too many sign-ins waiting gets 503, and another realm does not', async () => {
  const many = await service.realm('greedy-sign-ins');
  const few = await service.realm('modest-sign-ins');
  const signIns = times(1_000, () => service.send('POST', SESSIONS, { key: many.key }));
  const signIn = await service.send('POST', SESSIONS, { key: few.key });
  assert.equal(signIn.status, 201);
  const replies = await signIns;
  assert.equal(answersOf(replies), 1_000);
  const { 201: done = 0, overloaded = 0 } = counters(replies);
  assert.ok(done > 0 && overloaded > 0, `${done} and ${overloaded}`);
});

/** How many were done or, because too many waited at that moment, told to come again. */
function answersOf(replies: Parameters<typeof counters>[0]): number {
  const { 201: done = 0, overloaded = 0 } = counters(replies);
  return done + overloaded;
}
