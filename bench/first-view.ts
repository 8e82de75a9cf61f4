import { launchChromium, withoutChromium } from '../test/browser/chromium.ts';

const ROUNDS = 20;

/** How long the console takes to show what a realm is like, to somebody who has never been here. */
export async function firstViews(url: string, key: string, realmId: string): Promise<number[]> {
  if (withoutChromium) return [];
  const browser = await launchChromium();
  const signedIn = await browser.newContext();
  const page = await signedIn.newPage();
  await page.goto(url);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const storageState = await signedIn.storageState();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({ storageState });
    const view = await context.newPage();
    const start = performance.now();
    await view.goto(`${url}/realms/${realmId}`, { waitUntil: 'commit' });
    await view.locator('.plot').first().waitFor();
    times.push(performance.now() - start);
    await context.close();
  }
  await browser.close();
  return times;
}
