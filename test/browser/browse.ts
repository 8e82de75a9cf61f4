import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium, withoutChromium } from './chromium.ts';

/** A browser for all tests of a file; it is there when they run. */
export function browserForFile(): () => Browser {
  let browser: Browser;
  before(async () => {
    if (!withoutChromium) browser = await launchChromium();
  });
  after(() => browser?.close());
  return () => browser;
}

/** A test that needs a browser. */
export const browse = (name: string, run: () => Promise<void>) =>
  test(name, { skip: withoutChromium }, run);
