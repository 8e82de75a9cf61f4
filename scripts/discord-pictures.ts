import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../test/browser/chromium.ts';
import { newCommunity } from '../test/discord/community.ts';
import type { DiscordInteraction } from '../test/discord/double/interaction.ts';
import { TestService } from '../test/support/service.ts';
import { draw, type Scene } from './discord/draw.ts';

/** `npm run discord-pictures`: the pictures in docs/discord.md, from what the app answers. */
const FOLDER = join(import.meta.dirname, '../docs/images');

const service = await TestService.start();
const server = await newCommunity(service);
server.start();
await server.isReady();

const names = new Map<string, string>();
async function member(name: string, tokens: number) {
  const user = await server.member(name, tokens);
  names.set(user.id, name);
  return user;
}

const [alice, bob] = [await member('Alice', 1_250), await member('Bob', 340)];
const others = [
  ['Fox 🦊', 4_820],
  ['Маша', 3_905],
  ['Dev with a very long name', 2_210],
  ['小林', 990],
  ['Zoë', 75],
] as const;
for (const [name, tokens] of others) await member(name, tokens);
const mona = server.manager();
names.set(mona.id, 'Mona');

await server.offer('daily', {
  name: 'Daily reward',
  emoji: '🌞',
  gives: { points: 25 },
  perMember: { times: 1, period: 'day' },
});
await server.offer('stickers', {
  name: 'Sticker pack',
  emoji: '⭐',
  costs: { points: 60 },
  delivery: 'manual',
  description: 'Six stickers, by mail',
});
await server.offer('vip', {
  name: 'VIP role',
  emoji: '👑',
  costs: { points: 900 },
  stock: 10,
  description: 'A colour and a channel of your own',
  delivery: 'manual',
});

const shots: Record<string, Scene> = {};
function shoot(file: string, cause: string, shown: DiscordInteraction): DiscordInteraction {
  const { original: message, isPrivate } = shown;
  shots[file] = { cause, message, isPrivate, names };
  return shown;
}

const thanks = { member: bob, amount: 20, reason: 'Thanks for the *great* guide!' };
shoot('give', 'Alice used give', await alice.uses('give', thanks));
const much = { member: bob, amount: 800, reason: 'Rent' };
shoot('confirm', 'Alice used give', await alice.uses('give', much));
shoot('daily', 'Alice used daily', await alice.uses('daily'));
shoot('leaderboard', 'Bob used leaderboard', await bob.uses('leaderboard'));
shoot('shop', 'Alice used shop', await alice.uses('shop'));
await alice.uses('buy', { offer: 'stickers' });
await bob.uses('buy', { offer: 'stickers' });
shoot('pending', 'Mona used pending', await mona.uses('pending'));
shoot('history', 'Alice used history', await alice.uses('history'));
shoot('refusal', 'Bob used give', await bob.uses('give', { member: alice, amount: 9_000 }));
shoot('wallet', 'Alice used wallet', await alice.uses('wallet'));
shoot('balance', 'Alice used balance', await alice.uses('balance'));
shoot('menu', 'Mona used Points', await mona.opens('Points', bob));
shoot('inventory', 'Alice used inventory', await alice.uses('inventory'));

/** The documents show these; with `--all`, and a folder for them, each is drawn. */
const DOCUMENTED = ['give', 'confirm', 'leaderboard', 'shop', 'pending', 'wallet'];
const { values } = parseArgs({
  options: { all: { type: 'string' }, emoji: { type: 'string' } },
});
const folder = values.all ?? FOLDER;
/** A font file, where the machine has no emoji. */
const font = values.emoji && readFileSync(values.emoji).toString('base64');
const face = font
  ? `@font-face { font-family: Emoji; src: url(data:font/woff2;base64,${font}) }`
  : '';

mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
const page = await browser.newPage({
  viewport: { width: 560, height: 300 },
  deviceScaleFactor: 1.5,
});
for (const [name, scene] of Object.entries(shots)) {
  if (!values.all && !DOCUMENTED.includes(name)) continue;
  for (const theme of ['dark', 'light'] as const) {
    await page.setContent(draw(scene, theme));
    await page.addStyleTag({ content: face });
    await page.evaluate('document.fonts.ready');
    const path = join(folder, `discord-${name}-${theme}.png`);
    await page.locator('body').screenshot({ path });
  }
}
await browser.close();
await server.bot?.stop();
await server.discord.close();
await service.stop();
