import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { eventually } from '../support/eventually.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** Single deliveries of webhooks. */
const service = await serviceForFile({}, {}, QUICKLY);

const deliveriesOf = async (realm: TestRealm, id: string) =>
  (await realm.expect(200, 'GET', `/webhooks/${id}/deliveries`)).json.items;

test('a delivery shows what was sent and answered, and can be sent again', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const realm = await service.realm('again');
  receiver.answer = (response) => void response.writeHead(204).end();
  const body = { url: receiver.url, types: ['member.created'] };
  const { id } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  const read = async () => (await realm.expect(200, 'GET', `/webhooks/${id}`)).json;
  await realm.member('1', 0, { username: 'alice' });
  await receiver.receives(1);
  const [made] = await eventually(
    () => deliveriesOf(realm, id),
    ({ length }) => length === 1,
  );
  const path = `/webhooks/${id}/deliveries/${made.id}`;
  const whole = (await realm.expect(200, 'GET', path)).json;
  const { event, headers } = receiver.received[0] ?? {};
  assert.deepEqual(whole, { ...made, messageId: headers?.['webhook-id'], payload: event });
  await realm.expect(200, 'PATCH', `/webhooks/${id}`, { body: { paused: true } });
  const { position } = await read();
  receiver.answer = (response) => void response.writeHead(500).end('not now, alice');
  const again = (await realm.expect(200, 'POST', `${path}/resend`)).json;
  assert.deepEqual(
    [again.seq, again.attempt, again.delivered, again.status, again.answer],
    [made.seq, 2, false, 500, 'not now, alice'],
  );
  assert.deepEqual(receiver.received[1]?.event, event);
  assert.equal(receiver.received[1]?.headers['webhook-id'], whole.messageId);
  assert.deepEqual(await deliveriesOf(realm, id), [again, made]);
  const after = await read();
  assert.deepEqual([after.position, after.failingSince, after.paused], [position, null, true]);
  await realm.expect(204, 'DELETE', '/members/1?erase=true');
  const [erased] = await eventually(
    () => deliveriesOf(realm, id),
    ([newest]) => newest.answer === null,
  );
  const left = await realm.expect(200, 'GET', `/webhooks/${id}/deliveries/${erased.id}`);
  assert.doesNotMatch(left.text, /alice/);
  assert.deepEqual(left.json.payload.data, { memberId: '1', erased: true });
  const unknown = { deliveryId: 5 };
  const paths = [`/webhooks/${id}/deliveries/5`, `/webhooks/${id}/deliveries/5/resend`];
  assertProblem(await realm.send('GET', paths[0] ?? ''), 'delivery-not-found', unknown);
  assertProblem(await realm.send('POST', paths[1] ?? ''), 'delivery-not-found', unknown);
});
