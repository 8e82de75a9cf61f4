import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Locator } from 'playwright-core';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { ALICE, hostileRealm } from './hostile-realm.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();
before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

async function at(view: string): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(ROOT_KEY);
  await reader.visits(`/realms/acme${view}`);
  return reader;
}

const isFocused = (reader: Reader, element: Locator): Promise<void> =>
  element.and(reader.page.locator(':focus')).waitFor();

browse('the focus comes back to where it was', async () => {
  const reader = await at('/members');
  const { page } = reader;
  const keys = page.keyboard;
  const alice = page.getByRole('link', { name: 'Alice' });
  await alice.press('Enter');
  await isFocused(reader, page.getByRole('complementary', { name: 'Alice' }));
  const more = page.getByRole('button', { name: 'More actions' });
  await more.press('Enter');
  await isFocused(reader, page.getByRole('menuitem', { name: 'Set aside' }));
  await keys.press('ArrowUp');
  await isFocused(reader, page.getByRole('menuitem', { name: 'Remove' }));
  await keys.press('Escape');
  await isFocused(reader, more);
  await more.press('Enter');
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await isFocused(reader, reader.dialog.getByLabel('Name', { exact: true }));
  await keys.press('Escape');
  await isFocused(reader, more);
  await keys.press('Escape');
  await isFocused(reader, alice);
  const leaderboard = page.getByRole('link', { name: 'Leaderboard' }).first();
  await leaderboard.press('Enter');
  await page.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  await isFocused(reader, leaderboard);
  await reader.leave();
});

browse('points are given without a mouse', async () => {
  const reader = await at(`/members/${ALICE}`);
  const { page, dialog } = reader;
  const keys = page.keyboard;
  await page.getByRole('button', { name: 'Give' }).press('Enter');
  await isFocused(reader, dialog.getByRole('combobox', { name: 'To' }));
  // Without waiting for those who are found.
  await keys.type('person');
  await keys.press('Enter');
  await dialog.getByRole('button', { name: 'Choose another' }).waitFor();
  await inEveryLook(reader, 'a picked member', 'dialog[open]');
  await keys.press('Tab');
  await keys.press('Enter');
  await isFocused(reader, dialog.getByRole('combobox', { name: 'To' }));
  await dialog.getByRole('option').nth(1).waitFor();
  await inEveryLook(reader, 'members who are found', 'dialog[open]');
  await keys.press('ArrowDown');
  await keys.press('Enter');
  await keys.press('Tab');
  await keys.press('Tab');
  await keys.type('7');
  await keys.press('Enter');
  await reader.sees('Alice gave 7 points to Person 2');
  await isFocused(reader, page.getByRole('button', { name: 'Give' }));
  await reader.leave();
});

browse('columns are switched on and off in a menu that stays open', async () => {
  const reader = await at('/members');
  await reader.press('Columns');
  const wallets = reader.page.getByRole('menuitemcheckbox', { name: 'Wallets' });
  assert.equal(await wallets.getAttribute('aria-checked'), 'true');
  await wallets.click();
  await reader.page.getByRole('menuitemcheckbox', { name: 'Wallets', checked: false }).waitFor();
  assert.equal(await reader.page.getByRole('columnheader', { name: 'Wallets' }).count(), 0);
  await reader.leave();
});

browse('whoever has scrolled in a statement stays there while points arrive', async () => {
  const realm = await service.realm('busy');
  await realm.member(ALICE);
  const entries = Array.from({ length: 180 }, (_, index) => ({
    memberId: ALICE,
    tokens: index + 1,
  }));
  await realm.expect(200, 'PATCH', '/members/tokenBalance', { body: { entries } });
  const reader = await at('');
  await reader.visits(`/realms/busy/members/${ALICE}`);
  const statement = reader.page.getByRole('table', { name: 'Statement' });
  const first = statement.getByRole('row', { name: /\+1 / });
  // Pages are loaded as one scrolls.
  while ((await first.count()) === 0) {
    await reader.page.mouse.move(1_200, 600);
    await reader.page.mouse.wheel(0, 2_000);
  }
  await first.scrollIntoViewIfNeeded();
  const [before_, rows] = await place();
  assert.ok(Math.abs(rows - 180) < 1, `${rows} rows fit into the table`);
  await realm.expect(200, 'PATCH', `/members/${ALICE}/tokenBalance`, { body: { tokens: 9_000 } });
  await reader.page.locator('.panel .big', { hasText: '25,290' }).waitFor();
  await reader.page.waitForFunction(`${ROWS} > 180.5`);
  const [after_] = await place();
  assert.ok(Math.abs(after_ - before_) < 2, `the row moved from ${before_} to ${after_}`);
  await reader.leave();

  async function place(): Promise<[number, number]> {
    const box = await first.boundingBox();
    return [box?.y ?? Number.NaN, await reader.page.evaluate<number>(ROWS)];
  }
});

/** How many rows fit into the statement, with those that are left out. */
const ROWS = `(() => {
  const body = document.querySelector('[aria-label=Statement] tbody');
  const row = body.querySelector('tr:not(.spacer)');
  return body.getBoundingClientRect().height / row.getBoundingClientRect().height;
})()`;
