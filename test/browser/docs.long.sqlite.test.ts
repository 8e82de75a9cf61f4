import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { operations } from '../../src/contract/operations.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { launchChromium, withoutChromium } from './chromium.ts';

const service = await serviceForFile({ logLevel: 'silent' });

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { redirect: 'manual', ...init });

describe('the parts of the docs page', () => {
  test('the page is served at /docs, and /docs/ redirects there', async () => {
    const page = await get('/docs');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const slash = await get('/docs/');
    assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/docs']);
    assert.equal((await get('/docs', { method: 'HEAD' })).status, 200);
    assert.equal((await get('/docs', { method: 'POST' })).status, 405);
  });

  test('its policy allows no other host and no inline script', async () => {
    const { headers } = await get('/docs');
    const policy = headers.get('content-security-policy') ?? '';
    const directives = policy.split('; ');
    assert.ok(directives.includes("default-src 'self'"));
    assert.ok(directives.includes("script-src 'self'"));
    assert.ok(directives.includes("connect-src 'self'"));
    assert.doesNotMatch(policy, /https?:|unsafe-eval/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  test('its script is cached for ever under a versioned URL', async () => {
    const html = await (await get('/docs')).text();
    const [, address] = /src="(docs\/reference\.js\?v=[\w-]{16})"/.exec(html) ?? [];
    assert.ok(address);
    const zipped = await get(`/${address}`, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await get(`/${address}`, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.match(plain.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(await zipped.text(), await plain.text());
  });

  test('the document is served at /openapi.json', async () => {
    const answer = await get('/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(((await answer.json()) as { openapi: string }).openapi, '3.1.0');
    assert.equal((await get('/openapi.json', { method: 'HEAD' })).status, 200);
  });
});

describe('the docs page in a browser', () => {
  test('it lists all operations and sends a call, without requests to other hosts', {
    skip: withoutChromium,
  }, async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      // Rendering is slow on a machine that is busy with other tests.
      page.setDefaultTimeout(60_000);
      const seen = watch(page);
      await page.goto(`${service.url}/docs`);
      await showsEverything(page);
      await triesACall(page);
      assert.deepEqual(seen.elsewhere, [], 'no request went to another host');
      assert.deepEqual(seen.errors, [], 'the console has no errors');
      assert.ok(seen.requests > 0);
    } finally {
      await browser.close();
    }
  });
});

interface Seen {
  requests: number;
  elsewhere: string[];
  errors: string[];
}

function watch(page: Page): Seen {
  const seen: Seen = { requests: 0, elsewhere: [], errors: [] };
  page.on('request', (request) => {
    seen.requests += 1;
    const { origin, protocol } = new URL(request.url());
    // Embedded content causes no request.
    if (protocol === 'data:' || protocol === 'blob:') return;
    if (origin !== service.url) seen.elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  return seen;
}

async function showsEverything(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Realmkeep', exact: true }).waitFor();
  assert.match(await page.title(), /Realmkeep/);
  const sidebar = page.getByRole('navigation').or(page.getByRole('complementary')).first();
  for (const { summary } of Object.values(operations)) {
    await sidebar.getByRole('link', { name: summary }).first().waitFor();
  }
}

/** Like a reader: enters the key, opens an operation, sends it and looks at the answer. */
async function triesACall(page: Page): Promise<void> {
  const realm = { id: 'docs-test', name: 'Seen in the docs' };
  await service.expect(201, 'POST', '/api/v4/realms', { body: realm });
  await page.getByPlaceholder('Token').first().fill(ROOT_KEY);
  await page.getByRole('link', { name: 'List realms' }).first().click();
  await page.getByRole('button', { name: /^Test Request\s*\(get \/api\/v4\/realms\)$/ }).click();
  const client = page.getByRole('dialog');
  const answered = page.waitForResponse((answer) => answer.url().includes('/api/v4/realms'));
  await client.getByRole('button', { name: /^Send/ }).first().click();
  assert.equal((await answered).status(), 200);
  await client.getByText('200 OK').first().waitFor();
  await client.getByText(realm.name).first().waitFor();
}
