import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { balanceIs } from './day.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (key = ROOT_KEY): Promise<Reader> => Reader.signedIn(browser(), service.url, key);

/** Another client adds points, and the reader sees it on the page. */
async function addsVisibly(reader: Reader, realm: TestRealm, description: string): Promise<void> {
  const body = { tokens: 1, description };
  await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body });
  await reader.sees(description);
}

async function enrols(realm: TestRealm, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000) {
    const members = Array.from({ length: Math.min(left, 1_000) }, () => ({}));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  }
}

browse('what is asked for arrives, however often something happens meanwhile', async () => {
  const realm = await service.realm('busy');
  await realm.member('1', 5);
  const reader = await signedIn();
  await reader.opens('/realms/busy');
  await reader.sees('Top earners this month');
  const asked = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  let held = 0;
  let aborted = 0;
  reader.page.on('requestfailed', (request) => {
    if (/leaderboard/.test(request.url())) aborted += 1;
  });
  await reader.page.route(/leaderboard/, async (route) => {
    held += 1;
    asked.resolve();
    await slow.promise;
    await route.continue();
  });
  for (const news of ['first', 'second', 'third']) await addsVisibly(reader, realm, news);
  await asked.promise;
  assert.equal(held, 1, 'the answer on its way is waited for');
  slow.resolve();
  const board = reader.page.getByRole('table', { name: 'Top earners this month' });
  await board.getByRole('cell', { name: '8', exact: true }).waitFor();
  assert.equal(aborted, 0);
  await reader.leave();
});

browse('a change in doubt keeps what it said, though its points are seen already', async () => {
  const realm = await service.realm('doubt');
  await realm.member('1', 450, { displayName: 'Ann' });
  const reader = await signedIn();
  const { page, dialog } = reader;
  await reader.opens('/realms/doubt/members/1');
  const loses = () =>
    page.route(/tokenBalance$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
  await loses();
  await reader.press('Take points');
  await reader.answer({ Points: '300' }, 'Take points');
  await balanceIs(reader, '150');
  await reader.sees(/Press the button again: it is done only once/);
  await dialog.getByText('Ann: 450 → 150 points').waitFor();
  await page.unroute(/tokenBalance$/);
  await reader.answer({}, 'Take points');
  await reader.sees('300 points taken from Ann');
  assert.equal(await realm.balance('1'), 150);
  // Another amount is another change.
  await loses();
  await reader.press('Add points');
  await reader.answer({ Points: '5' }, 'Add points');
  await balanceIs(reader, '155');
  await reader.sees(/Press the button again/);
  await dialog.getByLabel('Points', { exact: true }).fill('6');
  await dialog.getByText('Ann: 155 → 161 points').waitFor();
  await dialog.getByText(/may have been done. Look before you repeat it/).waitFor();
  // The browser has reported the lost answers.
  await page.context().close();
});

browse('the activity stays as it is under the pointer, and has no gaps afterwards', async () => {
  const realm = await service.realm('stays');
  await enrols(realm, 100);
  const reader = await signedIn();
  await reader.opens('/realms/stays/activity');
  const records = reader.page.locator('.events a.row-link');
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
  const oldest = reader.page.locator('.events a.row-link[href$="/activity/1"]');
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
  const balanceIs = (balance: string) =>
    page.getByRole('cell', { name: balance, exact: true }).waitFor();
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

browse('events of a rare type are there at once, however far back', async () => {
  const realm = await service.realm('rare');
  await enrols(realm, 6_000);
  const reader = await signedIn();
  let calls = 0;
  reader.page.on('request', (request) => {
    if (/\/events\?.*types=/.test(request.url())) calls += 1;
  });
  await reader.opens('/realms/rare/activity?group=setup');
  await reader.sees('The realm was created');
  assert.equal(calls, 1);
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
  await reader.page
    .getByRole('button', { name: 'Try again' })
    .first()
    .waitFor({ state: 'detached' });
  await reader.page.context().close();
});

browse('while the service is away, views and panels show what they last knew', async () => {
  const realm = await service.realm('away');
  await realm.member('1', 41, { displayName: 'Ann' });
  await realm.member('2', 43, { displayName: 'Ben' });
  const reader = await signedIn();
  const { page } = reader;
  const goes = async (view: string): Promise<void> => {
    await page.getByRole('link', { name: view, exact: true }).first().click();
    await page.getByRole('heading', { name: view, exact: true }).waitFor();
  };
  await reader.opens('/realms/away/members/1');
  await balanceIs(reader, '41');
  await page.getByRole('table', { name: 'Statement' }).getByText('+41').waitFor();
  await page.keyboard.press('Escape');
  await goes('Leaderboard');
  await page.getByRole('cell', { name: '43' }).waitFor();
  await page.context().setOffline(true);
  await goes('Members');
  await page.getByText('The service cannot be reached.').waitFor();
  await page.getByRole('link', { name: 'Ann' }).click();
  await balanceIs(reader, '41');
  await page.getByRole('table', { name: 'Statement' }).getByText('+41').waitFor();
  // Who was not opened before is known by the list.
  await page.getByRole('link', { name: 'Ben' }).click();
  await balanceIs(reader, '43');
  await goes('Leaderboard');
  await page.getByRole('cell', { name: '43' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
  // The browser has reported the calls that failed.
  await page.context().close();
});
