/** The TypeScript that the pages show compiles, as strictly as the sources. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Page, pages, ROOT } from './pages.ts';

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** What a page shows in TypeScript, and the JavaScript that it may import, by file name. */
function filesOf({ path, blocks }: Page): [name: string, text: string][] {
  const readme = pages.find((each) => each.path === join(dirname(path), 'README.md'));
  return [...(readme?.blocks ?? []), ...blocks]
    .filter(({ language, words }) => ['ts', 'js'].includes(language) && words[0] !== 'not-run')
    .map(({ words: [name], language, line, text }) => [name ?? `line-${line}.${language}`, text]);
}

test('the programs of all pages compile', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-docs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const page of pages) {
    const files = filesOf(page);
    if (!files.some(([name]) => name.endsWith('.ts'))) continue;
    const place = join(folder, page.path);
    mkdirSync(place, { recursive: true });
    for (const [name, text] of files) writeFileSync(join(place, name), text);
  }
  const compilerOptions = { allowJs: true, checkJs: false };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['**/*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const args = [TSC, '-p', folder, '--pretty', 'false'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
