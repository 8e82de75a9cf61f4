import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function signedIn(key = ROOT_KEY): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(key);
  return reader;
}

/** Another client adds points, and the reader sees it in the feed on the page. */
async function addsVisibly(reader: Reader, realm: TestRealm, description: string): Promise<void> {
  const body = { tokens: 1, description };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body });
  await reader.sees(description);
}

const enrols = (realm: TestRealm, count: number) =>
  realm.expect(200, 'POST', '/members/batch', {
    body: { members: Array.from({ length: count }, () => ({})) },
  });

browse('what is asked for arrives, however often something happens meanwhile', async () => {
  const realm = await service.realm('busy');
  await realm.member('1', 5);
  const reader = await signedIn();
  await reader.opens('/realms/busy');
  await reader.sees('Most active this month');
  const slow = Promise.withResolvers<void>();
  let held = 0;
  let aborted = 0;
  reader.page.on('requestfailed', (request) => {
    if (/leaderboard/.test(request.url())) aborted += 1;
  });
  await reader.page.route(/leaderboard/, async (route) => {
    held += 1;
    await slow.promise;
    await route.continue();
  });
  for (const news of ['first', 'second', 'third']) await addsVisibly(reader, realm, news);
  assert.equal(held, 1, 'the answer on its way is waited for');
  slow.resolve();
  const board = reader.page.getByRole('table', { name: 'Most active this month' });
  await board.getByRole('cell', { name: '8', exact: true }).waitFor();
  assert.equal(aborted, 0);
  await reader.leave();
});

browse('rows stay under their own headings until the next answer is there', async () => {
  const realm = await service.realm('board');
  await realm.member('1', 50, { displayName: 'Ann' });
  const reader = await signedIn();
  await reader.opens('/realms/board/leaderboard');
  const slow = Promise.withResolvers<void>();
  await reader.page.route(/leaderboard/, async (route) => {
    await slow.promise;
    await route.continue();
  });
  await reader.page.getByText('Week', { exact: true }).click();
  const board = reader.page.getByRole('table', { name: 'Leaderboard' });
  await board.and(reader.page.locator('[aria-busy=true]')).waitFor();
  const headings = board.getByRole('columnheader');
  assert.deepEqual(await headings.allTextContents(), ['Rank', 'Name', 'Balance']);
  slow.resolve();
  await headings.filter({ hasText: 'Earned' }).waitFor();
  await board.and(reader.page.locator('[aria-busy=false]')).waitFor();
  await reader.leave();
});

browse('“new” counts who joined while the list is open, not what came before', async () => {
  const realm = await service.realm('joined');
  await realm.member('1', 5, { displayName: 'First' });
  const reader = await signedIn();
  await reader.opens('/realms/joined');
  await enrols(realm, 30);
  await reader.page.getByLabel('Members').getByText('31', { exact: true }).waitFor();
  await reader.page.getByRole('link', { name: 'Members', exact: true }).first().click();
  await reader.page.getByRole('link', { name: 'First' }).waitFor();
  await enrols(realm, 2);
  await reader.page
    .getByRole('button', { name: /new$/ })
    .getByText('2 new', { exact: true })
    .waitFor();
  await reader.press('2 new');
  await reader.page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
  // Whom one enrols oneself is in the list, and not new.
  await reader.press('Enrol');
  await reader.answer({ Id: '77', Name: 'Seventy-seven' }, 'Enrol');
  await reader.page.getByRole('table').getByRole('link', { name: 'Seventy-seven' }).waitFor();
  await realm.expect(200, 'PATCH', '/members/77/tokenBalance', { body: { tokens: 707 } });
  await reader.page.getByRole('cell', { name: '707' }).waitFor();
  assert.equal(await reader.page.getByRole('button', { name: /new$/ }).count(), 0);
  await reader.opens('/realms/joined/members?search=seventy');
  await enrols(realm, 1);
  await realm.expect(200, 'PATCH', '/members/77/tokenBalance', { body: { tokens: 1 } });
  await reader.page.getByRole('cell', { name: '708' }).waitFor();
  assert.equal(await reader.page.getByRole('button', { name: /new$/ }).count(), 0);
  await reader.leave();
});

browse('who joined is shown first in a list that is not loaded as a whole', async () => {
  const realm = await service.realm('crowd');
  await enrols(realm, 250);
  const reader = await signedIn();
  await reader.opens('/realms/crowd/members');
  await realm.expect(201, 'POST', '/members', { body: { displayName: 'Newcomer' } });
  await reader.press('1 new');
  const rows = reader.page.getByRole('table', { name: 'Members' }).getByRole('link');
  await rows.first().filter({ hasText: 'Newcomer' }).waitFor();
  await reader.leave();
});

browse('whom another client removes leaves the list, and gets nothing any more', async () => {
  const realm = await service.realm('removed');
  for (const name of ['Ann', 'Ben', 'Cid']) {
    await realm.expect(201, 'POST', '/members', { body: { displayName: name } });
  }
  const reader = await signedIn();
  await reader.opens('/realms/removed/members/2');
  const panel = reader.page.getByRole('complementary', { name: 'Ben' });
  await panel.getByRole('button', { name: 'Add points' }).waitFor();
  await realm.expect(204, 'DELETE', '/members/2');
  const rows = reader.page.getByRole('table', { name: 'Members' }).getByRole('link');
  await rows.filter({ hasText: 'Ben' }).waitFor({ state: 'detached' });
  await panel.getByRole('alert').waitFor();
  assert.equal(await panel.getByRole('button', { name: 'Add points' }).count(), 0);
  assert.deepEqual(await rows.allTextContents(), ['Ann', 'Cid']);
  await reader.leave();
});

browse('the feed stays as it is under the pointer, and has no gaps afterwards', async () => {
  const realm = await service.realm('feed');
  await enrols(realm, 100);
  const reader = await signedIn();
  await reader.opens('/realms/feed/activity');
  const records = reader.page.locator('.feed a.row-link');
  const seqs = async (): Promise<number[]> =>
    (
      await records.evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
    ).map((href) => Number(/activity\/(\d+)/.exec(href)?.[1]));
  await records.first().hover();
  const [newest = 0] = await seqs();
  await enrols(realm, 700);
  await reader.page.getByRole('button', { name: '500+ new' }).waitFor();
  const held = await seqs();
  assert.equal(held[0], newest);
  assert.ok(held.length >= 60, `${held.length} rows are left`);
  await reader.press('500+ new');
  await reader.page.mouse.move(0, 0);
  const oldest = reader.page.locator('.feed a.row-link[href$="/activity/1"]');
  while ((await oldest.count()) === 0) {
    const count = await records.count();
    await records.last().scrollIntoViewIfNeeded();
    await records.nth(count).waitFor();
  }
  const all = await seqs();
  assert.deepEqual(
    all,
    all.map((_, index) => all.length - index),
  );
  assert.equal(all[0], newest + 700);
  await reader.leave();
});

/** As if another tab were chosen, and then this one again. */
const hide = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

browse('a hidden tab has no connection open, and catches up when it is seen', async () => {
  const realm = await service.realm('hidden');
  await realm.member('1', 5, { displayName: 'Ann' });
  const reader = await signedIn();
  await reader.opens('/realms/hidden/members');
  const { page } = reader;
  const balanceIs = (balance: string) => page.getByRole('cell', { name: balance }).waitFor();
  const adds = (tokens: number) =>
    realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens } });
  const hides = async (): Promise<void> => {
    const isStream = (request: Request) => /\/events\?/.test(request.url());
    await Promise.all([page.waitForEvent('requestfailed', isStream), hide(page, true)]);
  };
  await adds(100);
  await balanceIs('105');
  await hides();
  await adds(100);
  await hide(page, false);
  await balanceIs('205');
  await hides();
  // More happens than is told one by one.
  await adds(100);
  await enrols(realm, 600);
  await hide(page, false);
  await balanceIs('305');
  await adds(100);
  await balanceIs('405');
  await reader.leave();
});

browse('a search for rare events pauses, and goes on when it is told to', async () => {
  const realm = await service.realm('rare');
  await enrols(realm, 6_000);
  const reader = await signedIn();
  let calls = 0;
  reader.page.on('request', (request) => {
    if (/\/events\?.*types=/.test(request.url())) calls += 1;
  });
  await reader.opens('/realms/rare/activity?group=setup');
  const further = reader.page.getByRole('button', { name: 'Look further' });
  await further.waitFor();
  assert.equal(calls, 10);
  await further.click();
  await reader.sees('The realm was created');
  assert.equal(calls, 12);
  assert.equal(await reader.page.getByText('Looked back').count(), 0);
  await reader.leave();
});

for (const [how, status] of [
  ['without an answer', null],
  ['behind a proxy', 502],
] as const) {
  browse(`opened while the service is away, ${how}, the console waits for it`, async () => {
    const reader = await signedIn();
    await reader.page.route(/\/api\//, (route) =>
      status === null ? route.abort() : route.fulfill({ status, body: 'Bad gateway' }),
    );
    await reader.goto('/realms');
    await reader.sees('The service does not answer');
    assert.equal(await reader.page.getByLabel('Key').count(), 0);
    await reader.page.unroute(/\/api\//);
    await reader.isIn();
    await reader.page.context().close();
  });
}

browse('an open view notices that the service behind a proxy goes away and returns', async () => {
  const realm = await service.realm('proxied');
  await realm.member('1', 5);
  const reader = await signedIn();
  await reader.opens('/realms/proxied');
  await addsVisibly(reader, realm, 'before');
  const badGateway = { status: 502, body: 'Bad gateway' };
  await reader.page.route(/\/api\//, (route) => route.fulfill(badGateway));
  // What changes is asked for again, and so the proxy answers.
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens: 1 } });
  const notice = reader.page.getByText('The service cannot be reached.');
  await notice.waitFor();
  await reader.page.unroute(/\/api\//);
  await notice.waitFor({ state: 'detached' });
  await addsVisibly(reader, realm, 'after');
  assert.equal(await reader.page.getByRole('button', { name: 'Try again' }).count(), 0);
  await reader.page.context().close();
});

browse('who cannot be signed out is told so, and then is', async () => {
  const reader = await signedIn();
  const current = async () => (await service.expect(200, 'GET', '/api/v4/sessions')).json.items;
  const before: unknown[] = await current();
  await reader.opens('/sessions');
  await reader.page.context().setOffline(true);
  await reader.press('Sign out');
  await reader.sees('You are still signed in.');
  await reader.isIn();
  await reader.page.context().setOffline(false);
  await reader.press('Sign out');
  await reader.page.getByLabel('Key').waitFor();
  assert.equal(await reader.page.getByText('You are still signed in.').count(), 0);
  assert.equal((await current()).length, before.length - 1);
  await reader.page.context().close();
});

const openSessions = async (): Promise<number> =>
  (await service.expect(200, 'GET', '/api/v4/sessions')).json.items.length;

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
  assert.equal(await openSessions(), before);
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
