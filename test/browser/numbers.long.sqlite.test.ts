import assert from 'node:assert/strict';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { PHONE } from './looks.ts';
import { Reader } from './reader.ts';

const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

const LARGEST = Number.MAX_SAFE_INTEGER;
const VIEWS = [
  '/',
  '/realms/rich',
  '/realms/rich/members',
  '/realms/rich/members/1',
  '/realms/rich/members/1?tab=holds',
  '/realms/rich/leaderboard',
  '/realms/rich/leaderboard?window=month',
];

/** Numbers of which a part is not to be seen: beyond their box, or beyond the screen. */
const CUT = `
  [...document.querySelectorAll('td.end, td .whole, .big, .figure, .parts, .realm-card')]
    .filter((one) => one.checkVisibility() && /\\d{3}/.test(one.textContent))
    .filter((one) => one.scrollWidth > one.clientWidth ||
      one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.textContent)`;

browse('no number is cut, however large', async () => {
  const realm = await service.realm('rich');
  await realm.member('1', LARGEST, { displayName: 'Ann' });
  for (const tokens of [-123_456_789, 1_000]) {
    await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens } });
  }
  const body = { tokens: LARGEST - 200_000_000 };
  await realm.expect(201, 'POST', '/members/1/holds', { body });
  for (const viewport of [PHONE, { width: 1440, height: 900 }]) {
    const reader = await Reader.open(browser(), service.url, { viewport });
    await reader.signIn(ROOT_KEY);
    for (const view of VIEWS) {
      await reader.visits(view);
      const large = reader.page.getByText(/9,007,19\d,\d{3},\d{3},\d{3}/);
      await large.filter({ visible: true }).first().waitFor();
      const cut = await reader.page.evaluate<string[]>(CUT);
      assert.deepEqual(cut, [], `${view} at ${viewport.width} px`);
      await reader.looksRight(view);
    }
    await reader.leave();
  }
});
