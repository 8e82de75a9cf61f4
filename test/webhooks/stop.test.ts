import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { TestService } from '../support/service.ts';
import { QUICKLY } from './quickly.ts';
import { Receiver } from './receiver.ts';

test('a stop waits for no receiver, keeps positions, and lets go of the leases', async (t) => {
  const service = await TestService.start({}, {}, undefined, QUICKLY);
  const receiver = await Receiver.start();
  t.after(async () => {
    await service.stop();
    await receiver.stop();
    assert.deepEqual(service.errors(), []);
  });
  const realm = await service.realm('acme');
  const body = { url: receiver.url, types: ['member.created'] };
  const { id } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  await realm.member('1');
  await receiver.receives(1);
  const { answer } = receiver;
  receiver.answer = () => undefined;
  const tested = realm.send('POST', `/webhooks/${id}/test`);
  await receiver.receives(2);
  await realm.member('2');
  await receiver.receives(3);
  receiver.answer = answer;
  await service.restart();
  assertProblem(await tested, 'overloaded');
  await receiver.receives(4);
  const members = receiver.received.map(({ event }) => event.data.memberId);
  assert.deepEqual(members, ['1', undefined, '2', '2']);
});
