import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { type Page, pages, proseOf, ROOT } from './pages.ts';

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of proseOf(page).matchAll(/^#+ (.+)$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let free = anchor;
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`;
    anchors.add(free);
  }
  return anchors;
}

const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));

/** The paths that a page links to, each with the heading, as written in the page. */
function linksOf(page: Page) {
  const links = proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g);
  return Array.from(links, ([link, file = '', anchor]) => ({
    link,
    path: file === '' ? page.path : join(dirname(page.path), file),
    anchor,
  }));
}

for (const page of pages) {
  test(`the links of ${page.path} lead somewhere`, () => {
    for (const { link, path, anchor } of linksOf(page)) {
      assert.ok(existsSync(join(ROOT, path)), `${link}: there is no ${path}`);
      if (anchor === undefined) continue;
      const known = anchors.get(relative('.', path));
      assert.ok(known?.has(anchor), `${link}: there is no heading #${anchor}`);
    }
  });
}

test('docs/README.md leads to every page', () => {
  const front = pages.find(({ path }) => path === 'docs/README.md');
  assert.ok(front);
  const linked = new Set(linksOf(front).map(({ path }) => path));
  // The decisions have an index of their own.
  const others = pages.filter(({ path }) => !/^docs\/(decisions\/\d|README)|^client/.test(path));
  assert.deepEqual(
    others.filter(({ path }) => !linked.has(path)).map(({ path }) => path),
    [],
  );
});
