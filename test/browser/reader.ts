import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** What a page did that it must not. */
interface Seen {
  elsewhere: string[];
  errors: string[];
}

/** Somebody who looks at the console. */
export class Reader {
  readonly page: Page;
  readonly #seen: Seen = { elsewhere: [], errors: [] };

  private constructor(page: Page, origin: string) {
    this.page = page;
    // Rendering is slow on a machine that is busy with other tests.
    page.setDefaultTimeout(30_000);
    page.on('request', (request) => {
      const url = new URL(request.url());
      const isEmbedded = url.protocol === 'data:' || url.protocol === 'blob:';
      if (!isEmbedded && url.origin !== origin) this.#seen.elsewhere.push(request.url());
    });
    page.on('pageerror', (error) => this.#seen.errors.push(String(error)));
    page.on('console', (message) => {
      // A browser reports every refusal of the service; the console shows it to the reader.
      const isRefusal = message.text().includes('status of 4');
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

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('Key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('navigation', { name: 'Main' }).first().waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  /** Fills the fields of the open dialog by their labels, and confirms. */
  async answer(fields: Record<string, string>, action: string): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    for (const [label, value] of Object.entries(fields)) {
      await dialog.getByLabel(label, { exact: true }).fill(value);
    }
    await dialog.getByRole('button', { name: action, exact: true }).click();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Nothing on the page is closed to those who cannot see it, or use no mouse. */
  async canUseEverything(view: string): Promise<void> {
    await this.page.evaluate(axe.source);
    const violations = await this.page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const found = await checker.run({ resultTypes: ['violations'] });
      return found.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    assert.deepEqual(violations, [], view);
  }

  sawNoFault(): void {
    assert.deepEqual(this.#seen.elsewhere, [], 'no request went to another host');
    assert.deepEqual(this.#seen.errors, [], 'the browser reported no error');
  }
}
