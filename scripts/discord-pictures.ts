import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/browser/chromium.ts';
import type { User } from '../test/discord/community.ts';
import { drawAnnouncements, drawTyping } from './discord/announcements.ts';
import { drawOne, drawSheet } from './discord/draw.ts';
import { drawManagers } from './discord/managers.ts';
import { drawMembers } from './discord/members.ts';
import { drawRefusals } from './discord/refusals.ts';
import { openStage, type Stage } from './discord/stage.ts';

/**
 * `npm run discord-pictures`: the pictures in docs/discord.md, from what the app answers to members
 * of the demo. `--all <folder>` draws each of its messages instead, on sheets to look at.
 */
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs/images');
const DOCUMENTED = ['give', 'confirm', 'leaderboard', 'shop', 'pending', 'wallet'];
const THEMES = ['dark', 'light'] as const;
const WIDTH = 524;
const DEVICES = { desktop: WIDTH, phone: 355 };
const PER_SHEET = { desktop: 12, phone: 16 };

const { values } = parseArgs({
  options: { all: { type: 'string' }, emoji: { type: 'string' } },
});

/** A font file, where the machine has no emoji; and one like Discord's own. */
const face = (family: string, file: string): string =>
  `@font-face { font-family: ${family}; font-weight: 100 900;
    src: url(data:font/woff2;base64,${readFileSync(file).toString('base64')}) }`;
const css =
  face('Text', join(ROOT, 'console/fonts/figtree.woff2')) +
  (values.emoji ? face('Emoji', values.emoji) : '');

const stage = await openStage();
const [alice, bob] = await furnish(stage);
await drawMembers(stage, alice, bob);
await drawManagers(stage, alice, bob);
await drawTyping(stage, alice);
await drawRefusals(stage, alice, bob);
await drawAnnouncements(stage, alice, bob);
await stage.close();

const browser = await launchChromium();
const page = await browser.newPage({ deviceScaleFactor: values.all ? 1 : 1.5 });
await (values.all ? drawSheets(page, values.all) : drawDocumented(page));
await browser.close();

/** What the demo lacks: other kinds of points, names that are hard to draw, more to buy. */
async function furnish({ server, member }: Stage): Promise<[User, User]> {
  const { realm } = server;
  const kinds = [
    { id: 'gems', name: 'Gems', symbol: '💎' },
    { id: 'karma', name: 'Karma points', isTransferable: false, maximumBalance: 1_000 },
    { id: 'unused', name: 'Medals' },
  ];
  for (const body of kinds) await realm.expect(201, 'POST', '/points', { body });
  const others = ['Fox 🦊', 'Маша', 'Dev with a *very* long name and no end', '小林', 'Zoë'];
  const [first] = (await realm.expect(200, 'GET', '/leaderboard?limit=1')).json.members;
  for (const [index, name] of others.entries()) await member(name, first.tokens - 9 - 88 * index);
  const [alice, bob] = [await member('Alice', 4_255), await member('Bob', 340)];
  for (const { id } of [alice, bob]) {
    for (const [realmPointId, tokens] of [['gems', 120] as const, ['karma', 45] as const]) {
      const body = { tokens, realmPointId, description: 'Welcome' };
      await realm.expect(200, 'PATCH', `/members/${id}/tokenBalance`, { body });
    }
  }
  const colour = { metadata: { discordRoleId: '900000000000000077' } };
  await realm.expect(200, 'PATCH', '/offers/colour', { body: colour });
  const tea = { name: 'Cup of tea', emoji: '🍵', costs: { points: 5 } };
  await server.offer('tea', { ...tea, description: 'Somebody brews it while you wait' });
  const chest = { name: 'Chest', emoji: 'treasure', costs: { points: 12, gems: 3 } };
  await server.offer('chest', { ...chest, gives: { karma: 2 }, stock: 10 });
  await server.offer('statue', { name: 'Statue', emoji: '🗿', costs: { points: 1_200 } });
  await server.offer('secret', { name: 'Secret', gives: { points: 1 }, isListed: false });
  return [alice, bob];
}

async function drawDocumented(page: Page): Promise<void> {
  await page.setViewportSize({ width: WIDTH + 36, height: 300 });
  for (const name of DOCUMENTED) {
    const drawn = stage.shots.get(name);
    if (!drawn) throw new Error(`there is no picture ${name}`);
    for (const theme of THEMES) {
      const look = { theme, width: WIDTH, css };
      await page.setContent(drawOne(drawn, stage.names, look));
      await page.evaluate('document.fonts.ready');
      const path = join(FOLDER, `discord-${name}-${theme}.png`);
      await page.locator('body').screenshot({ path });
    }
  }
}

async function drawSheets(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const all = [...stage.shots];
  for (const device of ['desktop', 'phone'] as const) {
    const [width, most] = [DEVICES[device], PER_SHEET[device]];
    await page.setViewportSize({ width: 1_670, height: 300 });
    for (const theme of THEMES) {
      for (let first = 0; first < all.length; first += most) {
        const shown = all.slice(first, first + most);
        await page.setContent(drawSheet(shown, stage.names, { theme, width, css }));
        await page.evaluate('document.fonts.ready');
        const path = join(folder, `${device}-${theme}-${1 + first / most}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
}
