import assert from 'node:assert/strict';
import axe, { type RunOptions } from 'axe-core';
import type { Locator } from 'playwright-core';
import type { Reader } from './reader.ts';

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** What of a desk's screen is left at 200 %. */
const ZOOMED = { width: 720, height: 450 };

/** The looks of a view, in an order in which each differs from the one before it in one way. */
const LOOKS = [
  { viewport: DESK, colorScheme: 'light', differs: 'width' },
  { viewport: DESK, colorScheme: 'dark', differs: 'colours' },
  { viewport: PHONE, colorScheme: 'dark', differs: 'width' },
  { viewport: PHONE, colorScheme: 'light', differs: 'colours' },
  { viewport: ZOOMED, colorScheme: 'light', differs: 'width' },
] as const;

/** All that a theme can spoil. */
const OF_COLOURS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/**
 * In both widths and both themes everybody can use it, and it looks right: a view, or what is open
 * above it. Some of that is only there in one of the widths.
 */
export async function inEveryLook(reader: Reader, name: string, within = 'html'): Promise<void> {
  const { page } = reader;
  const before = page.viewportSize() ?? DESK;
  let looks = 0;
  for (const { viewport, colorScheme, differs } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    if (!(await page.locator(within).isVisible())) continue;
    const look = `${name}, ${viewport.width} px, ${colorScheme}`;
    await canUseEverything(reader, look, differs === 'colours' ? OF_COLOURS : {}, within);
    await reader.looksRight(look);
    if (within.startsWith('dialog')) await fits(page.locator(within), look);
    looks += 1;
  }
  assert.ok(looks > 0, `${name} is there in some look`);
  await page.setViewportSize(before);
}

/** All of it can be scrolled to, and what it ends with. */
async function fits(dialog: Locator, look: string): Promise<void> {
  const { width, height } = dialog.page().viewportSize() ?? DESK;
  const box = (await dialog.boundingBox()) ?? assert.fail(look);
  const isWhole = box.x >= 0 && box.y >= 0 && box.x + box.width <= width;
  assert.ok(isWhole && box.y + box.height <= height, `${look} reaches beyond the screen`);
  const last = dialog.getByRole('button').or(dialog.getByRole('option')).last();
  await last.scrollIntoViewIfNeeded();
  const end = (await last.boundingBox()) ?? assert.fail(look);
  assert.ok(end.y + end.height <= box.y + box.height, `${look} hides its last button`);
}

/** Nothing on the page is closed to those who cannot see it, or use no mouse. */
export async function canUseEverything(
  { page }: Reader,
  view: string,
  rules: RunOptions = {},
  within = 'html',
): Promise<void> {
  if (await page.evaluate<boolean>(`typeof axe === 'undefined'`)) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations'], preload: false, ...rules };
  const violations = await page.evaluate(
    async ([context, given]) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const found = await checker.run(context, given);
      return found.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      );
    },
    [within, options] as const,
  );
  assert.deepEqual(violations, [], view);
}

/** The dialog that is open; then it is closed. */
export async function usesDialog(reader: Reader, name: string): Promise<void> {
  await reader.dialog.waitFor();
  await reader.dialog.locator('.skeleton').first().waitFor({ state: 'detached' });
  await inEveryLook(reader, name, 'dialog[open]');
  await reader.page.keyboard.press('Escape');
  await reader.dialog.waitFor({ state: 'detached' });
}

/** A menu, and the dialogs that its items open. */
export async function usesMenu(
  reader: Reader,
  menu: string | RegExp,
  items: string[],
): Promise<void> {
  await reader.press(menu);
  await inEveryLook(reader, `the menu ${menu}`, '.menu-items');
  await reader.page.keyboard.press('Escape');
  for (const item of items) {
    await reader.choose(menu, item);
    await usesDialog(reader, item);
  }
}
