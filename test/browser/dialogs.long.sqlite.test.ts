import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

/** What a key does in a dialog, and what a dialog says when the world has changed. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (): Promise<Reader> => Reader.signedIn(browser(), service.url, ROOT_KEY);

const isFocused = ({ page }: Reader, element: Locator): Promise<void> =>
  element.and(page.locator(':focus')).waitFor();

browse('Enter does what the button says, unless that takes something away', async () => {
  const realm = await service.realm('enter');
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  await realm.member('1', 50, { displayName: 'Ann', wallets: [wallet] });
  await realm.expect(201, 'POST', '/members/1/holds', { body: { tokens: 5 } });
  await realm.issueKey(['read'], { name: 'Their bot' });
  const reader = await signedIn();
  const { page, dialog } = reader;
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  const status = async () => (await realm.expect(200, 'GET', '/members/1')).json.status;
  await reader.opens('/realms/enter/members/1');
  await reader.choose('More actions', 'Freeze');
  await isFocused(reader, button('Freeze'));
  await page.keyboard.press('Enter');
  await reader.sees('Ann frozen');
  assert.equal(await status(), 'frozen');
  await reader.press('Unfreeze');
  await isFocused(reader, button('Unfreeze'));
  await page.keyboard.press('Enter');
  await reader.sees('Ann unfrozen');
  await page.getByRole('button', { name: 'Add points' }).waitFor();
  // These begin with Cancel, and so does the amount that is there already.
  await reader.choose('More actions', 'Remove from the realm');
  await isFocused(reader, button('Cancel'));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  for (const [tab, action] of [
    ['holds', 'Capture'],
    ['wallets', 'Unlink'],
  ] as const) {
    await reader.opens(`/realms/enter/members/1?tab=${tab}`);
    await page.getByRole('tabpanel').getByRole('button', { name: action }).click();
    await isFocused(reader, button('Cancel'));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  }
  await reader.opens('/realms/enter/keys');
  await reader.choose('Actions for Their bot', 'Revoke');
  await isFocused(reader, button('Cancel'));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const member = (await realm.expect(200, 'GET', '/members/1')).json;
  assert.deepEqual([member.tokenBalance, member.held.points, member.wallets], [50, 5, [wallet]]);
  assert.equal((await realm.expect(200, 'GET', '/keys')).json.items.length, 2);
  // Nothing is typed yet, so nothing can be done: one begins with the field.
  await reader.opens('/realms/enter/members/1');
  await reader.press('Take points');
  await isFocused(reader, dialog.getByLabel('Points', { exact: true }));
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await reader.sees('7 points taken from Ann');
  await reader.leave();
});

browse('nothing is promised to who was frozen meanwhile', async () => {
  const realm = await service.realm('meanwhile');
  await realm.member('1', 50, { displayName: 'Ann' });
  await realm.member('2', 0, { displayName: 'Ben' });
  const freeze = (id: string, status: string) =>
    realm.expect(200, 'PATCH', `/members/${id}`, { body: { status } });
  const reader = await signedIn();
  const { page, dialog } = reader;
  await reader.opens('/realms/meanwhile/members/1');
  await reader.press('Add points');
  await dialog.getByLabel('Points', { exact: true }).fill('5');
  const promise = dialog.getByText('Ann: 50 → 55 points');
  await promise.waitFor();
  await freeze('1', 'frozen');
  await dialog.getByText('The member is frozen: no points move in or out.').waitFor();
  assert.equal(await promise.count(), 0);
  await dialog.getByRole('button', { name: 'Add points', disabled: true }).waitFor();
  await freeze('1', 'active');
  await promise.waitFor();
  await reader.press('Cancel');
  // Of the other side one learns by the refusal.
  await reader.press('Give');
  await dialog.getByLabel('To', { exact: true }).fill('ben');
  await dialog.getByRole('option', { name: /Ben/ }).click();
  await dialog.getByLabel('Points', { exact: true }).fill('5');
  const gift = dialog.getByText('Ben: 0 → 5 points');
  await gift.waitFor();
  await freeze('2', 'frozen');
  await dialog.getByRole('button', { name: 'Give', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'frozen' }).waitFor();
  assert.equal(await gift.count(), 0);
  await inEveryLook(reader, 'a refusal without a promise', 'dialog[open]');
  await freeze('2', 'active');
  await dialog.getByLabel('Points', { exact: true }).fill('6');
  await dialog.getByText('Ben: 0 → 6 points').waitFor();
  await page.keyboard.press('Enter');
  await reader.sees('Ann gave 6 points to Ben');
  // What opened the dialog is gone: the focus is not.
  await reader.press('Add points');
  await dialog.getByLabel('Points', { exact: true }).fill('5');
  await freeze('1', 'frozen');
  await dialog.getByText('The member is frozen').waitFor();
  await page.keyboard.press('Escape');
  await isFocused(reader, page.locator('.panel'));
  await reader.leave();
});
