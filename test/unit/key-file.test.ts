import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { KeyFile } from '../../src/config/keys.ts';

const onUnix = { skip: process.platform === 'win32' && 'Windows has no modes and named pipes' };

const SECRET = 's'.repeat(32);
const OTHER = 'o'.repeat(32);

function keyFileIn(t: TestContext, ...folders: string[]): KeyFile {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return new KeyFile(join(folder, ...folders, 'test.key'), 'test key', 'TEST_KEY');
}

function refuses(file: KeyFile, sentence: string): void {
  const message = new RegExp(`^[^\n]*${sentence}[^\n]*, or set TEST_KEY\\.$`);
  assert.throws(() => file.read(), { code: 'key-unusable', message });
}

test('a new key is read again, and nothing else is left in its folder', (t) => {
  const file = keyFileIn(t, 'new', 'folder');
  assert.equal(file.read(), null);
  assert.deepEqual(file.create(SECRET), { key: SECRET, isNew: true, isExposed: false });
  assert.deepEqual(file.read(), { key: SECRET, isNew: false, isExposed: false });
  assert.deepEqual(readdirSync(join(file.path, '..')), ['test.key']);
  assert.equal(readFileSync(file.path, 'utf8'), `${SECRET}\n`);
  if (!onUnix.skip) assert.equal(statSync(file.path).mode & 0o777, 0o600);
});

test('a key that is there already is returned and not replaced', (t) => {
  const file = keyFileIn(t);
  file.create(SECRET);
  assert.deepEqual(file.create(OTHER), { key: SECRET, isNew: false, isExposed: false });
  assert.deepEqual(readdirSync(join(file.path, '..')), ['test.key']);
});

test('a key that every user may read is found out', onUnix, (t) => {
  const file = keyFileIn(t);
  file.create(SECRET);
  for (const [mode, isExposed] of [
    [0o640, false],
    [0o644, true],
  ] as const) {
    chmodSync(file.path, mode);
    assert.equal(file.read()?.isExposed, isExposed);
  }
});

test('a folder, a link to nothing and an empty file are refused in words', (t) => {
  const folder = keyFileIn(t);
  mkdirSync(folder.path);
  refuses(folder, 'The test key cannot be read from .*test\\.key \\(EISDIR\\)');
  const link = keyFileIn(t);
  symlinkSync('nowhere', link.path);
  const message = /test\.key can neither be read nor created\. Remove it, or set TEST_KEY\.$/;
  assert.throws(() => link.create(SECRET), { code: 'key-unusable', message });
  const empty = keyFileIn(t);
  writeFileSync(empty.path, '\n');
  refuses(empty, 'test\\.key must be 32 to 256 visible ASCII characters');
});

test('a key that cannot be written is refused in words', (t) => {
  const file = keyFileIn(t, 'no-folder', 'folder');
  writeFileSync(join(file.path, '..', '..'), '');
  const message = /^The new test key cannot be written to .*test\.key \(\w+\)\. .* set TEST_KEY\.$/;
  assert.throws(() => file.create(SECRET), { code: 'key-unusable', message });
  refuses(file, 'The test key cannot be read from .*test\\.key \\(ENOTDIR\\)');
});
