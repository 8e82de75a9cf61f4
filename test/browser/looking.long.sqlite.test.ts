import assert from 'node:assert/strict';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const signedIn = (): Promise<Reader> => Reader.signedIn(browser(), service.url, ROOT_KEY);

browse('the font comes from the service, and text stays where it was before', async () => {
  const reader = await Reader.open(browser(), service.url);
  const { page } = reader;
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const loaded = await page.evaluate<string[]>(
    `document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded')
      .map(({ family }) => family))`,
  );
  assert.ok(loaded.includes('Figtree'), `${loaded}`);
  const widths = await page.evaluate<
    number[]
  >(`['Figtree', '"Figtree until loaded"'].map((font) => {
    const box = document.createElement('span');
    box.style.font = '14px ' + font;
    box.textContent = 'Who was removed has no page any more: what happened is in the activity.';
    document.body.append(box);
    return box.getBoundingClientRect().width;
  })`);
  const [own = 0, before = 0] = widths;
  assert.ok(Math.abs(own / before - 1) < 0.03, `${widths}`);
  await reader.leave();
});

browse('a panel goes through its list, and takes the whole page', async () => {
  const realm = await service.realm('rows');
  for (const id of ['first', 'second']) {
    await realm.expect(201, 'POST', '/offers', {
      body: { id, name: `The ${id}`, delivery: 'manual' },
    });
  }
  const reader = await signedIn();
  const { page } = reader;
  const panel = (name: string) => page.getByRole('complementary', { name });
  await reader.visits('/realms/rows/offers');
  const names = await page.locator('tbody a.row-link').allTextContents();
  const [above = '', below = ''] = names;
  await page.getByRole('link', { name: above }).click();
  await panel(above).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Previous (K)' }).isDisabled());
  await page.keyboard.press('j');
  await panel(below).waitFor();
  await page.getByRole('link', { name: 'Previous (K)' }).click();
  await panel(above).waitFor();
  const width = async () => (await panel(above).boundingBox())?.width ?? 0;
  const narrow = await width();
  await reader.press('Full page');
  assert.ok((await width()) > 1.5 * narrow);
  await reader.press('Beside the list');
  await reader.leave();
});

browse('a leaderboard is copied as a message, with the first three above it', async () => {
  const realm = await service.realm('board');
  for (const [id, tokens] of [
    ['1', 5],
    ['2', 900],
    ['3', 70],
  ] as const) {
    await realm.member(id, tokens, { displayName: `Person ${id}` });
  }
  const reader = await signedIn();
  await reader.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await reader.visits('/realms/board/leaderboard');
  const podium = reader.page.getByRole('list', { name: 'The first three' }).getByRole('listitem');
  assert.match((await podium.first().textContent()) ?? '', /Person 2/);
  await reader.press('Copy for Discord');
  await reader.sees('Copied: paste it into a channel');
  const message = await reader.page.evaluate<string>('navigator.clipboard.readText()');
  const lines = ['🥇 **Person 2** · 900 points', '🥈 **Person 3** · 70 points'];
  assert.deepEqual(message.split('\n').slice(1, 3), lines);
  await reader.leave();
});
