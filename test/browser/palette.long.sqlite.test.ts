import assert from 'node:assert/strict';
import { before } from 'node:test';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { hostileRealm } from './hostile-realm.ts';
import { inEveryLook } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (key: string): Promise<Reader> => Reader.signedIn(browser(), service.url, key);

before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

const isAt = ({ page }: Reader, title: string): Promise<void> =>
  page.getByRole('heading', { name: title, exact: true }).waitFor();

async function types({ page }: Reader, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
}

async function orders(reader: Reader, text: string): Promise<void> {
  await types(reader, text);
  await reader.page.keyboard.press('Enter');
}

browse('the palette does as it is told, however quickly', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto('/realms/acme/members');
  await reader.page.getByRole('searchbox').waitFor();
  await reader.page.keyboard.press('Control+k');
  const palette = reader.page.getByRole('combobox', { name: 'Search' });
  await palette.fill('add 5 to person');
  await reader.page.getByRole('option', { name: 'Add 5 points to Person 1' }).waitFor();
  await inEveryLook(reader, 'the palette', 'dialog[open]');
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

browse('the palette opens what can be done, from wherever one is', async () => {
  const reader = await signedIn(ROOT_KEY);
  await isAt(reader, 'Realms');
  await orders(reader, 'acme');
  await isAt(reader, 'Overview');
  for (const [text, title] of [
    ['enrol', 'Add a member'],
    ['create key', 'Issue a key'],
    ['create webhook', 'Add a webhook'],
    ['new kind', 'Add a point type'],
    ['create realm', 'Create a realm'],
  ] as const) {
    await orders(reader, text);
    await reader.dialog.getByRole('heading', { name: title }).waitFor();
    await reader.press('Cancel');
    await reader.goto('/realms/acme');
    await isAt(reader, 'Overview');
  }
  await orders(reader, 'dark');
  await reader.page.locator('html[data-theme=dark]').waitFor();
  await types(reader, 'add 50 to');
  await reader.sees('Go on like “add 50 to alice”');
  await reader.page.keyboard.press('Escape');
  await orders(reader, 'sessions');
  await isAt(reader, 'Sessions');
  await orders(reader, 'sign out');
  await reader.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await reader.leave();
});

/** Goes there, and presses Ctrl K in the page the moment that its heading is there. */
const pressedAtOnce = (path: string, title: string): string => `new Promise((resolve) => {
  const seen = new MutationObserver(() => {
    if (document.querySelector('h1')?.textContent !== '${title}') return;
    seen.disconnect();
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    resolve();
  });
  seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  history.pushState(null, '', '${path}');
  dispatchEvent(new Event('popstate'));
})`;

browse('the palette opens as soon as a view is there', async () => {
  const reader = await signedIn(ROOT_KEY);
  await reader.goto('/realms/acme');
  await isAt(reader, 'Overview');
  await reader.page.evaluate(pressedAtOnce('/sessions', 'Sessions'));
  await reader.page.getByRole('combobox', { name: 'Search' }).waitFor();
  await reader.leave();
});

browse('the palette offers a key that may only read nothing that is refused', async () => {
  const realm = await service.realm('readable');
  const reader = await signedIn(await realm.issueKey(['read']));
  await isAt(reader, 'Overview');
  for (const text of ['enrol', 'import', 'create', 'realms', 'acme', 'keys', 'add 50 to']) {
    await types(reader, text);
    await reader.sees('Nothing found.');
    assert.equal(await reader.page.getByRole('option').count(), 0, text);
    await reader.page.keyboard.press('Escape');
  }
  await types(reader, 'export');
  await reader.page.getByRole('option', { name: 'Export members' }).waitFor();
  await reader.leave();
});
