import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Cli, performed } from './cli.ts';
import { damages } from './journal-damage.ts';
import { writeHistory, writeProofs } from './journal-history.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/journal.md'), 'utf8');

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  assert.ok(found, `docs/journal.md has no block of ${language}`);
  return found;
}

async function journalLines(t: TestContext): Promise<{ cli: Cli; lines: string[] }> {
  const cli = new Cli(t);
  await writeHistory(cli);
  const { stdout } = await cli.run(['journal', 'export', 'acme']);
  return { cli, lines: stdout.slice(0, -1).split('\n') };
}

test('the example of the page is a true journal', async (t) => {
  const file = join(new Cli(t).folder, 'example.ndjson');
  writeFileSync(file, block('ndjson'));
  const { code, stdout } = await performed(['journal', 'check', file]);
  assert.equal(code, 0, stdout);
  const head = stdout.trimEnd().slice(-64);
  assert.ok(page.includes(`here\n\`${head}\``), 'the page names the head of its example');
  const [first = '', second = ''] = block('ndjson').split('\n');
  assert.ok(page.includes(`\n${first.slice(0, -75)}}\n`), 'the text of record 1');
  assert.ok(page.includes(`\n# ${first.slice(-66, -2)}\n`), 'the hash of record 1');
  assert.ok(page.includes(`\n${second.slice(0, -75)}}\n`), 'the text of record 2');
  assert.ok(page.includes(`which is \`${second.slice(-66, -2)}\``), 'the hash of record 2');
});

test('the page has every type that the rules record, with every field', async (t) => {
  const rules = join(ROOT, 'src/domain');
  const source = readdirSync(rules)
    .filter((name) => name.endsWith('.rules.ts'))
    .map((name) => readFileSync(join(rules, name), 'utf8'))
    .join('\n');
  const types = new Set(
    Array.from(source.matchAll(/'([a-z]+\.[a-z]+(?:ed|en|held))'/g), ([, type = '']) => type),
  );
  const rows = page.split('\n').filter((row) => row.startsWith('| `'));
  const { cli, lines } = await journalLines(t);
  await writeProofs(cli);
  const { stdout } = await cli.run(['journal', 'export', 'proofs']);
  const proofs = stdout.trimEnd().split('\n');
  const written = [...lines, ...proofs].map((line) => JSON.parse(line));
  for (const type of types) {
    const row = rows.find((each) => each.split(' | ')[0]?.includes(`\`${type}\``));
    assert.ok(row, `docs/journal.md does not have ${type}`);
    const records = written.filter((record) => record.type === type);
    assert.ok(records.length > 0, `the history of the tests has no ${type}`);
    if (/of the fields above/.test(row)) continue;
    const fields = new Set(records.flatMap(({ data }) => Object.keys(data)));
    for (const field of fields) assert.ok(row.includes(`\`${field}\``), `${type}: ${field}`);
  }
});

const python = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const skip = !python && 'python3 WAS NOT FOUND: the checker of docs/journal.md was not run';

test('the checker of the page finds a good journal good, and each damage', { skip }, async (t) => {
  const { cli, lines } = await journalLines(t);
  const checker = join(cli.folder, 'check.py');
  const file = join(cli.folder, 'acme.ndjson');
  writeFileSync(checker, block('python'));
  const check = (changed: string[]) => {
    writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
    return spawnSync('python3', ['-I', checker, file], { encoding: 'utf8' });
  };
  const good = check(lines);
  const head = lines.at(-1)?.slice(-66, -2);
  assert.deepEqual([good.status, good.stderr], [0, '']);
  assert.equal(good.stdout.trimEnd(), `ok, 33 records, head ${head}`);
  for (const { name, change, line } of damages) {
    const { status, stderr } = check(change(lines));
    assert.equal(status, 1, name);
    assert.match(stderr, new RegExp(`^line ${line ?? 1}: .+\\n?$`), `${name}: ${stderr}`);
  }
});
