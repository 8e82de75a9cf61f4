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

for (const page of pages) {
  test(`the links of ${page.path} lead somewhere`, () => {
    const links = proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g);
    for (const [link, file = '', anchor] of links) {
      const path = file === '' ? page.path : join(dirname(page.path), file);
      assert.ok(existsSync(join(ROOT, path)), `${link}: there is no ${path}`);
      if (anchor === undefined) continue;
      const known = anchors.get(relative('.', path));
      assert.ok(known?.has(anchor), `${link}: there is no heading #${anchor}`);
    }
  });
}
