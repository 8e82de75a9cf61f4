import assert from 'node:assert/strict';
import { before } from 'node:test';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { browse, browserForFile } from './browse.ts';
import { withoutChromium } from './chromium.ts';
import { hostileRealm } from './hostile-realm.ts';
import { Reader } from './reader.ts';
import { DIALOGS, VIEWS } from './views.ts';

/** Everything without a mouse. */
const service = await serviceForFile({ logLevel: 'silent' });
const browser = browserForFile();

before(async () => {
  if (!withoutChromium) await hostileRealm(service, 'acme');
});

/** Marks what can have the focus, and tells how much that is; of radio buttons one can. */
const MARK = `(() => {
  const all = [...document.querySelectorAll(
    'a[href], button:enabled, input:enabled, select, textarea, summary, [tabindex="0"]')];
  const groups = new Set();
  const some = all.filter((one) => {
    if (one.tabIndex < 0 || one.closest('[inert]')) return false;
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type !== 'radio') return true;
    const isFirst = !groups.has(one.name);
    groups.add(one.name);
    return isFirst;
  });
  for (const one of some) one.dataset.awaited = one.name ?? '';
  return some.length;
})()`;

/** Takes the mark off what has the focus; says what it is if one does not see where that is. */
const LOOK = `(() => {
  const one = document.activeElement;
  const group = one.type === 'radio' ? document.getElementsByName(one.name) : [one];
  for (const each of group) delete each.dataset.awaited;
  if (one === document.body) return '';
  const near = [one, one.closest('label'), one.closest('.chart')?.querySelector('.plot')];
  // The browser itself marks the parts of a date.
  const isOutlined = (at) => [null, '::after'].some((pseudo) =>
    getComputedStyle(at, pseudo).outlineStyle !== 'none');
  const isMarked = /^date/.test(one.type) || near.some((at) => at && isOutlined(at));
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const spots = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) =>
    document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)));
  // Escape takes away a panel.
  const isSeen = spots.some((at) =>
    at && (one.contains(at) || at.contains(one) || at.closest('.panel')));
  return isMarked && isSeen ? '' : (isSeen ? 'no ring: ' : 'covered: ') + one.outerHTML;
})()`;

const LEFT = `[...document.querySelectorAll('[data-awaited]')]
  .filter((one) => one.isConnected && one.checkVisibility()).map((one) => one.outerHTML)`;

/** Goes through the whole page with Tab. */
async function walksThrough({ page }: Reader, view: string): Promise<void> {
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  const count = await page.evaluate<number>(MARK);
  const unseen: string[] = [];
  // A field for a day has several stops, and so have boxes that scroll.
  for (let step = 0; step < 3 * count + 20; step += 1) {
    await page.keyboard.press('Tab');
    unseen.push(await page.evaluate<string>(LOOK));
    if ((await page.evaluate<string[]>(LEFT)).length === 0) break;
  }
  assert.deepEqual(
    unseen.filter((one) => one !== ''),
    [],
    `${view}: what has the focus is seen`,
  );
  assert.deepEqual(await page.evaluate<string[]>(LEFT), [], `${view}: Tab leads to everything`);
}

browse('Tab leads to everything in every view', async () => {
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  for (const view of Object.values(VIEWS).flat()) {
    await reader.visits(`/realms/acme${view}`);
    await walksThrough(reader, view);
  }
  await reader.leave();
});

browse('every dialog opens, is gone through and closes without a mouse', async () => {
  const reader = await Reader.signedIn(browser(), service.url, ROOT_KEY);
  const { page, dialog } = reader;
  for (const [view, names] of Object.entries(DIALOGS)) {
    await reader.visits(`/realms/acme${view}`);
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: true }).first();
      await button.press('Enter');
      await dialog.waitFor();
      const isInside = `document.activeElement.closest('dialog') !== null`;
      assert.ok(await page.evaluate(isInside), `${view}: ${name} takes the focus`);
      for (let step = 0; step < 30; step += 1) {
        await page.keyboard.press('Tab');
        const isOutside = `document.activeElement.closest('dialog') === null &&
          document.activeElement !== document.body`;
        assert.ok(!(await page.evaluate(isOutside)), `${view}: ${name} keeps the focus`);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
    }
  }
  await reader.leave();
});
