import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { test } from 'node:test';
import { ROOT, sources } from './sources.ts';

const DECLARATION = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;
/** `import { a, type B } from`, `export { a } from`, and `const { a } = await import(`. */
const NAMES =
  /(?:import|export|const) (?:type )?\{([^}]*)\} (?:from |= await import\()'(\.[^']+)'/g;
/** `import * as a from` and `export * from`: every export counts as used. */
const EVERYTHING = /(?:import|export) (?:type )?\*(?: as \w+)? from '(\.[^']+)'/g;

const target = (from: string, path: string): string => join(dirname(from), path);

const used = new Set<string>();
for (const { path, text } of sources) {
  for (const [, names = '', from = ''] of text.matchAll(NAMES)) {
    for (const [, name] of names.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)) {
      used.add(`${target(path, from)} ${name}`);
    }
  }
  for (const [, from = ''] of text.matchAll(EVERYTHING)) used.add(`${target(path, from)} *`);
}

test('every export is imported by another file', () => {
  const unused = sources.flatMap(({ path, text }) => {
    if (used.has(`${path} *`)) return [];
    const names = Array.from(text.matchAll(DECLARATION), ([, name = '']) => name);
    return names.filter((name) => !used.has(`${path} ${name}`)).map((name) => `${path} ${name}`);
  });
  assert.deepEqual(unused, []);
});

test('every file is a test or is named by another file', () => {
  const manifest = { path: 'package.json', text: readFileSync(join(ROOT, 'package.json'), 'utf8') };
  const unused = sources.filter(({ path }) => {
    if (/\.(test|d)\.ts$/.test(path)) return false;
    const { base, name } = parse(path);
    // The benchmark names its servers without an extension.
    return ![...sources, manifest].some(
      ({ path: other, text }) =>
        other !== path && (text.includes(base) || text.includes(`'${name}'`)),
    );
  });
  assert.deepEqual(
    unused.map(({ path }) => path),
    [],
  );
});
