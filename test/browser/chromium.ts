import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A browser that is on this machine already; tests never download one. */
export const chromiumPath = CANDIDATES.find((path) => path && existsSync(path));

/** What `skip` of a browser test says: a reason where there is no browser. */
export const withoutChromium = chromiumPath
  ? false
  : 'NO CHROMIUM FOUND, NOT TESTED: install one, or set CHROMIUM_PATH to it';

/** Without what a browser does in the background: a test counts every request it sees. */
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
