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

/** Numbers that do not stand in one line. */
const BROKEN = `
  [...document.querySelectorAll('main *')].flatMap((one) => [...one.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE && node.parentElement.checkVisibility())
    .flatMap((node) => [...node.data.matchAll(/\\d[\\d,]{9,}/g)].map(({ 0: figure, index }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + figure.length);
      return range.getClientRects().length > 1 ? figure : null;
    }))
    .filter((figure) => figure !== null)`;

browse('no number is cut or broken, however large', async () => {
  const realm = await service.realm('rich');
  await realm.member('1', LARGEST, { displayName: 'Ann' });
  for (const tokens of [-123_456_789, 1_000]) {
    await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body: { tokens } });
  }
  // More cards beside each other, and a choice that would be wider than a phone.
  for (const [id, name] of Object.entries({ karma: 'Karma', long: 'Long '.repeat(12).trim() })) {
    await realm.expect(201, 'POST', '/points', { body: { id, name } });
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
      const broken = await reader.page.evaluate<string[]>(BROKEN);
      assert.deepEqual(broken, [], `${view} at ${viewport.width} px`);
      await reader.looksRight(view);
    }
    await reader.leave();
  }
});

browse('sums beyond what a JavaScript number holds are shown to the last digit', async () => {
  const realm = await service.realm('sums');
  await realm.member('1', 5, { displayName: 'Ann' });
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  const { page } = reader;
  const large = { circulation: '18014398509481983', held: '9007199254740993' };
  await page.route(/\/summary$/, async (route) => {
    const json = await (await route.fetch()).json();
    const { circulation, held } = large;
    await route.fulfill({
      json: { ...json, circulation: { points: circulation }, held: { points: held } },
    });
  });
  await page.route(/\/activity\?/, async (route) => {
    const json = await (await route.fetch()).json();
    json.days.at(-1).issued = large.circulation;
    await route.fulfill({ json });
  });
  await reader.opens('/realms/sums');
  const card = page.getByRole('region', { name: 'Points in circulation' });
  await card.getByText('18,014,398,509,481,983', { exact: true }).waitFor();
  await card.getByText('9,007,199,254,740,993', { exact: true }).waitFor();
  await page.locator('.readout', { hasText: 'Issued 18,014,398,509,481,983' }).waitFor();
  // "10,000T" has the room it needs.
  const chart = page.locator('.plot').first();
  const plot = await chart.boundingBox();
  const highest = await chart.locator('.tick > span').last().boundingBox();
  assert.ok(highest && plot && highest.x >= plot.x, `${highest?.x} is outside of ${plot?.x}`);
  await reader.visits('/realms');
  await page.locator('.realm-card', { hasText: /sums.*18,014,398,509,481,983/ }).waitFor();
  await reader.leave();
});

browse('on a phone a leaderboard keeps the names beside large numbers', async () => {
  const realm = await service.realm('names');
  await realm.member('1', LARGEST, { displayName: 'Bartholomew the Magnificent' });
  const reader = await Reader.open(browser(), service.url, { viewport: PHONE });
  await reader.signIn(ROOT_KEY);
  await reader.visits('/realms/names/leaderboard');
  const link = reader.page.getByRole('link', { name: 'Bartholomew' });
  const [has, needs] = await link.evaluate((one) => [one.clientWidth, one.scrollWidth]);
  assert.ok(Number(has) >= Number(needs), `${has} of ${needs} px`);
  await reader.leave();
});

browse('an id that is too long for its place is shortened in the middle', async () => {
  const id = `a-${'long-'.repeat(10)}name-7`;
  await service.realm(id);
  const reader = await Reader.open(browser(), service.url, { viewport: PHONE });
  await reader.signIn(ROOT_KEY);
  const shown = reader.page.locator(`.middle[title="${id}"]`);
  const [start, end] = [shown.locator('span').first(), shown.locator('span').last()];
  assert.equal(await end.textContent(), id.slice(-6));
  const fits = await start.evaluate((one) => one.clientWidth >= one.scrollWidth);
  assert.ok(!fits);
  const [ends, card] = [
    await end.boundingBox(),
    await shown.locator('xpath=ancestor::article').boundingBox(),
  ];
  assert.ok(ends && card && ends.x + ends.width <= card.x + card.width);
  await reader.leave();
});
