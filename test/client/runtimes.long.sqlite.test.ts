import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { launchChromium, withoutChromium } from '../browser/chromium.ts';
import { node20, versionOf } from '../support/older-node.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { ServiceProxy, shortUrl, silentUrl } from './bad-ways.ts';
import { bundle, clientPackage } from './package.ts';
import type { Given } from './portable/checks.ts';

const MAX_GZIP_BYTES = 8 * 1024;
const MODULES = join(import.meta.dirname, '../../node_modules');
const BUN = join(MODULES, 'bun/bin/bun.exe');
const DENO = join(MODULES, 'deno/bin.cjs');
const PORTABLE = join(import.meta.dirname, 'portable');

const TSC = join(MODULES, 'typescript/bin/tsc');
/** Compiled against the types of the package alone, without those of Node. */
const PROGRAM = `import { Realmkeep, type Member } from '@realmkeep/client';
const realm = new Realmkeep({ url: 'http://localhost' }).realm('acme');
const name: (member: Member) => string | null = ({ username }) => username;
console.log(realm.id, realm.member('42').id, ...[name].slice(1));
`;

const service = await serviceForFile({ corsOrigins: '*' });
const proxy = await ServiceProxy.start(service, Math.random);
const given: Given = {
  url: service.url,
  rootKey: ROOT_KEY,
  cutUrl: proxy.url,
  silentUrl: await silentUrl(),
  shortUrl: await shortUrl(),
};
const client = clientPackage();
/** Programs in it find the package. */
const folder = join(client, '../../..');
const missing = (name: string): string => `NO ${name} FOUND, NOT TESTED`;

const RUNTIMES: Record<string, string | null> = {
  'Node 20': node20 ?? null,
  Bun: versionOf(BUN) && BUN,
  Deno: versionOf(DENO) && DENO,
};

describe('the published client', () => {
  for (const [name, program] of Object.entries(RUNTIMES)) {
    const skip = program === null && missing(name);
    test(`all cases pass in ${name}`, { skip }, async () => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, await bundle(join(PORTABLE, 'main.ts'), client));
      const run = name === 'Deno' ? ['run', '--allow-net', '--allow-env', file] : [file];
      const all = [...run, JSON.stringify(given)];
      const { stdout } = await promisify(execFile)(program ?? '', all, { timeout: 120_000 });
      assert.deepEqual(JSON.parse(stdout), {});
    });
  }

  test('all cases pass in Chromium', { skip: withoutChromium }, async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.url}/healthz`);
      const script = await bundle(join(PORTABLE, 'cases.ts'), client, {
        format: 'iife',
        globalName: 'portable',
      });
      const call = `portable.failuresOf(${JSON.stringify(given)})`;
      assert.deepEqual(await page.evaluate(`${script}\n${call}`), {});
    } finally {
      await browser.close();
    }
  });

  test('an installed package has what it needs: code, types, its page and the licence', () => {
    const names = readdirSync(client).toSorted();
    assert.deepEqual(names, ['LICENSE', 'README.md', 'dist', 'package.json']);
    writeFileSync(join(folder, 'main.mts'), PROGRAM);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022'];
    execFileSync(process.execPath, [TSC, ...options, 'main.mts'], { cwd: folder });
  });

  for (const [name, program] of Object.entries({
    'Node 20': node20,
    'Node 26': process.execPath,
  })) {
    test(`an installed package runs in ${name}`, { skip: !program && missing(name) }, () => {
      const printed = execFileSync(program ?? '', ['main.mjs'], { cwd: folder, encoding: 'utf8' });
      assert.equal(printed, 'acme 42\n');
    });
  }

  test('it is small, as its guide says', async () => {
    const script = await bundle(join(client, 'dist/index.js'), client, { minify: true });
    const { length } = gzipSync(script);
    assert.ok(length <= MAX_GZIP_BYTES, `${length} bytes`);
    const guide = readFileSync(join(import.meta.dirname, '../../docs/client.md'), 'utf8');
    const [, stated] = /below (\d) kB gzipped/.exec(guide) ?? [];
    assert.equal(Number(stated), Math.ceil(length / 1_000));
  });
});
