import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { newSecret, signedHeaders } from '../../src/webhooks/messages.ts';
import { pages } from './pages.ts';

/** The code in docs/webhooks.md that verifies signatures accepts ours, and nothing else. */
const page = pages.find(({ path }) => path === 'docs/webhooks.md');

function write(t: TestContext, language: string, name: string): string {
  const code = page?.blocks.find((block) => block.language === language)?.text;
  assert.ok(code, `docs/webhooks.md has no ${language}`);
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-docs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), code);
  return folder;
}

const [secret, body, id] = [newSecret(), '{"seq":1,"name":"Zoë"}', 'msg_q7Lm20RtYb5c_1'];
const signed = (by: string[], at = Date.now()) => signedHeaders({ id, at, body }, by);

/** Messages, and whether they are to be accepted. */
const cases: [headers: Record<string, string>, body: string, isValid: boolean][] = [
  [signed([secret]), body, true],
  [signed([newSecret(), secret]), body, true],
  [signed([newSecret()]), body, false],
  [signed([secret]), body.replace('Zoë', 'Zoe'), false],
  [signed([secret], Date.now() - 600_000), body, false],
  [signed([secret], Date.now() + 600_000), body, false],
  [{ ...signed([secret]), 'webhook-id': 'msg_q7Lm20RtYb5c_2' }, body, false],
];

test('TypeScript', async (t) => {
  const file = join(write(t, 'ts', 'verify.ts'), 'verify.ts');
  const { verify } = await import(pathToFileURL(file).href);
  for (const [headers, text, isValid] of cases) {
    assert.equal(verify(secret, headers, text), isValid);
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test('Python', { skip: !hasPython && 'python3 NOT FOUND' }, (t) => {
  const folder = write(t, 'python', 'verify.py');
  const code = `import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
from verify import verify
print([verify(${JSON.stringify(secret)}, headers, text.encode())
  for headers, text, _ in json.load(sys.stdin)])`;
  const input = JSON.stringify(cases);
  const { stdout, stderr } = spawnSync('python3', ['-c', code], { input, encoding: 'utf8' });
  const expected = cases.map(([, , isValid]) => (isValid ? 'True' : 'False'));
  assert.equal(stdout.trim(), `[${expected.join(', ')}]`, stderr);
});
