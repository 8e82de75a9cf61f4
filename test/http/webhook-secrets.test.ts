import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { assertProblem } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import { TestRealm, TestService } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** The secrets of webhooks: what they sign, and where they are not. */
async function start(t: { after: (end: () => unknown) => void }) {
  const service = await TestService.start({}, {}, undefined, QUICKLY);
  const receiver = await Receiver.start();
  t.after(async () => {
    await service.stop();
    await receiver.stop();
    assert.deepEqual(service.errors(), []);
  });
  return { service, receiver, realm: await service.realm('acme') };
}

test('secrets are shown once, and are in no list, feed, export or database', async (t) => {
  const { service, receiver, realm } = await start(t);
  const sent = { body: { url: receiver.url }, headers: { 'idempotency-key': 'once' } };
  const first = (await realm.expect(201, 'POST', '/webhooks', sent)).json;
  const again = (await realm.expect(201, 'POST', '/webhooks', sent)).json;
  assert.deepEqual(again, { ...first, secret: null });
  const rotated = await realm.expect(201, 'POST', `/webhooks/${first.id}/rotate`);
  const seen = [
    (await realm.expect(200, 'GET', '/webhooks')).text,
    (await realm.expect(200, 'GET', '/events')).text,
    await service.database.contents(),
  ];
  for (const text of seen) {
    for (const secret of [first.secret, rotated.json.secret]) {
      assert.ok(!text.includes(secret));
      assert.ok(!text.includes(secret.slice('whsec_'.length)));
    }
  }
  assert.ok(!seen[1]?.includes('/hook'), 'a path may be a secret, too');
});

test('both secrets verify during the overlap of a rotation, then only the new one', async (t) => {
  const { receiver, realm } = await start(t);
  const verifies = (secret: string): boolean => {
    const { text, headers } = receiver.received.at(-1) ?? assert.fail('nothing was received');
    try {
      new Webhook(secret).verify(text, headers);
      return true;
    } catch {
      return false;
    }
  };
  const body = { url: receiver.url, types: ['member.created'] };
  const { id, secret } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  const receiveOne = async (memberId: string) => {
    const before = receiver.received.length;
    await realm.member(memberId);
    await receiver.receives(before + 1);
  };
  await receiveOne('1');
  assert.ok(verifies(secret));
  const rotate = async (overlapSeconds: number): Promise<string> => {
    const sent = { body: { overlapSeconds } };
    return (await realm.expect(201, 'POST', `/webhooks/${id}/rotate`, sent)).json.secret;
  };
  const second = await rotate(3600);
  await realm.expect(200, 'POST', `/webhooks/${id}/test`);
  assert.deepEqual([secret, second].map(verifies), [true, true]);
  const third = await rotate(0);
  await realm.expect(200, 'POST', `/webhooks/${id}/test`);
  assert.deepEqual([secret, second, third].map(verifies), [false, false, true]);
  // The sender, too.
  await eventually(
    async () => {
      await receiveOne(String(receiver.received.length + 10));
      return verifies(third) && !verifies(second);
    },
    (isNew) => isNew,
  );
});

test('with another SECRET_KEY nothing is sent until the secret is rotated', async (t) => {
  const { service, receiver, realm } = await start(t);
  const body = { url: receiver.url, types: ['member.created'] };
  const { id } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  await realm.member('1');
  await receiver.receives(1);
  const changes = { secretKey: 'another-secret-key-0123456789-0123456789' };
  const other = await TestService.start(changes, {}, service.database, QUICKLY);
  t.after(() => other.stop());
  await service.down();
  const there = new TestRealm(other, 'acme');
  there.key = realm.key;
  const shown = (await there.expect(200, 'GET', `/webhooks/${id}`)).json;
  assert.deepEqual([shown.paused, shown.pauseReason], [true, 'secret-unreadable']);
  const refused = await there.send('POST', `/webhooks/${id}/test`);
  assertProblem(refused, 'webhook-secret-unreadable', { webhookId: id });
  await there.member('2');
  const { secret } = (await there.expect(201, 'POST', `/webhooks/${id}/rotate`)).json;
  await receiver.receives(2);
  const { event, text, headers } = receiver.received[1] ?? assert.fail();
  assert.equal(event.data.memberId, '2', 'it continues where it was');
  new Webhook(secret).verify(text, headers);
});
