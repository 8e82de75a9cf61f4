import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { STORAGE } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { claim, community, createOffer } from '../support/offers.ts';
import { add, changeMany, done, newKind, reverse, verdict } from '../support/points.ts';
import { type Sent, serviceForFile, serviceForTest, type TestRealm } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** Each item appears when there is something to do, and goes when it is done. */
const service = await serviceForFile({}, {}, QUICKLY);
const DAY_MS = 86_400_000;

const attention = async (realm: TestRealm, sent: Sent = {}) =>
  (await realm.expect(200, 'GET', '/attention', sent)).json.items;

const NAMED = 'x-realmkeep-on-behalf-of';

test('a failing webhook, for admins, until it delivers or is paused', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const realm = await service.realm('hooks');
  receiver.answer = (response) => void response.writeHead(500).end();
  const body = { url: receiver.url, types: ['member.created'] };
  const { id } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  assert.deepEqual(await attention(realm), []);
  await realm.member('1');
  const [item, ...others] = await eventually(
    () => attention(realm),
    ({ length }) => length > 0,
  );
  const { failingSince: at } = (await realm.expect(200, 'GET', `/webhooks/${id}`)).json;
  assert.deepEqual(item, { type: 'webhook-failing', at, webhookId: id, url: receiver.url });
  assert.equal(others.length, 0);
  assert.deepEqual(await attention(realm, { key: await realm.issueKey(['write']) }), []);
  receiver.answer = (response) => void response.writeHead(204).end();
  await eventually(
    () => attention(realm),
    ({ length }) => length === 0,
  );
  receiver.answer = (response) => void response.writeHead(410).end();
  await realm.member('2');
  await eventually(
    () => attention(realm),
    ([one]) => one?.type === 'webhook-failing',
  );
  // Somebody has seen it.
  const hook = `/webhooks/${id}`;
  await realm.expect(200, 'PATCH', hook, { body: { paused: false } });
  await realm.expect(200, 'PATCH', hook, { body: { paused: true } });
  assert.deepEqual(await attention(realm), []);
});

test('a key that expires soon, until there is another one', async () => {
  const realm = await service.realm('keys');
  const issue = async (name: string, inMs: number) => {
    const expiresAt = new Date(Date.now() + inMs).toISOString();
    const body = { name, scopes: ['read'], expiresAt };
    return (await realm.expect(201, 'POST', '/keys', { body })).json;
  };
  await issue('later', 15 * DAY_MS);
  const soon = await issue('soon', 13 * DAY_MS);
  const { id: keyId, name, expiresAt: at } = soon;
  assert.deepEqual(await attention(realm), [{ type: 'key-expiring', at, keyId, name }]);
  assert.deepEqual(await attention(realm, { key: soon.key }), [], 'not for a key that reads');
  await realm.expect(201, 'POST', `/keys/${keyId}/rotate`);
  const [rotated, ...others] = await attention(realm);
  assert.ok(rotated.keyId !== keyId && others.length === 0, 'the new one expires as soon');
  await realm.expect(204, 'DELETE', `/keys/${rotated.keyId}`);
  await realm.expect(204, 'DELETE', `/keys/${keyId}`);
  assert.deepEqual(await attention(realm), []);
  const key = await realm.expiredKey(['read']);
  assert.equal((await attention(realm))[0].type, 'key-expiring', `${key} has expired`);
});

test('claims that wait, until they are delivered or rejected', async () => {
  const realm = await community(service, 'claims');
  await createOffer(realm, 'hat', { gives: { points: 1 }, delivery: 'manual', perMember: null });
  const first = await done(claim(realm, 'hat', '1'));
  const second = await done(claim(realm, 'hat', '2'));
  const viewer = { key: await realm.issueKey(['read']) };
  const waiting = { type: 'claims-waiting', at: first.at, claims: 2 };
  assert.deepEqual(await attention(realm, viewer), [waiting]);
  await done(realm.send('POST', `/claims/${first.claimId}/deliver`));
  assert.deepEqual(await attention(realm), [{ ...waiting, at: second.at, claims: 1 }]);
  await done(realm.send('POST', `/claims/${second.claimId}/reject`));
  assert.deepEqual(await attention(realm), []);
});

test('an award far above what a key gives usually, until it is undone', async () => {
  const realm = await service.realm('awards');
  await newKind(realm, 'gems');
  const many = Array.from({ length: 60 }, () => ({ memberId: '1', tokens: 10 }));
  await realm.member('1');
  await changeMany(realm, many.slice(0, 9));
  const early = await done(add(realm, '1', 5_000));
  assert.deepEqual(await attention(realm), [], 'who gave little has no habit yet');
  await changeMany(realm, many);
  const award = { tokens: 5_000, usual: 10, transactionId: early.transactionId };
  const [item, ...others] = await attention(realm);
  const { at: _, actor, ...rest } = item;
  const about = { type: 'award-unusual', memberId: '1', realmPointId: 'points' };
  assert.deepEqual(rest, { ...about, ...award });
  assert.match(actor, /^key:/);
  assert.equal(others.length, 0);
  await done(reverse(realm, early.transactionId, { tokens: 1 }));
  assert.deepEqual(await attention(realm), []);
  await done(add(realm, '1', 50));
  await done(add(realm, '1', 9_000, { realmPointId: 'gems' }));
  assert.deepEqual(await attention(realm), [], 'five times as much, and the first of a kind');
  await done(add(realm, '1', 51));
  assert.equal((await attention(realm)).length, 1);
});

test('what a key gives for people is compared for each of them', async () => {
  const realm = await service.realm('people');
  await realm.member('1');
  const awards = async (who: string, tokens: number, count: number) => {
    const headers = { [NAMED]: who };
    const entries = Array.from({ length: count }, () => ({ memberId: '1', tokens }));
    const sent = { body: { entries }, headers };
    return (await realm.expect(200, 'PATCH', '/members/tokenBalance', sent)).json.results;
  };
  await awards('discord:7', 1_000, 20);
  await awards('discord:8', 10, 20);
  assert.deepEqual(await attention(realm), []);
  const [{ transactionId }] = await awards('discord:8', 1_000, 1);
  const [item, ...others] = await attention(realm);
  const { tokens, usual, onBehalfOf } = item;
  assert.deepEqual([item.transactionId, tokens, usual], [transactionId, 1_000, 10]);
  assert.deepEqual([onBehalfOf, others.length], ['discord:8', 0]);
});

test('a check that found a fault, until one finds none', async () => {
  const realm = await service.realm('checked');
  await realm.member('1', 100);
  const change = (by: string) =>
    service.database.exec(`UPDATE balances SET balance = balance ${by}
      WHERE realm_id = 'checked' AND member_id = 1`);
  await change('+ 1');
  assert.deepEqual(await attention(realm), [], 'nobody has checked');
  const { fault } = await verdict(realm);
  const [item] = await attention(realm);
  assert.deepEqual([item.type, item.detail], ['check-failed', fault.detail]);
  assert.ok(Math.abs(Date.parse(item.at) - Date.now()) < 60_000);
  assert.deepEqual(await attention(realm, { key: await realm.issueKey(['write']) }), []);
  await change('- 1');
  const { id } = (await realm.expect(202, 'POST', '/verify')).json;
  const look = async () => (await realm.expect(200, 'GET', `/verify/${id}`)).json;
  await eventually(look, ({ status }) => status === 'done');
  assert.deepEqual(await attention(realm), []);
  await change('+ 1');
  await verdict(realm);
  await service.expect(204, 'DELETE', '/api/v4/realms/checked?confirm=checked');
  const again = await service.realm('checked');
  assert.deepEqual(await attention(again), [], 'another realm of this id');
});

test('a backup that is overdue, for owners', { skip: STORAGE !== 'sqlite' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-attention-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), '');
  const backups = { folder: join(folder, 'file', 'sub'), everyMs: 20, keep: 2 };
  const own = await serviceForTest({ backups });
  const realm = await own.realm('acme');
  const ask = async () => (await own.expect(200, 'GET', realm.path('/attention'))).json.items;
  assert.deepEqual(await ask(), [{ type: 'backup-overdue', at: null }]);
  assert.deepEqual(await attention(realm), [], 'an admin of the realm cannot mend it');
});
