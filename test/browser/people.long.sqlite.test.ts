import assert from 'node:assert/strict';
import { serviceForFile } from '../support/service.ts';
import { withAuthenticator } from './authenticator.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const acme = await service.realm('acme');
await acme.member('1', 0, { displayName: 'Ann' });
const browser = browserForFile();

async function open(link: string) {
  const reader = await Reader.open(browser(), link);
  return { reader, device: await withAuthenticator(reader) };
}

const asked = ({ page }: Reader) =>
  page.waitForRequest((request) => request.url().endsWith('/sessions/challenge'));

/** Somebody accepts an invitation, gives points, and signs in again. */
async function joins(link: string): Promise<Reader> {
  const { reader: max, device: phone } = await open(link);
  await max.press('Accept the invitation');
  await max.press('Create a passkey');
  await max.isIn();
  await max.page.getByRole('button', { name: 'Max' }).waitFor();
  await max.opens('/realms/acme/members/1');
  await max.press('Add points');
  await max.answer({ Points: '5' }, 'Add points');
  await max.sees('by Max');
  await max.opens('/sessions');
  await inEveryLook(max, 'passkeys and sessions');
  // The field asks the device at once, which is there; then the button does.
  await Promise.all([asked(max), max.press('Sign out')]);
  await max.isIn();
  await phone.isThere(false);
  await max.press('Sign out');
  await max.sees('Use a passkey');
  await inEveryLook(max, 'the sign-in');
  await phone.isThere(true);
  await max.press('Use a passkey');
  await max.isIn();
  await phone.isThere(false);
  await max.opens('/realms/acme');
  return max;
}

browse('an owner, her team and their passkeys, from the first start on', async () => {
  const { reader: olive, device } = await open(await service.consoleLink('/join'));
  await inEveryLook(olive, 'the invitation');
  await olive.press('Accept the invitation');
  await olive.page.getByLabel('Your name').fill('Olive');
  await inEveryLook(olive, 'the first owner');
  await olive.press('Continue');
  await olive.sees('Welcome, Olive');
  await inEveryLook(olive, 'the first passkey');
  await olive.press('Create a passkey');
  await olive.isIn();
  assert.equal(await device.count(), 1);
  await olive.sees('Passkey added');
  assert.equal((await service.expect(200, 'GET', '/api/v4/sessions')).json.items.length, 0);

  await olive.opens('/realms/acme/people');
  await olive.press('Invite a person');
  await olive.answer({ Name: 'Max' }, 'Invite');
  const link = await olive.dialog.getByText('/join#code=').innerText();
  await olive.press('Done');

  const max = await joins(link);
  await olive.opens('/realms/acme/activity');
  await olive.sees('by Max');
  await olive.opens('/realms/acme/people');
  await olive.choose('Actions for Max', 'Sessions');
  await olive.dialog.getByText('on Linux').waitFor();
  await olive.press('Done');
  await olive.choose('Actions for Max', 'Remove');
  await olive.answer({}, 'Remove');
  await max.sees('Your session has ended.');
  await max.leave();
  await olive.opens('/realms/acme/activity');
  await olive.sees('by Max');
  await olive.leave();
});
