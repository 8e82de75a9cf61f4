/**
 * The TypeScript that the pages show compiles, as strictly as the sources. What they show in
 * JavaScript, and the examples, use the client as its types say.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { forNewcomers, type Page, pages, ROOT } from './pages.ts';

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** What a page shows in TypeScript, and the JavaScript that it may import, by file name. */
function filesOf({ path, blocks }: Page): [name: string, text: string][] {
  const readme = pages.find((each) => each.path === join(dirname(path), 'README.md'));
  return [...(readme?.blocks ?? []), ...blocks]
    .filter(({ language, words }) => ['ts', 'js'].includes(language) && words[0] !== 'not-run')
    .map(({ words: [name], language, line, text }) => [name ?? `line-${line}.${language}`, text]);
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-docs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function assertCompiles(folder: string, compilerOptions: object, include: string[]): void {
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const args = [TSC, '-p', folder, '--pretty', 'false'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

test('the programs of all pages compile', (t) => {
  const folder = newFolder(t);
  for (const page of pages) {
    const files = filesOf(page);
    if (!files.some(([name]) => name.endsWith('.ts'))) continue;
    for (const [name, text] of files) write(join(folder, page.path, name), text);
  }
  assertCompiles(folder, { allowJs: true, checkJs: false }, ['**/*.ts']);
});

test('the programs for newcomers, and the examples, use the client as its types say', (t) => {
  const folder = newFolder(t);
  const files = forNewcomers.flatMap(filesOf).filter(([, text]) => /@realm|realm\.mjs/.test(text));
  const names = files.map(([name]) => name);
  assert.ok(names.length > 10);
  assert.equal(new Set(names).size, names.length, 'they are saved in one folder');
  for (const [name, text] of files) write(join(folder, name), text);
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  // JavaScript says nothing of what a function takes, and of what may be undefined.
  const loose = {
    strict: false,
    noUncheckedIndexedAccess: false,
    exactOptionalPropertyTypes: false,
  };
  assertCompiles(folder, { allowJs: true, checkJs: true, ...loose }, ['*/*.mjs']);
});
