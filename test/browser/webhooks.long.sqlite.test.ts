import assert from 'node:assert/strict';
import { after } from 'node:test';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { QUICKLY } from '../webhooks/quickly.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { browse, browserForFile } from './browse.ts';
import { Reader } from './reader.ts';

/** After a failure nothing is sent until somebody wants it. */
const patient = { ...QUICKLY, schedule: { ...QUICKLY.schedule, pausesMs: [3_600_000] } };
const service = await serviceForFile({ logLevel: 'silent' }, {}, patient);
const browser = browserForFile();
const receivers: Receiver[] = [];
after(() => Promise.all(receivers.map((one) => one.stop())));

async function failing(id: string): Promise<{ realm: TestRealm; receiver: Receiver; at: string }> {
  const realm = await service.realm(id);
  const receiver = await Receiver.start();
  receivers.push(receiver);
  receiver.answer = (response) => void response.writeHead(500).end('the shop is closed');
  const body = { url: receiver.url, types: ['member.created'], description: 'Shop' };
  const hook = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  await realm.member('1', 0, { username: 'alice' });
  await receiver.receives(1);
  return { realm, receiver, at: `/realms/${id}/webhooks/${hook.id}` };
}

browse('a webhook that fails is seen, looked into and mended', async () => {
  const { receiver, at } = await failing('mended');
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  await reader.opens('/realms/mended');
  await reader.sees('Events do not arrive at');
  await reader.page.getByRole('link', { name: 'Open the webhook' }).click();
  await reader.sees('Failing');
  await reader.page.getByRole('link', { name: 'member.created' }).click();
  await reader.dialog.getByText('the shop is closed').waitFor();
  await reader.dialog.getByText('"username": "alice"').waitFor();
  await reader.dialog.getByRole('button', { name: 'Send again' }).click();
  await reader.dialog.getByText('The event did not arrive').waitFor();
  receiver.answer = (response) => void response.writeHead(204).end();
  await reader.dialog.getByRole('button', { name: 'Send again' }).click();
  await reader.dialog.getByText('The event arrived').waitFor();
  assert.equal(receiver.received.length, 3);
  await reader.page.keyboard.press('Escape');
  await reader.dialog.waitFor({ state: 'detached' });
  await reader.press('Retry now');
  await receiver.receives(4);
  await reader.sees('Delivering');
  await reader.opens('/realms/mended');
  assert.equal(await reader.page.getByText('Events do not arrive').count(), 0);
  await reader.opens(at);
  await reader.leave();
});

browse('a webhook is edited, and a wrong type is named at its field', async () => {
  const { realm, receiver, at } = await failing('edited');
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  await reader.opens(at);
  await reader.choose('More actions', 'Edit');
  assert.equal(await reader.dialog.getByLabel('Types').inputValue(), 'member.created');
  await reader.answer({ Types: 'member.*, point.added', 'What it is for': 'Till' }, 'Save');
  await reader.dialog.getByText('did you mean "points.added"?').waitFor();
  await reader.answer({ Types: 'member.*, points.added' }, 'Save');
  await reader.sees('member.*, points.added');
  const [hook] = (await realm.expect(200, 'GET', '/webhooks')).json.items;
  assert.deepEqual(
    [hook.url, hook.types, hook.description],
    [receiver.url, ['member.*', 'points.added'], 'Till'],
  );
  await reader.leave();
});
