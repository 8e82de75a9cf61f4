import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** It would run if it were not escaped, and would read as another name if it were not shown. */
export const HOSTILE = '<img src=x onerror=alert(1)>\u202egpj.exe';

/** What a page did that it must not. */
interface Seen {
  elsewhere: string[];
  errors: string[];
  /** Calls that the key has no right to: the console knows what it may. */
  forbidden: string[];
}

/** Somebody who looks at the console. */
export class Reader {
  readonly page: Page;
  readonly #origin: string;
  readonly #seen: Seen = { elsewhere: [], errors: [], forbidden: [] };

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
    // Rendering is slow on a machine that is busy with other tests.
    page.setDefaultTimeout(120_000);
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isEmbedded = url.protocol === 'data:' || url.protocol === 'blob:';
      if (!isEmbedded && url.origin !== origin) this.#seen.elsewhere.push(request.url());
    });
    page.on('response', (answer) => {
      if (answer.status() === 403) this.#seen.forbidden.push(answer.url());
    });
    page.on('pageerror', (error) => this.#seen.errors.push(String(error)));
    page.on('dialog', (dialog) => {
      this.#seen.errors.push(`a script of a name has run: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      // A browser reports every refusal; the console shows it, or tries again where all is slow.
      const isRefusal = /status of (4|503)/.test(message.text());
      if (message.type() === 'error' && !isRefusal) this.#seen.errors.push(message.text());
    });
  }

  static async open(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<Reader> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const reader = new Reader(await context.newPage(), new URL(url).origin);
    await reader.page.goto(url);
    return reader;
  }

  static async signedIn(browser: Browser, url: string, key: string): Promise<Reader> {
    const reader = await Reader.open(browser, url);
    await reader.signIn(key);
    return reader;
  }

  /** Closes the browser's window, after which nothing may have been wrong. */
  async leave(): Promise<void> {
    await this.page.context().close();
    assert.deepEqual(this.#seen.elsewhere, [], 'no request went to another host');
    assert.deepEqual(this.#seen.errors, [], 'the browser reported no error');
    assert.deepEqual(this.#seen.forbidden, [], 'nothing was asked for that the key may not');
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(this.#origin + path);
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('Key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.isIn();
  }

  /** Whichever of the two forms of the navigation fits the screen. */
  async isIn(): Promise<void> {
    await this.page.locator('nav[aria-label=Main]:visible').waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  async choose(menu: string | RegExp, item: string): Promise<void> {
    await this.press(menu);
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Fills the fields of the open dialog by their labels, and confirms. */
  async answer(fields: Record<string, string>, action: string): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await this.dialog.getByLabel(label, { exact: true }).fill(value);
    }
    await this.dialog.getByRole('button', { name: action, exact: true }).click();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** The name of the file that a button saves. */
  async saves(name: string): Promise<string> {
    const saved = this.page.waitForEvent('download');
    await this.press(name);
    return (await saved).suggestedFilename();
  }

  /** Loads the view, as by a shared address. */
  async opens(path: string): Promise<void> {
    await this.goto(path);
    await this.#hasEverything();
  }

  /** Goes there as a link in the page does: the console is not loaded again. */
  async visits(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`,
    );
    await this.#hasEverything();
  }

  async #hasEverything(): Promise<void> {
    await this.page.locator('main .content').waitFor({ state: 'attached' });
    const onItsWay = this.page.locator('[aria-busy=true], .skeleton:not(td *)');
    await onItsWay.first().waitFor({ state: 'detached' });
  }

  /** Nothing is wider than the screen, and no name is more than text, or other text. */
  async looksRight(view: string): Promise<void> {
    const [overflow, images, text] = await this.page.evaluate<[number, number, string]>(
      `[document.body.scrollWidth - innerWidth, document.querySelectorAll('img').length,
        document.body.textContent + document.title]`,
    );
    assert.ok(overflow <= 0, `${view} is wider than the screen`);
    assert.equal(images, 0, `${view} shows a name as markup`);
    assert.ok(!text.includes('\u202e'), `${view} lets a name reorder text`);
  }
}
