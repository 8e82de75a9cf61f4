/**
 * Compares tables of the pages with the code. A table is known by the name of its first column:
 * `setting`, `command`, `method` (operations) or `status` (problems).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/main.ts';
import { settings } from '../../src/config/settings.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { pages, proseOf, ROOT, type Row, tablesOf } from './pages.ts';

/** The pages that users read; CONTRIBUTING.md has commands of its own. */
const forUsers = pages.filter(({ path }) => /^(README\.md|docs\/)/.test(path));
const tables = (column: string) =>
  forUsers.flatMap((page) => tablesOf(page, column).map((rows) => ({ path: page.path, rows })));

const codeIn = (cell = ''): string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].toSorted();
const theOnly = <T>(found: T[], what: string): T => {
  assert.equal(found.length, 1, `there must be one table of ${what}`);
  return found[0] as T;
};

/** Every setting, and each secret also from a file. */
const settingNames = sorted(
  Object.entries(settings).flatMap(([name, setting]) =>
    'isSecret' in setting ? [name, `${name}_FILE`] : [name],
  ),
);

test('the table of settings has those that the service reads', () => {
  const { path, rows } = theOnly(tables('setting'), 'settings');
  assert.deepEqual(sorted(rows.flatMap(({ setting }) => codeIn(setting))), settingNames, path);
});

test('.env.example has every setting', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  assert.deepEqual(
    sorted(Array.from(text.matchAll(/^# ([A-Z_]+)=/gm), ([, name]) => name ?? '')),
    settingNames,
  );
});

test('the table of commands has every command with its options', () => {
  const { path, rows } = theOnly(tables('command'), 'commands');
  const shown = rows.flatMap(({ command }) => codeIn(command));
  const found = Map.groupBy(shown, (line) =>
    String(Object.keys(commands).find((name) => `${line} `.startsWith(`${name} `))),
  );
  assert.deepEqual(sorted(found.keys()), sorted(Object.keys(commands)), path);
  for (const [name, lines] of found) {
    const options = lines.flatMap((line) => line.match(/--[a-z-]+/g) ?? []);
    const known = Object.keys(commands[name]?.options ?? {}).map((option) => `--${option}`);
    assert.deepEqual(sorted(options), sorted(known), `${path}: ${name}`);
  }
});

test('the table of operations has every operation, and stands on one page', () => {
  const { path, rows } = theOnly(tables('method'), 'operations');
  assert.equal(path, 'docs/interface.md');
  const shown = rows.flatMap(({ method = '', path: of, scope }) =>
    method.split(', ').map((each) => `${each} ${codeIn(of)[0]} ${scope}`),
  );
  const known = Object.values(operations as Record<string, Operation>).map(
    ({ method, path: of, scope }) =>
      `${method} ${of.replace('/api/v4/realms/{realmID}/', '…/')} ${scope}`,
  );
  assert.deepEqual(sorted(shown.filter((row) => row.trim() !== 'undefined')), sorted(known));
  const repeats = forUsers.filter((page) => /^\|.*\| scope \|/m.test(proseOf(page)));
  assert.deepEqual(
    repeats.map((page) => page.path),
    ['docs/interface.md'],
  );
});

test('the table of problems has every code with its status', () => {
  const page = forUsers.filter(({ path }) => path === 'docs/interface.md');
  const rows: Row[] = page.flatMap((each) => tablesOf(each, 'status')).flat();
  assert.deepEqual(
    sorted(rows.flatMap(({ status, code }) => codeIn(code).map((each) => `${status} ${each}`))),
    sorted(Object.entries(problems).map(([code, { status }]) => `${status} ${code}`)),
  );
});
