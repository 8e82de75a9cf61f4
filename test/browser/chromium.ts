import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell takes two thirds of the others' time. */
const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** An installed browser; the tests never download one. */
const chromiumPath = CANDIDATES.find((path) => path && existsSync(path));

/** The `skip` option of browser tests: a reason if there is no browser. */
export const withoutChromium = chromiumPath
  ? false
  : 'NO CHROMIUM FOUND, NOT TESTED: install one, or set CHROMIUM_PATH to it';

/** Without background traffic, because a test checks every request. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
