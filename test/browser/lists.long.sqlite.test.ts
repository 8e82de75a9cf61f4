import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (key = ROOT_KEY): Promise<Reader> => Reader.signedIn(browser(), service.url, key);

async function enrols(realm: TestRealm, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000) {
    const members = Array.from({ length: Math.min(left, 1_000) }, () => ({}));
    await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  }
}

browse('a page that failed is asked for again below the list', async () => {
  const realm = await service.realm('failed');
  const members = Array.from({ length: 150 }, (_, index) => ({ displayName: `Person ${index}` }));
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  const reader = await signedIn();
  const secondPage = /members\?.*cursor=/;
  await reader.page.route(secondPage, (route) => route.fulfill({ status: 500, body: 'Oops' }));
  await reader.goto('/realms/failed/members');
  await reader.page.getByRole('link', { name: 'Person 99', exact: true }).scrollIntoViewIfNeeded();
  await reader.page.getByRole('button', { name: 'Try again' }).waitFor();
  await reader.page.unroute(secondPage);
  await reader.press('Try again');
  await reader.page.getByRole('link', { name: 'Person 149', exact: true }).waitFor();
  // The browser has reported the failure.
  await reader.page.context().close();
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

browse('a past leaderboard is told under its own name alone', async () => {
  const realm = await service.realm('then');
  await realm.member('1', 50, { displayName: 'Ann' });
  const reader = await signedIn();
  const { page } = reader;
  await page.route(/realms\/then$/, async (route) => {
    const json = { ...(await (await route.fetch()).json()), createdAt: '2026-01-05T00:00:00.000Z' };
    await route.fulfill({ json });
  });
  await reader.opens('/realms/then/leaderboard?window=month');
  const slow = Promise.withResolvers<void>();
  await page.route(/leaderboard\?.*at=/, async (route) => {
    await slow.promise;
    await route.continue();
  });
  await page.getByLabel('Period').selectOption('2026-01-01');
  const copy = page.getByRole('button', { name: 'Copy for Discord' });
  await copy.and(page.locator('[aria-disabled=true]')).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Export the/ }).count(), 0);
  slow.resolve();
  await reader.sees('Nobody earned points then');
  assert.equal(await copy.count(), 0);
  await page.getByLabel('Period').selectOption('');
  await copy.and(page.locator('[aria-disabled=false]')).waitFor();
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
  await reader.press('Add member');
  await reader.answer({ Id: '77', Name: 'Seventy-seven' }, 'Add member');
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
  await panel.getByRole('button', { name: 'Add points' }).waitFor({ state: 'detached' });
  assert.deepEqual(await rows.allTextContents(), ['Ann', 'Cid']);
  await reader.leave();
});

/** Pages are loaded as one scrolls. */
async function scrollsTo({ page }: Reader, top: number): Promise<void> {
  const toEnd = (): Promise<number> =>
    page.evaluate('scrollTo(0, document.body.scrollHeight), scrollY');
  await eventually(toEnd, (end) => end > top + 1_000);
  await page.evaluate(`scrollTo(0, ${top})`);
}

/** Goes elsewhere by a link, and back: what was in sight is in the same place again. */
async function comesBack(reader: Reader, view: string, inSight: Locator): Promise<void> {
  const { page } = reader;
  const place = async (): Promise<number> => (await inSight.boundingBox())?.y ?? Number.NaN;
  await inSight.waitFor();
  const was = await place();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  assert.equal(await page.evaluate('scrollY'), 0);
  await page.goBack();
  await page.getByRole('heading', { name: view, exact: true }).waitFor();
  await eventually(place, (is) => Math.abs(is - was) < 2);
}

browse('Back returns to the place in a long list, and a link to its beginning', async () => {
  const realm = await service.realm('deep');
  const members = Array.from({ length: 500 }, (_, index) => ({ displayName: `Person ${index}` }));
  await realm.expect(200, 'POST', '/members/batch', { body: { members } });
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/deep/members');
  await scrollsTo(reader, 12_000);
  const person = page.getByRole('link', { name: 'Person 305', exact: true });
  await comesBack(reader, 'Members', person);
  // Also from behind a panel, and with what has changed meanwhile.
  await person.click();
  await page.getByRole('complementary', { name: 'Person 305' }).waitFor();
  await comesBack(reader, 'Members', person);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await realm.expect(200, 'PATCH', '/members/306/tokenBalance', { body: { tokens: 4_321 } });
  await page.goBack();
  await page.getByRole('row', { name: /Person 305.*4,321/ }).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Members', exact: true }).first().click();
  await page.getByRole('link', { name: 'Person 0', exact: true }).waitFor();
  assert.equal(await page.evaluate('scrollY'), 0);
  await reader.leave();
});

browse(
  'the activity of a frozen member is found, and nobody who is typed is passed over',
  async () => {
    const realm = await service.realm('frozen');
    for (const id of ['1', '2']) await realm.member(id, 5, { displayName: `Person ${id}` });
    await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'frozen' } });
    const reader = await signedIn();
    await reader.opens('/realms/frozen/activity');
    await reader.press('Filter');
    const show = reader.dialog.getByRole('button', { name: 'Show', exact: true });
    await reader.dialog.getByLabel('Member', { exact: true }).fill('Person 2');
    assert.ok(await show.isDisabled());
    await reader.dialog.getByRole('option', { name: 'Person 2' }).click();
    await show.click();
    await reader.page.waitForURL(/member=2/);
    await reader.leave();
  },
);

browse('Back returns to the place in the activity, and what came since waits', async () => {
  const realm = await service.realm('past');
  await enrols(realm, 500);
  const reader = await signedIn();
  const { page } = reader;
  await reader.opens('/realms/past/activity');
  await scrollsTo(reader, 8_000);
  const record = page.locator('a.row-link[href$="/activity/300"]');
  await comesBack(reader, 'Activity', record);
  await enrols(realm, 3);
  await page.getByRole('button', { name: '3 new' }).waitFor();
  await comesBack(reader, 'Activity', record);
  await page.getByRole('button', { name: '3 new' }).waitFor();
  await reader.leave();
});

/** So many frames later, what a page would do by itself has begun. */
const frames = ({ page }: Reader, count: number): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const wait = (left) => left === 0 ? resolve() : requestAnimationFrame(() => wait(left - 1));
    wait(${count});
  })`);

browse('End once goes to the end of what is loaded, and the list stays there', async () => {
  const realm = await service.realm('endless');
  await enrols(realm, 3_000);
  const reader = await signedIn();
  const { page } = reader;
  const place = (): Promise<number> => page.evaluate('scrollY');
  const height = (): Promise<number> => page.evaluate('document.body.scrollHeight');
  let slow = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(/members\?.*cursor=/, async (route) => {
    calls += 1;
    await slow.promise;
    await route.continue();
  });
  await reader.opens('/realms/endless/members');
  // The second time the list is so long that only the rows in sight are in the page.
  for (const pages of [1, 2, 3]) {
    await page.keyboard.press('End');
    await eventually(
      async () => calls,
      (is) => is === pages,
    );
    const [was, short] = [await eventually(place, (is) => is > pages * 3_000), await height()];
    slow.resolve();
    await eventually(height, (is) => is > short + 3_000);
    await frames(reader, 40);
    assert.ok(Math.abs((await place()) - was) < 2, `from ${was} to ${await place()}`);
    assert.equal(calls, pages);
    slow = Promise.withResolvers();
  }
  await reader.leave();
});
