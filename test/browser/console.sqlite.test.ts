import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Locator } from 'playwright-core';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { balanceIs } from './day.ts';
import { ALICE, hostileRealm } from './hostile-realm.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';
import { actionsIn, VIEWS } from './views.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

async function signedIn(key: string): Promise<Reader> {
  const reader = await Reader.open(browser(), service.url);
  await reader.signIn(key);
  return reader;
}

before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

browse('a refusal is shown at its field, and changes nothing', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto(`/realms/acme/members/${ALICE}`);
  await reader.press('Take points');
  await reader.answer({ Points: '5', Reason: 'x'.repeat(501) }, 'Take points');
  await reader.dialog.getByRole('alert').getByText('at most 500 characters').waitFor();
  const field = reader.dialog.getByLabel('Reason', { exact: true });
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await field.and(reader.page.locator(':focus')).waitFor();
  await inEveryLook(reader, 'a refusal', 'dialog[open]');
  await reader.press('Cancel');
  await balanceIs(reader, '1,250');
  await reader.leave();
});

browse('one box finds members by name, id and anything else', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto('/realms/acme/members');
  const rows = reader.page.getByRole('table', { name: 'Members' }).getByRole('link');
  await rows.first().waitFor();
  // Without a pause: what was searched before must not come back into the box.
  for (const typed of ['ali', ALICE, 'discord:7', 'per']) {
    await reader.page.getByRole('searchbox').fill(typed);
  }
  // The address can be shared.
  await reader.page.waitForURL(/search=per$/);
  await rows.filter({ hasText: 'Person 2' }).waitFor();
  assert.equal(await reader.page.getByRole('searchbox').inputValue(), 'per');
  await reader.press('Name');
  await rows.first().filter({ hasText: 'Person 1' }).waitFor();
  await reader.press('Points');
  await rows.first().filter({ hasText: 'Person 3' }).waitFor();
  await reader.page.getByRole('searchbox').fill('discord:7');
  await rows.filter({ hasText: 'Alice' }).waitFor();
  await reader.leave();
});

browse('a key sees the views that it may use, and no others', async () => {
  const realm = await service.realm('keys');
  const opened = {
    write: [...VIEWS.write],
    admin: [...VIEWS.write, ...VIEWS.admin],
  };
  for (const [scope, open] of Object.entries(opened)) {
    const reader = await signedIn(await realm.issueKey([scope]));
    for (const view of ['/realms', ...VIEWS.write, ...VIEWS.admin]) {
      await reader.visits(view === '/realms' ? view : `/realms/keys${view}`);
      const isClosed = await reader.page.getByText('There is nothing at this address').count();
      assert.equal(isClosed === 0, open.includes(view), `${scope} at ${view}`);
    }
    await reader.visits('/realms/keys/settings');
    assert.deepEqual(await actionsIn(reader), scope === 'admin' ? ['Save'] : []);
    await reader.leave();
  }
});

browse('while the service is away a bar says so, and then all comes back', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto('/realms/acme');
  await reader.sees('Issued and spent');
  await reader.page.context().setOffline(true);
  await reader.page.getByRole('link', { name: 'Members', exact: true }).first().click();
  const notice = reader.page.getByText('The service cannot be reached.');
  await notice.locator('time').waitFor();
  await reader.page.context().setOffline(false);
  await reader.page.locator('tbody').getByRole('link').first().waitFor();
  assert.equal(await notice.count(), 0);
  await reader.page.context().close();
});

async function at(view: string): Promise<Reader> {
  const reader = await signedIn(ROOT_KEY);
  await reader.visits(view);
  return reader;
}

const isFocused = (reader: Reader, element: Locator): Promise<void> =>
  element.and(reader.page.locator(':focus')).waitFor();

browse('points are given without a mouse', async () => {
  const reader = await at(`/realms/acme/members/${ALICE}`);
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
