import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (key = ROOT_KEY): Promise<Reader> => Reader.signedIn(browser(), service.url, key);

/** How many sessions of the root key are open. */
const openSessions = async (): Promise<number> =>
  (await service.expect(200, 'GET', '/api/v4/sessions')).json.items.length;

browse('who cannot be signed out is told so, and then is', async () => {
  const reader = await signedIn();
  const before = await openSessions();
  await reader.opens('/sessions');
  await reader.page.context().setOffline(true);
  await reader.press('Sign out');
  await reader.sees('You are still signed in.');
  await reader.isIn();
  await reader.page.context().setOffline(false);
  await reader.press('Sign out');
  await reader.page.getByLabel('Key').waitFor();
  assert.equal(await reader.page.getByText('You are still signed in.').count(), 0);
  assert.equal(await openSessions(), before - 1);
  await reader.page.context().close();
});

browse('who signs in or out in a tab does so in all of them', async () => {
  const realm = await service.realm('tabs');
  const before = await openSessions();
  const reader = await signedIn(realm.key);
  const other = await reader.page.context().newPage();
  await other.goto(service.url);
  await other.getByRole('heading', { name: 'Overview' }).waitFor();
  await reader.opens('/sessions');
  await reader.press('Sign out');
  await other.getByLabel('Key').fill(ROOT_KEY);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await reader.page.getByText('Where the root key is signed in.').waitFor();
  assert.equal(await openSessions(), before + 1);
  await reader.press('Sign out');
  await other.getByLabel('Key').waitFor();
  assert.equal(await other.getByText('Your session has ended.').count(), 0);
  assert.equal(await openSessions(), before);
  await reader.leave();
});

browse('a session that was ended elsewhere is said to have ended, in every tab', async () => {
  const realm = await service.realm('revoked');
  await realm.member('1', 5);
  const reader = await signedIn(await realm.issueKey(['write'], { name: 'Quest bot' }));
  const other = await reader.page.context().newPage();
  await other.goto(`${service.url}/realms/revoked/members/1`);
  await other.getByRole('button', { name: 'Add points' }).click();
  await other.getByRole('dialog').waitFor();
  const { items } = (await realm.expect(200, 'GET', '/keys')).json;
  const { id } = items.find(({ name }: { name: string }) => name === 'Quest bot');
  await realm.expect(204, 'DELETE', `/keys/${id}`);
  for (const page of [reader.page, other]) {
    await page.getByText('Your session has ended.').waitFor();
  }
  await reader.leave();
});

browse('signing out ends the session of the cookie, also if it was replaced', async () => {
  const realm = await service.realm('replaced');
  const before = await openSessions();
  const reader = await signedIn(realm.key);
  await reader.opens('/sessions');
  const headers = { authorization: `Bearer ${ROOT_KEY}` };
  await reader.page.evaluate(
    `fetch('/api/v4/sessions', { method: 'POST', headers: ${JSON.stringify(headers)} })`,
  );
  assert.equal(await openSessions(), before + 1);
  await reader.press('Sign out');
  await reader.page.getByLabel('Key').waitFor();
  assert.equal(await openSessions(), before);
  assert.deepEqual(await reader.page.context().cookies(), []);
  await reader.leave();
});

browse('a change whose answer comes after the sign-out is shown to nobody', async () => {
  const realm = await service.realm('late');
  await realm.member('1', 0, { displayName: 'Ann' });
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/late/members/1');
  const [done, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/members\/1\?/, async (route) => {
    const response = await route.fetch();
    done.resolve();
    await answer.promise;
    await route.fulfill({ response });
  });
  await reader.choose('More actions', 'Remove from the realm');
  await reader.answer({}, 'Remove');
  await done.promise;
  // Nobody leaves it without knowing what came of it, unless the session ends.
  for (const _ of [1, 2]) await page.keyboard.press('Escape');
  await reader.dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${service.url}/sessions`);
  await other.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByLabel('Key').waitFor();
  const address = page.url();
  const answered = page.waitForEvent('requestfinished', (one) => /members\/1\?/.test(one.url()));
  answer.resolve();
  await answered;
  // Whoever signs in next is where the last one was, and hears nothing of it.
  await reader.signIn(ROOT_KEY);
  await reader.sees('There is no member 1.');
  assert.equal(page.url(), address);
  assert.equal(await page.locator('.toast').count(), 0);
  await reader.leave();
});

/** Two minutes pass in the page, in which nobody touches it. */
const turnClock = (page: Page): Promise<unknown> =>
  page.evaluate('{ const before = Date.now; Date.now = () => before() + 120_000; }');

browse('a tab that nobody touches ends its session, however much happens in it', async () => {
  const realm = await service.realm('watched');
  await realm.member('1', 5);
  const reader = await signedIn(realm.key);
  await reader.opens('/realms/watched');
  await reader.sees('Latest activity');
  const calls: (string | undefined)[] = [];
  reader.page.on('request', (request) => calls.push(request.headers()['x-realmkeep-console']));
  const add = (description: string) =>
    realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1, description } });
  const asked = (path: RegExp) => reader.page.waitForRequest((request) => path.test(request.url()));
  await Promise.all([asked(/leaderboard/), add('somebody is there')]);
  assert.deepEqual(new Set(calls), new Set(['1']));
  await turnClock(reader.page);
  calls.length = 0;
  await Promise.all([asked(/leaderboard/), add('nobody is')]);
  assert.deepEqual(new Set(calls), new Set(['unattended']));
  await reader.page.mouse.move(10, 10);
  await reader.page.mouse.move(20, 20);
  calls.length = 0;
  await Promise.all([asked(/leaderboard/), add('somebody is again')]);
  assert.ok(calls.includes('1'));
  await turnClock(reader.page);
  // Its last use may still have to be stored, so it is set back until the session has ended.
  const ended = reader.page.getByLabel('Key').waitFor();
  const before = Date.now() - 13 * 3_600_000;
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await service.database.exec(`UPDATE sessions SET last_used_at = ${before}`);
    await Promise.race([ended, reader.page.waitForTimeout(250)]);
  }
  await reader.sees('Your session has ended.');
  await reader.page.context().close();
});
