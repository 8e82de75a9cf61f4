import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { launchChromium, withoutChromium } from './chromium.ts';
import { ALICE, BOB, balanceIs, ManagersDay } from './day.ts';
import { HOSTILE, Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });

const VIEWS = [
  '',
  '/members',
  `/members/${ALICE}`,
  `/members/${ALICE}?tab=holds`,
  `/members/${ALICE}?tab=wallets`,
  `/members/${ALICE}?tab=details`,
  '/activity',
  '/activity/1',
  '/leaderboard',
  '/wallets',
  '/points',
  '/settings',
];
const WRITING = ['/import'];
const ADMINISTERING = ['/keys', '/webhooks', '/integrity'];

const DESKTOP: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
};
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

let browser: Browser;

async function signedIn(key: string, options = DESKTOP): Promise<Reader> {
  const reader = await Reader.open(browser, service.url, options);
  await reader.signIn(key);
  return reader;
}

/** A test that needs a browser. */
const browse = (name: string, run: () => Promise<void>) =>
  test(name, { skip: withoutChromium }, run);

before(async () => {
  if (withoutChromium) return;
  browser = await launchChromium();
  await fill();
});
after(() => browser?.close());

browse('a manager’s day on a phone, in the dark, by a key', async () => {
  const reader = await Reader.open(browser, service.url, PHONE);
  await reader.canUseEverything('sign-in');
  await reader.signIn(ROOT_KEY);
  await ManagersDay.of(reader, service, 'Phone', 500);
});

browse('a refusal is shown at its field, and changes nothing', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto(`/realms/acme/members/${ALICE}`);
  await reader.press('Take points');
  await reader.answer({ Points: '1,000,000' }, 'Take points');
  await reader.dialog.getByRole('alert').getByText('1000000 were requested').waitFor();
  const field = reader.dialog.getByLabel('Points', { exact: true });
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  await reader.canUseEverything('a refusal');
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

browse('the palette does as it is told, however quickly', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto('/realms/acme/members');
  await reader.page.getByRole('searchbox').waitFor();
  await reader.page.keyboard.press('Control+k');
  const palette = reader.page.getByRole('combobox', { name: 'Search' });
  await palette.fill('add 5 to person');
  await reader.page.getByRole('option', { name: 'Add 5 points to Person 1' }).waitFor();
  await palette.fill('add 5 to alice');
  await palette.press('Enter');
  await reader.sees('Alice: 1,250 → 1,255 points');
  await reader.press('Cancel');
  await reader.page.keyboard.press('Control+k');
  await palette.fill('check');
  await palette.press('Enter');
  await reader.page.getByRole('heading', { name: 'Wallet check' }).waitFor();
  await reader.leave();
});

browse('a key that only reads sees everything and can change nothing', async () => {
  const realm = await service.realm('looked-at');
  await realm.member(ALICE, 50, { displayName: 'Alice' });
  await realm.expect(201, 'POST', `/members/${ALICE}/holds`, { body: { tokens: 5 } });
  const reader = await signedIn(await realm.issueKey(['read']));
  for (const view of VIEWS) {
    await reader.opens(`/realms/looked-at${view}`);
    const names = await reader.page.locator('main button, aside button').allTextContents();
    const acts = names.filter((name) => /\b(add|take|give|enrol|save|edit|release)/i.test(name));
    assert.deepEqual(acts, [], view);
    assert.equal(await reader.page.getByRole('button', { name: 'Undo' }).count(), 0);
  }
  for (const view of WRITING) {
    await reader.goto(`/realms/looked-at${view}`);
    await reader.sees('There is nothing at this address');
  }
  for (const name of ['Keys', 'Webhooks', 'Integrity', 'Import']) {
    assert.equal(await reader.page.getByRole('link', { name }).count(), 0);
  }
  await reader.leave();
});

for (const options of [DESKTOP, PHONE]) {
  const { colorScheme, viewport } = options;
  browse(`all can use every view, ${colorScheme}, ${viewport?.width} px`, async () => {
    const reader = await signedIn(ROOT_KEY, options);
    const inRealm = [...VIEWS, ...WRITING, ...ADMINISTERING].map((view) => `/realms/acme${view}`);
    for (const view of ['/realms', '/sessions', ...inRealm]) {
      await reader.opens(view);
      await reader.canUseEverything(view);
      await reader.looksRight(view);
    }
    await reader.leave();
  });
}

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

/** Names of kinds of points have visible characters only. */
const [MARKUP = ''] = HOSTILE.split('\u202e');

/** A realm with something in every view, in which everything is named as an enemy would. */
async function fill(): Promise<TestRealm> {
  const realm = await service.realm('acme');
  await realm.expect(200, 'PATCH', '', { body: { name: HOSTILE } });
  await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: MARKUP, symbol: '◆' } });
  const account = { provider: 'discord', id: '7', username: HOSTILE };
  await realm.member(ALICE, 0, { displayName: 'Alice', accounts: [account] });
  await realm.member(BOB, 10, { displayName: HOSTILE, username: HOSTILE });
  for (const index of [1, 2, 3]) {
    await realm.member(String(index), index, { displayName: `Person ${index}` });
  }
  await realm.expect(200, 'PATCH', `/members/${ALICE}/tokenBalance`, {
    body: { tokens: 1270, description: HOSTILE },
  });
  await realm.expect(200, 'PATCH', `/members/${ALICE}/transfer`, {
    body: { recipientId: BOB, tokens: 20, description: HOSTILE },
  });
  await realm.expect(201, 'POST', `/members/${ALICE}/holds`, {
    body: { tokens: 5, description: HOSTILE },
  });
  const wallet = { body: { address: '0x52908400098527886E0F7030069857D2E4169EE7' } };
  await realm.expect(201, 'POST', `/members/${ALICE}/wallets`, wallet);
  await realm.expect(201, 'POST', '/keys', { body: { name: HOSTILE, scopes: ['read'] } });
  const hook = { url: 'http://127.0.0.1:1/', types: ['realm.archived'], description: HOSTILE };
  await realm.expect(201, 'POST', '/webhooks', { body: hook });
  return realm;
}
