/** A command that the program or a page names works as typed: in a clone, `realmkeep` is npx's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../src/cli/main.ts';
import { sources } from '../architecture/sources.ts';
import { pages } from './pages.ts';

const words = new Set(Object.keys(commands).map((name) => name.split(' ')[0]));
// After --rm, it is the name of a service in a compose file.
const BARE = new RegExp(
  `(?<!npx |--rm )\\brealmkeep (?:${[...words].join('|')}|--help|--version)\\b.*`,
  'g',
);

test('every command that is named starts with npx', () => {
  const texts = [...pages, ...sources.filter(({ path }) => path.startsWith('src/'))];
  assert.deepEqual(
    texts.flatMap(({ path, text }) => (text.match(BARE) ?? []).map((hint) => `${path}: ${hint}`)),
    [],
  );
});
