import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { EventReader } from '../support/event-reader.ts';
import { eventually } from '../support/eventually.ts';
import { verdict } from '../support/points.ts';
import { serviceForFile, type TestRealm, TestService } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** People who ask to be forgotten. */
const service = await serviceForFile({}, {}, QUICKLY);
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const fields = {
  username: 'alice-u',
  displayName: 'Alice Example',
  accounts: [{ provider: 'discord', id: '777000777', username: 'alice-d' }],
  wallets: [WALLET],
  metadata: { mail: 'alice@example.org' },
};
const NAMES = ['alice', 'Alice', 'example', '777000777', WALLET];

interface Event {
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

const eventsOf = async (realm: TestRealm): Promise<Event[]> =>
  (await realm.expect(200, 'GET', '/events?limit=500')).json.items;

const headers = { 'x-realmkeep-on-behalf-of': 'discord:alice' };
const said = { reference: 'order-of-alice', metadata: { to: 'alice' } };

const erase = (realm: TestRealm, id: string, more = '') =>
  realm.expect(204, 'DELETE', `/members/${id}?erase=true${more}`, { headers });

/** Alice, who has all kinds of personal data, and Bob, whom she has given points. */
async function withAlice(id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.member('1', 100, fields);
  await realm.member('2', 0, { username: 'bob' });
  const body = { tokens: 10, recipientId: 2, description: 'thanks from alice', ...said };
  await realm.expect(200, 'PATCH', '/members/1/transfer', { body, headers });
  await realm.expect(200, 'PATCH', '/members/2/tokenBalance', {
    body: { tokens: 1, description: 'for bob' },
  });
  return realm;
}

test('an erasure leaves the points, and nothing that tells about the person', async () => {
  const realm = await withAlice('erased');
  assertProblem(await realm.send('DELETE', '/members/1?erase=true'), 'balance-not-zero');
  const before = await eventsOf(realm);
  await erase(realm, '1', '&forfeit=true');
  assertProblem(await realm.send('GET', '/members/1'), 'member-not-found');
  const events = await eventsOf(realm);
  const text = JSON.stringify(events);
  for (const name of NAMES) assert.ok(!text.includes(name), `${name} is left in ${text}`);
  assert.deepEqual(
    events.slice(-4).map(({ type }) => type),
    ['points.subtracted', 'wallet.unlinked', 'member.removed', 'member.erased'],
  );
  const created = events.find(({ type }) => type === 'member.created');
  assert.deepEqual(created?.data, { memberId: '1', erased: true });
  const given = events.find(({ type }) => type === 'points.transferred');
  const was = before.find(({ seq }) => seq === given?.seq)?.data ?? {};
  const { description, reference, metadata, ...amounts } = was;
  assert.deepEqual(
    { description, reference, metadata },
    { description: 'thanks from alice', ...said },
  );
  assert.deepEqual(given?.data, { ...amounts, erased: true });
  assert.deepEqual(events.find(({ data }) => data.username === 'bob')?.data, {
    memberId: '2',
    username: 'bob',
  });
  assert.equal((await verdict(realm)).ok, true);
});

test('a statement shows what was erased, and what was not', async () => {
  const realm = await withAlice('statements');
  const found = async (list: string): Promise<number> =>
    (await realm.expect(200, 'GET', `${list}?reference=${said.reference}`)).json.items.length;
  assert.equal(await found('/transactions'), 1);
  await erase(realm, '1', '&forfeit=true');
  for (const list of ['/transactions', '/members/2/transactions'])
    assert.equal(await found(list), 0);
  const { items } = (await realm.expect(200, 'GET', '/members/2/transactions')).json;
  const [own, given] = items;
  assert.deepEqual([own.description, own.erased], ['for bob', undefined]);
  assert.deepEqual([given.description, given.erased], [null, true]);
  assert.ok(!JSON.stringify(given).includes('alice'));
  const path = `/transactions/${given.transactionId}`;
  assert.equal((await realm.expect(200, 'GET', path)).json.erased, true);
  const list = (await realm.expect(200, 'GET', '/transactions')).json.items;
  // The gift, and the forfeit, which was on her own behalf.
  assert.equal(list.filter(({ erased = false }) => erased).length, 2);
  const logs = (await realm.expect(200, 'GET', '/export_logs')).json;
  for (const { transactionId, description, erased } of [own, given]) {
    const log = logs.find(({ id }: { id: number }) => id === transactionId);
    assert.deepEqual([log.description, log.erased], [description, erased]);
  }
});

test('to erase is possible after the removal, and once more does no harm', async () => {
  const realm = await withAlice('later');
  assertProblem(await realm.send('DELETE', '/members/9?erase=true'), 'member-not-found');
  assertFaults(await realm.send('DELETE', '/members/1?erase=yes'), '/query/erase');
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true&erase=false');
  const named = JSON.stringify(await eventsOf(realm));
  assert.ok(named.includes('alice-u'));
  await erase(realm, '1');
  await changesNothing(realm, () => erase(realm, '1'));
  assert.ok(!JSON.stringify(await eventsOf(realm)).includes('alice'));
  // Whoever has the id next is somebody else.
  await realm.expect(201, 'POST', '/members', { body: { id: 1, username: 'anna' } });
  await erase(realm, '2', '&forfeit=true');
  assert.ok(JSON.stringify(await eventsOf(realm)).includes('anna'));
  await erase(realm, '1');
  assert.ok(!JSON.stringify(await eventsOf(realm)).includes('anna'));
});

test('an archived realm erases nobody', async () => {
  const realm = await withAlice('archived');
  await service.expect(200, 'POST', realm.path('/archive'));
  assertProblem(await realm.send('DELETE', '/members/1?erase=true'), 'realm-archived');
});

test('stored answers that name the member are erased, and not executed again', async () => {
  const realm = await service.realm('answers');
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const wallet = { address: WALLET };
  const requests: [method: string, path: string, body: object][] = [
    ['POST', '/members', { id: 1, username: 'alice' }],
    ['PATCH', '/members/1', { displayName: 'Alice' }],
    ['POST', '/members/1/wallets', wallet],
    ['POST', '/members/1/wallets/challenge', wallet],
    ['PATCH', '/members/1/tokenBalance', { tokens: 50, description: 'for alice' }],
    ['POST', '/members/1/holds', { tokens: 5, description: 'alice buys' }],
    ['POST', '/members', { id: 2, username: 'bob' }],
    ['PATCH', '/members/2/tokenBalance', { tokens: 5, description: 'for bob' }],
    ['PATCH', '/members/tokenBalance', { entries: [{ memberId: 1, tokens: 5 }] }],
    ['POST', '/members/batch', { atomic: false, members: [{ id: 3, wallets: [WALLET] }] }],
  ];
  for (const [index, [method, path, body]] of requests.entries()) {
    const sent = { body, ...keyed(`k${index}`) };
    const { status } = await realm.send(method, path, sent);
    assert.ok(status < 300, path);
    const again = await realm.send(method, path, sent);
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [status, 'true'], path);
  }
  await erase(realm, '1', '&forfeit=true');
  for (const [index, [method, path, body]] of requests.entries()) {
    const again = await realm.send(method, path, { body, ...keyed(`k${index}`) });
    if (/bob/.test(JSON.stringify(body))) assert.equal(again.status < 300, true, path);
    else assertProblem(again, 'answer-erased');
  }
  const stored = await service.database.rows('SELECT answer FROM idempotency_keys');
  const text = JSON.stringify(stored);
  for (const name of ['alice', 'Alice', WALLET]) assert.ok(!text.includes(name), name);
  assert.ok(text.includes('bob'));
});

test('an erasure that was not finished is continued by the next start', async (t) => {
  const own = await TestService.start();
  t.after(() => own.stop());
  const realm = await own.realm('acme');
  await realm.member('1', 0, fields);
  await own.down();
  const ledger = await own.database.ledger();
  const removal = { memberId: '1', forfeit: false, erase: true };
  const envelope = { realmId: 'acme', actor: 'root', idempotency: null };
  await ledger.execute({ ...envelope, type: 'member.remove', ...removal });
  await ledger.close();
  await own.up();
  const events = await eventually(
    () => eventsOf(realm),
    (all) => !JSON.stringify(all).includes('alice'),
  );
  assert.equal(events.at(-1)?.type, 'member.erased');
  assert.equal((await verdict(realm)).ok, true);
});

test('a stream that starts at the beginning has what was erased as erased', async () => {
  const realm = await withAlice('streamed');
  await erase(realm, '1', '&forfeit=true');
  const events = await eventsOf(realm);
  const reader = await EventReader.open(realm);
  await reader.reaches(events.at(-1)?.seq ?? 0);
  reader.close();
  assert.deepEqual(reader.events, events);
  assert.ok(events.some(({ data }) => data.erased));
});

/** A receiver of a realm's new members that answers when it is told to. */
async function withReceiver(t: TestContext, id: string) {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = (response, { text }) =>
    void released.then(() => response.writeHead(200).end(text));
  const realm = await service.realm(id);
  const body = { url: receiver.url, types: ['member.created'] };
  const { json } = await realm.expect(201, 'POST', '/webhooks', { body });
  const deliveries = async (): Promise<{ seq: number; answer: string | null }[]> =>
    (await realm.expect(200, 'GET', `/webhooks/${json.id}/deliveries`)).json.items;
  return { receiver, release, realm, deliveries };
}

test('an event that was read before the erasure is sent as it is after it', async (t) => {
  const { receiver, release, realm } = await withReceiver(t, 'couriers');
  const members = [
    { id: 1, username: 'bob' },
    { id: 2, username: 'alice' },
  ];
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  await receiver.receives(1);
  await erase(realm, '2');
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 2_000);
  release();
  await receiver.receives(2);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.data),
    [
      { memberId: '1', username: 'bob' },
      { memberId: '2', erased: true },
    ],
  );
});

test('what a receiver answers after the erasure is not stored', async (t) => {
  const { receiver, release, realm, deliveries } = await withReceiver(t, 'late-answers');
  await realm.member('1', 0, { username: 'alice' });
  await receiver.receives(1);
  await erase(realm, '1');
  await realm.member('2', 0, { username: 'bob' });
  release();
  const [bob, alice] = await eventually(deliveries, (all) => all.length === 2);
  assert.match(bob?.answer ?? '', /bob/);
  assert.equal(alice?.answer, null);
});

test('what receivers of webhooks answered about the member is erased', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const realm = await service.realm('receivers');
  receiver.answer = (response, { text }) => void response.writeHead(200).end(text);
  const { json } = await realm.expect(201, 'POST', '/webhooks', { body: { url: receiver.url } });
  await realm.member('1', 0, { username: 'alice' });
  await realm.member('2', 0, { username: 'bob' });
  const deliveries = async (): Promise<{ answer: string | null }[]> =>
    (await realm.expect(200, 'GET', `/webhooks/${json.id}/deliveries`)).json.items;
  const answered = await eventually(deliveries, (all) => JSON.stringify(all).includes('bob'));
  assert.ok(JSON.stringify(answered).includes('alice'));
  await erase(realm, '1');
  const left = JSON.stringify(await deliveries());
  assert.ok(left.includes('bob') && !left.includes('alice'), left);
});
