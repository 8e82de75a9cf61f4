import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FOLDER = import.meta.dirname;
const MAX_FILES = 35;

/** The files that the steps of the section on one transfer name. */
function documentedFiles(): string[] {
  const page = readFileSync(join(FOLDER, '../../ARCHITECTURE.md'), 'utf8');
  const section = /^## One transfer, .*?(?=^## )/ms.exec(page)?.[0] ?? '';
  const steps = section.slice(section.indexOf('\n1. '), section.indexOf('\n\nNo answer'));
  return Array.from(steps.matchAll(/`([^`]+\.ts)`/g), ([, file = '']) => file).sort();
}

test('a transfer passes the files that ARCHITECTURE.md lists', () => {
  const preload = join(FOLDER, 'thread-coverage.ts');
  const output = execFileSync(
    process.execPath,
    ['--import', preload, join(FOLDER, 'transfer-path.ts')],
    // Cached code does not count its calls.
    { encoding: 'utf8', env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } },
  );
  const { statuses, files } = JSON.parse(output);
  assert.deepEqual(statuses, [200]);
  assert.deepEqual(files, documentedFiles());
  assert.ok(files.length <= MAX_FILES, `${files.length} files`);
});
