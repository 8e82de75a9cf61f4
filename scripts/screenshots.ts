import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { type RealmHandle, Realmkeep } from '../client/src/index.ts';
import { launchChromium } from '../test/browser/chromium.ts';

import { animate } from './apng.ts';

/** `npm run screenshots`: the pictures in the README and docs/console.md, from the demo. */
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs/images');
const FRAMES = 12;
const FRAME_MS = 800;

interface Demo {
  url: string;
  key: string;
}

const demo = spawn(process.execPath, [join(ROOT, 'bin/realmkeep.mjs'), 'demo'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const { url, key } = await started();
  mkdirSync(FOLDER, { recursive: true });
  const browser = await launchChromium();
  await still(browser, url, key, 'light');
  await still(browser, url, key, 'dark');
  await live(browser, url, key);
  await browser.close();
} finally {
  demo.kill();
  await once(demo, 'exit');
}

/** Waits for the lines that the demo prints when it is ready. */
async function started(): Promise<Demo> {
  let url = '';
  for await (const line of createInterface({ input: demo.stdout })) {
    url = /listens on (\S+)/.exec(line)?.[1] ?? url;
    const [, key] = /^ {2}(rk_\S+)$/.exec(line) ?? [];
    if (key) return { url, key };
  }
  throw new Error('the demo did not start');
}

async function open(
  browser: Browser,
  url: string,
  key: string,
  options: { colorScheme: 'light' | 'dark'; width: number; height: number },
): Promise<Page> {
  const { colorScheme, ...viewport } = options;
  const page = await browser.newPage({ colorScheme, viewport });
  await page.goto(url);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Top earners this month').waitFor();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await page.locator('.plot').first().waitFor();
  await page.evaluate('document.fonts.ready');
  // The names of members come last; until then, ids stand for them.
  await page.locator('.events a .mono').first().waitFor({ state: 'detached' });
  return page;
}

async function still(
  browser: Browser,
  url: string,
  key: string,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const page = await open(browser, url, key, { colorScheme, width: 1280, height: 800 });
  await page.screenshot({ path: join(FOLDER, `console-${colorScheme}.png`) });
  await page.close();
}

/** Ten seconds in which points arrive. */
async function live(browser: Browser, url: string, key: string): Promise<void> {
  const page = await open(browser, url, key, { colorScheme: 'light', width: 900, height: 380 });
  await page.getByRole('link', { name: 'Activity' }).first().click();
  await page.locator('.events').waitFor();
  const realm = new Realmkeep({ url, key }).realm('demo');
  const members = await somebody(realm);
  const frames: Buffer[] = [];
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const member = members[frame % members.length] ?? '';
    await realm.member(member).add(10 + 5 * frame, { description: 'Game night prize' });
    await page.waitForTimeout(FRAME_MS);
    frames.push(await page.screenshot());
  }
  writeFileSync(join(FOLDER, 'console-live.png'), animate(frames, FRAME_MS));
  await page.close();
}

async function somebody(realm: RealmHandle): Promise<string[]> {
  const { members } = await realm.leaderboard({ window: 'month', limit: 8 });
  return members.map(({ id }) => id);
}
