/** Checks that the documents for developers name files, functions and versions that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sources } from '../architecture/sources.ts';
import { pages, proseOf, ROOT, tablesOf } from './pages.ts';

const forDevelopers = pages.filter(({ path }) =>
  /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/decisions\//.test(path),
);

/** A file by its path, or by the end of it. */
const find = (name: string) => sources.filter(({ path }) => `/${path}`.endsWith(`/${name}`));

for (const page of forDevelopers) {
  test(`the files that ${page.path} names exist, with the functions it names in them`, () => {
    const named = proseOf(page).matchAll(/`(\w[\w./-]*\.(?:ts|mjs))`(?: \(`(\w+)`)?/g);
    for (const [text, file = '', identifier] of named) {
      const found = find(file);
      assert.ok(found.length > 0, `${text}: there is no such file`);
      if (identifier === undefined) continue;
      const isInside = found.some((source) => source.text.includes(identifier));
      assert.ok(isInside, `${text}: ${identifier} is not in it`);
    }
    for (const [text, folder = ''] of proseOf(page).matchAll(/`((?:[\w-]+\/)+)`/g)) {
      const exists = sources.some(({ path }) => `/${path}`.includes(`/${folder}`));
      assert.ok(exists, `${text}: there is no such folder`);
    }
  });
}

test('the table of dependencies has the versions of package.json', () => {
  const architecture = pages.find(({ path }) => path === 'ARCHITECTURE.md');
  assert.ok(architecture);
  const [rows = []] = tablesOf(architecture, 'package');
  const shown = rows.flatMap(({ package: names = '', version = '' }) => {
    const versions = version.split(', ');
    return names.split(', ').map((name, at) => [name.slice(1, -1), versions[at] ?? versions[0]]);
  });
  const manifests = ['package.json', 'test/chain/package.json'].map((path) =>
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')),
  );
  const pinned = manifests.map(({ dependencies, devDependencies, optionalDependencies }) => ({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  }));
  assert.deepEqual(Object.fromEntries(shown), Object.assign({}, ...pinned));
});

test('the index of decisions lists every one by its title', () => {
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d{4}-/.test(path));
  const index = pages.find(({ path }) => path === 'docs/decisions/README.md');
  for (const { path, text } of decisions) {
    const [, number = '', title = ''] = /^# (\d{4})\. (.+)$/m.exec(text) ?? [];
    const file = path.slice('docs/decisions/'.length);
    assert.ok(file.startsWith(`${number}-`), path);
    assert.ok(index?.text.includes(`| [${number}](${file}) | ${title}`), `${path} is not listed`);
  }
});
