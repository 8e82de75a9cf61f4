import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, recordsOf } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** Webhooks as their owners see them. */
const service = await serviceForFile({}, {}, QUICKLY);

async function receiverFor(t: { after: (end: () => unknown) => void }): Promise<Receiver> {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  return receiver;
}

const create = async (realm: TestRealm, body: object) =>
  (await realm.expect(201, 'POST', '/webhooks', { body })).json;

const read = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/webhooks/${id}`)).json;

const deliveriesOf = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/webhooks/${id}/deliveries?limit=500`)).json.items;

const events = async (realm: TestRealm, position: number) =>
  (await realm.expect(200, 'GET', `/events?after=${position}&limit=500`)).json.items;

test('every event after its creation is sent as the feed gives it, in order', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('order');
  const { secret, id, position, types } = await create(realm, { url: receiver.url });
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(types, null);
  await realm.member('42', 50, { metadata: { big: [1, null] } });
  await realm.expect(200, 'PATCH', '/members/42', { body: { status: 'frozen' } });
  const items = await events(realm, position);
  await receiver.receives(items.length);
  assert.deepEqual(
    receiver.received.map(({ event }) => event),
    items.map((item: { at: string }) => ({ ...item, realmId: 'order', timestamp: item.at })),
  );
  const stored = await eventually(
    () => deliveriesOf(realm, id),
    ({ length }) => length >= items.length,
  );
  assert.deepEqual(
    stored.map((one: Record<string, unknown>) => [one.seq, one.type, one.attempt, one.status]),
    items.map((item: { seq: number; type: string }) => [item.seq, item.type, 1, 204]).reverse(),
  );
  assert.equal((await read(realm, id)).position, items.at(-1).seq);
});

test('a filter skips other types', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('filter');
  const types = ['points.*', 'member.frozen'];
  const { id } = await create(realm, { url: receiver.url, types });
  await realm.member('1', 5);
  await realm.member('2', 6);
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'frozen' } });
  await receiver.receives(3);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['points.added', 'points.added', 'member.frozen'],
  );
  await realm.expect(200, 'PATCH', `/webhooks/${id}`, { body: { types: ['member.unfrozen'] } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { displayName: 'Bob' } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'active' } });
  await receiver.receives(4);
  assert.equal(receiver.received[3]?.event.type, 'member.unfrozen');
});

test('a failed attempt is repeated with the same id until it succeeds', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('failing');
  receiver.answer = (response) => {
    const isLast = receiver.received.length === 4;
    response.writeHead(isLast ? 200 : 500).end(isLast ? 'ok' : `${'é'.repeat(2_000)}\0`);
  };
  const { id } = await create(realm, { url: receiver.url, types: ['member.*'] });
  await realm.member('1');
  await receiver.receives(4);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  const stored = await eventually(
    () => deliveriesOf(realm, id),
    ({ length }) => length >= 4,
  );
  assert.deepEqual(
    stored.map((one: Record<string, unknown>) => [one.attempt, one.status, one.delivered]),
    [
      [4, 200, true],
      [3, 500, false],
      [2, 500, false],
      [1, 500, false],
    ],
  );
  assert.equal(stored[1].answer, 'é'.repeat(512));
  assert.equal((await read(realm, id)).failingSince, null);
});

test('410 pauses at once, with a reason and an event; resuming continues', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('gone');
  receiver.answer = (response) => void response.writeHead(410).end();
  const { id } = await create(realm, { url: receiver.url, types: ['member.created'] });
  await realm.member('1');
  const paused = await eventually(
    () => read(realm, id),
    (webhook) => webhook.paused,
  );
  assert.equal(paused.pauseReason, 'gone');
  const [last] = (await events(realm, 0)).slice(-1);
  assert.deepEqual([last.type, last.actor], ['webhook.paused', 'service']);
  assert.deepEqual(last.data, { webhookId: id, reason: 'gone' });
  receiver.answer = (response) => void response.writeHead(200).end();
  await realm.member('2');
  assert.equal(receiver.received.length, 1);
  const body = { paused: false };
  const resumed = (await realm.expect(200, 'PATCH', `/webhooks/${id}`, { body })).json;
  assert.deepEqual([resumed.paused, resumed.pauseReason], [false, null]);
  await receiver.receives(3);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.data.memberId),
    ['1', '1', '2'],
  );
});

test('a paused webhook is sent nothing, and a deleted one neither', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('paused');
  const types = ['member.created'];
  const paused = await create(realm, { url: `${receiver.url}/paused`, types });
  const deleted = await create(realm, { url: `${receiver.url}/deleted`, types });
  const body = { paused: true };
  const change = () => realm.expect(200, 'PATCH', `/webhooks/${paused.id}`, { body });
  assert.equal(await recordsOf(realm, change), 1);
  assert.equal(await recordsOf(realm, change), 0);
  await realm.expect(204, 'DELETE', `/webhooks/${deleted.id}`);
  const { id } = await create(realm, { url: receiver.url, types });
  await realm.member('1');
  await receiver.receives(1);
  assert.equal(receiver.received[0]?.path, '/hook');
  assertProblem(await realm.send('GET', `/webhooks/${deleted.id}`), 'webhook-not-found');
  assert.notEqual(id, paused.id);
});

test('replay sends events again from a seq, with their ids', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('replay');
  const { id } = await create(realm, { url: receiver.url, types: ['member.created'] });
  await realm.member('1');
  await realm.member('2');
  await receiver.receives(2);
  const body = { fromSeq: 1 };
  await realm.expect(200, 'POST', `/webhooks/${id}/replay`, { body });
  await receiver.receives(4);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids.slice(2), ids.slice(0, 2));
});

test('a test event is sent at once, and its outcome is the answer', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('tested');
  const { id } = await create(realm, { url: receiver.url, types: ['realm.updated'] });
  await realm.expect(200, 'PATCH', `/webhooks/${id}`, { body: { paused: true } });
  receiver.answer = (response) => void response.writeHead(418).end('short and stout');
  const ask = () => realm.expect(200, 'POST', `/webhooks/${id}/test`);
  const { latencyMs, ...rest } = (await ask()).json;
  assert.ok(Number.isInteger(latencyMs));
  const expected = { delivered: false, status: 418, answer: 'short and stout', error: null };
  assert.deepEqual(rest, expected);
  const { type, realmId, data } = receiver.received[0]?.event ?? {};
  assert.deepEqual([type, realmId, data], ['webhook.test', 'tested', { webhookId: id }]);
  receiver.answer = (response) => void response.destroy();
  assert.equal((await ask()).json.error, 'connection-failed');
  receiver.answer = (response) => void response.writeHead(302, { location: receiver.url }).end();
  const before = receiver.received.length;
  assert.equal((await ask()).json.status, 302);
  assert.equal(receiver.received.length, before + 1, 'redirects are not followed');
  receiver.answer = (response) => void response.writeHead(200).end('x'.repeat(1_000_000));
  assert.equal((await ask()).json.answer, 'x'.repeat(1024));
});

test('a realm tests at most 4 times at once, and delays no other by it', async (t) => {
  const receiver = await receiverFor(t);
  const [realm, other] = [await service.realm('testing'), await service.realm('tests-too')];
  const body = { url: receiver.url, types: ['realm.updated'] };
  const path = `/webhooks/${(await create(realm, body)).id}/test`;
  const { answer } = receiver;
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  receiver.answer = (...received) => void isOver.then(() => answer(...received));
  const tested = Array.from({ length: 4 }, () => realm.expect(200, 'POST', path));
  await receiver.receives(4);
  assertProblem(await realm.send('POST', path), 'overloaded');
  receiver.answer = answer;
  await other.expect(200, 'POST', `/webhooks/${(await create(other, body)).id}/test`);
  end();
  await Promise.all(tested);
  await realm.expect(200, 'POST', path);
});

test('a realm has at most 20 webhooks', async () => {
  const realm = await service.realm('many');
  const body = { url: 'http://127.0.0.1:1/', types: ['realm.updated'] };
  for (let count = 0; count < 20; count++) await create(realm, body);
  const reply = await realm.send('POST', '/webhooks', { body });
  assertProblem(reply, 'limit-reached', { limit: 20 });
  const page = (await realm.expect(200, 'GET', '/webhooks?limit=15')).json;
  const rest = await realm.expect(200, 'GET', `/webhooks?cursor=${page.nextCursor}`);
  assert.equal(new Set([...page.items, ...rest.json.items].map(({ id }) => id)).size, 20);
});

test('faults are named, all at once', async () => {
  const realm = await service.realm('faults');
  const send = (body: object) => realm.send('POST', '/webhooks', { body });
  assertFaults(await send({ types: ['points.adde'], description: 5 }), '/url', ...FAULTY);
  for (const url of ['', 'x', 'ftp://a.example/', 'file:///etc/passwd', 'http://u:p@a.example/']) {
    assertFaults(await send({ url }), '/url');
  }
  const url = 'http://a.example/';
  const says = async (type: string) => (await send({ url, types: ['points.*', type] })).json.detail;
  assert.deepEqual(
    [await says('point.added'), await says('points'), await says('order.paid')],
    [
      'types[1] is no event type: "point.added" (did you mean "points.added"?).',
      'types[1] is no event type: "points" (did you mean "points.*"?).',
      'types[1] is no event type: "order.paid".',
    ],
  );
  assertFaults(await send({ url, types: [] }), '/types');
  assertFaults(await send({ url, types: ['points.*', 'points.*'] }), '/types');
  assertFaults(await send({ url, types: 'points.*' }), '/types');
  const { id } = await create(realm, { url: 'http://127.0.0.1:1/', types: ['realm.updated'] });
  for (const fromSeq of [0, -1, 1.5, '1', null]) {
    const reply = await realm.send('POST', `/webhooks/${id}/replay`, { body: { fromSeq } });
    assertFaults(reply, '/fromSeq');
  }
});

const FAULTY = ['/types/0', '/description'];

test('an archived realm sends what its journal has; its webhooks can be deleted', async (t) => {
  const receiver = await receiverFor(t);
  const realm = await service.realm('shelf');
  const { id } = await create(realm, { url: receiver.url, types: ['realm.archived'] });
  await service.expect(200, 'POST', realm.path('/archive'));
  await receiver.receives(1);
  const body = { paused: true };
  assertProblem(await realm.send('PATCH', `/webhooks/${id}`, { body }), 'realm-archived');
  await realm.expect(204, 'DELETE', `/webhooks/${id}`);
});

test('one hanging receiver delays no other', async (t) => {
  const [slow, quick] = [await receiverFor(t), await receiverFor(t)];
  const realm = await service.realm('hanging');
  slow.answer = () => undefined;
  const types = ['member.created'];
  for (let count = 0; count < 5; count++) await create(realm, { url: slow.url, types });
  await create(realm, { url: quick.url, types });
  for (let id = 1; id <= 50; id++) await realm.member(String(id));
  await quick.receives(50);
  assert.equal(slow.seqs.length, 1, 'it still hangs at its first event');
});

test('metrics count deliveries by outcome, and show the lag', async () => {
  const { text } = await service.expect(200, 'GET', '/metrics');
  assert.match(text, /^realmkeep_webhook_deliveries_total\{outcome="delivered"\} [1-9]/m);
  assert.match(text, /^realmkeep_webhook_deliveries_total\{outcome="refused"\} [1-9]/m);
  assert.match(text, /^realmkeep_webhooks_sending [1-9]/m);
  assert.match(text, /^realmkeep_webhook_lag_events \d/m);
  assert.match(text, /^realmkeep_webhook_lag_seconds \d/m);
});
