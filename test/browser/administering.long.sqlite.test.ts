import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function signedIn(key = ROOT_KEY): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(key);
  return reader;
}

/** The call takes effect, but its answer is lost on the way, once. */
async function loseAnswer(reader: Reader, path: RegExp): Promise<void> {
  let isLost = false;
  await reader.page.route(path, async (route: Route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

browse('settings of two people are both kept, and saving the same again counts', async () => {
  const realm = await service.realm('settings');
  const reader = await signedIn();
  await reader.opens('/realms/settings/settings');
  const name = reader.page.getByLabel('Name', { exact: true });
  await name.fill('Mine');
  await realm.expect(200, 'PATCH', '', { body: { settings: { autoEnroll: true } } });
  const label = 'Add unknown members automatically when they get points';
  await reader.page.getByRole('checkbox', { name: label, checked: true }).waitFor();
  assert.equal(await name.inputValue(), 'Mine', 'what was typed stays');
  const saves = async (): Promise<void> => {
    const answered = reader.page.waitForResponse((one) => one.request().method() === 'PATCH');
    await reader.press('Save');
    // Meanwhile the button is disabled as well.
    await answered;
    await reader.page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  };
  await saves();
  const saved = (await realm.expect(200, 'GET', '')).json;
  assert.deepEqual([saved.name, saved.settings.autoEnroll], ['Mine', true]);
  await realm.expect(200, 'PATCH', '', { body: { name: 'Theirs' } });
  await reader.page.getByRole('navigation').getByText('Theirs').waitFor();
  assert.equal(await name.inputValue(), 'Theirs');
  await name.fill('Mine');
  await saves();
  assert.equal((await realm.expect(200, 'GET', '')).json.name, 'Mine');
  // What is not saved waits for whoever looks elsewhere first.
  await name.fill('Later');
  await reader.visits('/realms/settings/points');
  await reader.visits('/realms/settings/settings');
  assert.equal(await name.inputValue(), 'Later');
  await reader.press('Discard');
  await reader.page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  assert.equal(await name.inputValue(), 'Mine');
  await reader.leave();
});

browse('who saves what somebody else has saved meanwhile sees both, and decides', async () => {
  const realm = await service.realm('clash');
  const nameIs = async () => (await realm.expect(200, 'GET', '')).json.name;
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/clash/settings');
  // No news arrive: only the saving itself can notice.
  await page.route(/\/events\?/, (route) => route.abort());
  await page.reload();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Mine');
  await realm.expect(200, 'PATCH', '', { body: { name: 'Theirs' } });
  await page.keyboard.press('Enter');
  const note = page.getByRole('alert').filter({ hasText: 'Somebody else has changed “Name”' });
  await note.getByText('Theirs', { exact: true }).waitFor();
  await note.getByText('Mine', { exact: true }).waitFor();
  assert.equal(await nameIs(), 'Theirs');
  await inEveryLook(reader, 'settings of two people', 'main');
  await note.getByRole('button', { name: 'Use theirs' }).click();
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  assert.equal(await name.inputValue(), 'Theirs');
  await name.fill('Mine again');
  await realm.expect(200, 'PATCH', '', { body: { name: 'Theirs again' } });
  await reader.press('Save');
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await reader.press('Save');
  await reader.sees('Settings saved');
  assert.equal(await nameIs(), 'Mine again');
  await realm.expect(200, 'PATCH', '', { body: { name: 'Last' } });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await reader.sees('Not undone: somebody else has changed these settings since');
  assert.equal(await nameIs(), 'Last');
  // The browser has reported the streams that were cut.
  await page.context().close();
});

browse('data that another client changed meanwhile survives an edit of the name', async () => {
  const realm = await service.realm('edited');
  await realm.member('1', 0, { displayName: 'Ann', metadata: { level: 1 } });
  const reader = await signedIn();
  await reader.opens('/realms/edited/members/1');
  await reader.choose('More actions', 'Edit');
  await realm.expect(200, 'PATCH', '/members/1', { body: { metadata: { level: 2 } } });
  await reader.answer({ Name: 'Anna' }, 'Save');
  await reader.sees('Anna changed');
  const { displayName, metadata } = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.deepEqual([displayName, metadata], ['Anna', { level: 2 }]);
  await reader.leave();
});

browse('a key or secret whose answer is lost is there, and cannot be shown', async () => {
  const receiver = await Receiver.start();
  const realm = await service.realm('lost');
  const reader = await signedIn();
  await reader.opens('/realms/lost/keys');
  await loseAnswer(reader, /\/keys$/);
  await reader.press('Issue a key');
  await reader.dialog.getByLabel('How long').selectOption('A day');
  await reader.answer({ 'What it is for': 'Quest bot' }, 'Issue');
  await reader.sees('it cannot be shown again');
  await reader.press('Done');
  await reader.page.getByRole('cell', { name: 'Quest bot' }).waitFor();
  const { items } = (await realm.expect(200, 'GET', '/keys')).json;
  assert.equal(items.filter((key: { name: string }) => key.name === 'Quest bot').length, 1);
  await reader.opens('/realms/lost/webhooks');
  await loseAnswer(reader, /\/webhooks$/);
  await reader.press('Add a webhook');
  await reader.answer({ Address: receiver.url }, 'Add');
  await reader.sees('it cannot be shown again');
  await reader.page.context().close();
  await receiver.stop();
});

browse('keys and webhooks of others appear by themselves', async () => {
  const receiver = await Receiver.start();
  const realm = await service.realm('others');
  const reader = await signedIn();
  await reader.opens('/realms/others/keys');
  await realm.issueKey(['read'], { name: 'Their bot' });
  await reader.page.getByRole('cell', { name: 'Their bot' }).waitFor();
  const body = { url: receiver.url };
  const { id } = (await realm.expect(201, 'POST', '/webhooks', { body })).json;
  await reader.opens(`/realms/others/webhooks/${id}`);
  const panel = reader.page.getByRole('complementary', { name: 'Webhook' });
  await panel.getByText('Delivering').waitFor();
  await realm.member('1');
  await panel.getByRole('link', { name: 'member.created' }).waitFor();
  await realm.expect(200, 'PATCH', `/webhooks/${id}`, { body: { paused: true } });
  await panel.getByText('Paused', { exact: true }).waitFor();
  await realm.expect(204, 'DELETE', `/webhooks/${id}`);
  await panel.getByRole('alert').waitFor();
  await reader.sees('No webhooks yet');
  await reader.leave();
  await receiver.stop();
});

browse(
  'a check that a restart has interrupted is over, and another one can be started',
  async () => {
    await service.realm('checked');
    const reader = await signedIn();
    await reader.opens('/realms/checked/integrity');
    await reader.page.route(/\/verify\//, (route) =>
      route.fulfill({
        status: 404,
        json: { code: 'verification-not-found', message: 'This process knows no such check.' },
      }),
    );
    await reader.press('Check now');
    await reader.sees('The service was restarted during the check.');
    await reader.page.unroute(/\/verify\//);
    await reader.press('Check now');
    await reader.sees('Everything adds up');
    assert.equal(await reader.page.getByText('The service was restarted').count(), 0);
    await reader.leave();
  },
);

browse('a check is followed to its end while other views are shown', async () => {
  await service.realm('followed');
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/followed/integrity');
  let isRunning = true;
  let looks = 0;
  await page.route(/\/verify\//, (route) => {
    looks += 1;
    const id = route.request().url().split('/').at(-1);
    const json = { id, status: 'running', step: 'journal', checked: 5, total: 9, result: null };
    return isRunning ? route.fulfill({ json }) : route.continue();
  });
  const goes = async (view: string): Promise<void> => {
    await page.getByRole('link', { name: view }).first().click();
    await page.getByRole('heading', { name: view, exact: true }).waitFor();
  };
  const progress = 'Recomputing the hash of every record';
  await reader.press('Check now');
  await reader.sees(progress);
  await goes('Settings');
  await goes('Integrity');
  await reader.sees(progress);
  await page.getByRole('button', { name: 'Checking…', disabled: true }).waitFor();
  await goes('Settings');
  isRunning = false;
  await page.getByRole('link', { name: 'Integrity (Everything added up)' }).waitFor();
  const before = looks;
  await goes('Integrity');
  await reader.sees('Everything adds up');
  assert.equal(looks, before, 'the result is there already');
  await reader.leave();
});

browse('a key that is shown once is closed by its button, not by Enter or Escape', async () => {
  await service.realm('twice');
  const reader = await signedIn();
  await reader.opens('/realms/twice/keys');
  await reader.press('Issue a key');
  await reader.dialog.getByLabel('What it is for').fill('Quest bot');
  await reader.page.keyboard.press('Enter');
  const copy = reader.dialog.getByRole('button', { name: 'Copy the key' });
  await copy.and(reader.page.locator(':focus')).waitFor();
  for (const _ of [1, 2]) await reader.page.keyboard.press('Escape');
  await reader.press('Done');
  await reader.dialog.waitFor({ state: 'detached' });
  await reader.leave();
});

browse('a realm stays in sight until the answer to its deletion', async () => {
  await service.realm('ending');
  const reader = await signedIn();
  const { page } = reader;
  const answer = Promise.withResolvers<void>();
  await page.route('**/realms/ending?confirm=ending', async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  await reader.opens('/realms/ending/settings');
  const isGone = page.waitForResponse(
    (response) => response.url().endsWith('/realms/ending') && response.status() === 404,
  );
  await reader.press('Delete');
  await reader.answer({ 'Type its id, ending': 'ending' }, 'Delete');
  await isGone;
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  assert.equal(await page.getByText('This realm does not exist').count(), 0);
  answer.resolve();
  await reader.sees('ending deleted');
  await page.getByRole('heading', { name: 'Realms', exact: true }).waitFor();
  await reader.leave();
});

browse('a realm gets a rate limit of its own, and the old one back', async () => {
  const realm = await service.realm('limited');
  const limit = async () => (await realm.expect(200, 'GET', '')).json.settings.rateLimit;
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/limited/settings');
  const perSecond = page.getByLabel('Requests per second per key');
  const burst = page.getByLabel('Requests at once after a pause');
  await perSecond.waitFor();
  assert.equal(await burst.count(), 0, 'the default has both');
  await perSecond.fill('1.5');
  await reader.sees('It has to be a whole number, at least 1.');
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await perSecond.fill('25');
  await reader.press('Save');
  await reader.sees('Settings saved');
  assert.deepEqual(await limit(), { perSecond: 25, burst: 50 });
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await eventually(limit, (is) => is === null);
  await burst.waitFor({ state: 'detached' });
  await perSecond.fill('2000000');
  await reader.press('Save');
  await reader.sees(/must be a JSON integer from 1 to 1000000/);
  await reader.leave();
});
