import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counters, times } from '../support/points.ts';
import { serviceForFile } from '../support/service.ts';
import { SESSIONS } from '../support/sessions.ts';

/** One realm asks for as much as it can, and another for little. */
const service = await serviceForFile();

const entries = Array.from({ length: 10_000 }, (_, index) => ({
  memberId: String(index + 1),
  tokens: 1,
}));
const LARGE_BATCH = JSON.stringify({ entries });

test('eight clients with batches of 10,000 entries delay no other realm', async () => {
  const heavy = await service.realm('heavy', { autoEnroll: true });
  const light = await service.realm('light');
  await light.member('1', 1);
  let answered = 0;
  const clients = times(8, async () => {
    const sent = { raw: LARGE_BATCH, headers: { 'content-type': 'application/json' } };
    const reply = await heavy.send('PATCH', '/members/tokenBalance', sent);
    answered += 1;
    return reply;
  });
  const replies = [];
  const meanwhile: number[] = [];
  while (answered < 8) {
    const before = answered;
    const body = { tokens: 1 };
    replies.push(await light.send('PATCH', '/members/1/tokenBalance', { body }));
    meanwhile.push(answered - before);
    replies.push(await light.send('GET', '/members/1'));
    replies.push(await light.send('GET', '/members/1/transactions'));
  }
  assert.deepEqual(counters(replies), { 200: replies.length });
  assert.ok(meanwhile.length >= 3, `${meanwhile.length} writes`);
  assert.ok(Math.max(...meanwhile) <= 3, `batches during each write: ${meanwhile}`);
  assert.deepEqual(counters(await clients), { 200: 8 });
});

test('a realm that sends more than its budget gets 503, and another realm does not', async () => {
  const greedy = await service.realm('greedy', { autoEnroll: true });
  const modest = await service.realm('modest');
  await modest.member('1', 1);
  const clients = times(16, () => {
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
  assert.equal(done + overloaded, 16);
  assert.ok(done >= 8 && overloaded > 0, `${done} and ${overloaded}`);
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
  assert.deepEqual(counters(await signIns), { 201: 300 });
});

test('a realm with too many sign-ins waiting gets 503, and another realm does not', async () => {
  const many = await service.realm('greedy-sign-ins');
  const few = await service.realm('modest-sign-ins');
  const signIns = times(1_000, () => service.send('POST', SESSIONS, { key: many.key }));
  const signIn = await service.send('POST', SESSIONS, { key: few.key });
  assert.equal(signIn.status, 201);
  const { 201: done = 0, overloaded = 0 } = counters(await signIns);
  assert.equal(done + overloaded, 1_000);
  assert.ok(done >= 500 && overloaded > 0, `${done} and ${overloaded}`);
});

/** Members with 50 wallets each: one is ten times the work of an ordinary one. */
const LARGE_MEMBERS = Array.from({ length: 40 }, (_, member) => ({
  id: String(member + 1),
  username: `large${member}`,
  wallets: Array.from({ length: 50 }, (_, wallet) => {
    return `0x${(1 + member * 50 + wallet).toString(16).padStart(40, '0')}`;
  }),
}));
const IDS = LARGE_MEMBERS.map(({ id }) => id).join(',');

/** What reads large members, and a read of another realm that the same thread answers. */
for (const [name, list, read] of [
  ['pages', '/members?limit=40', '/members/1'],
  ['named', `/members?ids=${IDS}`, '/members/1'],
  ['searches', '/members?search=large&limit=40', '/members/1/transactions'],
  ['sorted', '/members?sort=name&limit=40', '/members/1/transactions'],
] as const) {
  test(`lists of large members wait for each other, others do not: ${name}`, async () => {
    const heavy = await service.realm(`large-${name}`);
    await heavy.expect(200, 'POST', '/members/batch', { body: { members: LARGE_MEMBERS } });
    const light = await service.realm(`beside-${name}`);
    await light.member('1', 1);
    let answered = 0;
    const first = Promise.withResolvers<void>();
    const lists = times(24, async () => {
      const reply = await heavy.send('GET', list);
      answered += 1;
      first.resolve();
      return reply;
    });
    await first.promise;
    const before = answered;
    assert.equal((await light.send('GET', read)).status, 200);
    assert.ok(answered - before <= 5, `${answered - before} lists were answered before it`);
    assert.deepEqual(counters(await lists), { 200: 24 });
  });
}
